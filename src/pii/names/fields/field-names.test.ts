import { describe, expect, it } from 'vitest';
import { createDetector } from '../../index.js';

const names = createDetector({ entities: ['PERSON', 'LOCATION'] });
const found = (text: string) =>
  names.detectSync(text).map(({ entityType, start, end }) => `${entityType} ${text.slice(start, end)}`);

describe('what is sold', () => {
  it.each([
    '{"brand": "Jil Sander", "model": "Kate", "collection": "Sienna", "price": 120}',
    'brand,price,stock\nPaul Smith,120,4\nVera Bradley,80,9\n',
    "INSERT INTO products (brand, sku) VALUES ('Hugo Boss', 'A1'), ('Thomas Sabo', 'B2');",
  ])('is not a person, though it has a name: %j', (text) => {
    expect(found(text)).toEqual([]);
  });
});

describe('a field for a place', () => {
  it.each([
    ['name: Gisela Rott\nort: Celle\nemail: offen', 'LOCATION Celle'],
    ['klant: Wietske Bos\nplaats: Sneek', 'LOCATION Sneek'],
    ['# contractors, fields: name / tfn / suburb\nBindi Koolmatrie / 1 / Wollongong', 'LOCATION Wollongong'],
  ])('has a place as its value, though a person was mentioned before: %j', (text, expected) => {
    expect(found(text)).toHaveLength(2);
    expect(found(text)[1]).toBe(expected);
  });
});

describe('a field or column for a street', () => {
  it.each([
    ['{"street": "302 S 700 E", "count": 3}', ['LOCATION 302 S 700 E']],
    ['{"address": "Qe 7 Bloco G"}', ['LOCATION Qe 7 Bloco G']],
    [
      'id,address,total\n7,8210 111 ST NW,20\n8,5112 48 Street,30\n',
      ['LOCATION 8210 111 ST NW', 'LOCATION 5112 48 Street'],
    ],
  ])('has an address as its value, in whatever order it is written: %j', (text, expected) => {
    expect(found(text)).toEqual(expected);
  });

  it('has no address in that of a machine', () => {
    expect(found('{"address": "10.0.0.1 port 22"}')).toEqual([]);
  });
});

describe('a string for a place', () => {
  it.each([
    ['// ask about the list before you change it\nString city = "София";', 'LOCATION София'],
    ['String capital = "София";\nint code = 1;', 'LOCATION София'],
    ['city = "長崎"\nzip_code = "850-0000"', 'LOCATION 長崎'],
    ['val country = "България"\nval code = "BG"', 'LOCATION България'],
    ['String name = "София Георгиева";\nint age = 30;', 'PERSON София Георгиева'],
  ])('is in any script: %j', (text, expected) => {
    expect(found(text)).toEqual([expected]);
  });

  it.each([
    'const city = "City";\nconst country = "none";',
    'class Foo { name = "Card"; country = "Any"; address = "Localhost"; }',
  ])('and may be empty: %j', (text) => {
    expect(found(text)).toEqual([]);
  });
});
