import { describe, expect, it } from 'vitest';
import { createDetector } from '../../index.js';

const detector = createDetector({ entities: ['PERSON', 'LOCATION', 'NRP'] });
const found = (text: string, one = detector) =>
  one.detectSync(text).map(({ entityType, start, end }) => `${entityType} ${text.slice(start, end)}`);

describe('places that lists and verbs tell', () => {
  it.each([
    ['The talks on the West Bank went on.', 'LOCATION West Bank'],
    ['Wildfires spread in Southern California again.', 'LOCATION Southern California'],
    ['The storm crossed the Gulf of Mexico.', 'LOCATION Gulf of Mexico'],
    ['A bunch of U.S. citizens went home.', 'LOCATION U.S.'],
  ])('%s', (text, expected) => {
    expect(found(text)).toContain(expected);
  });

  it.each([
    ['pl', 'Mój brat mieszka we Wrocławiu.', 'LOCATION Wrocławiu'],
    ['nl', 'Mijn zus woont in Apeldoorn.', 'LOCATION Apeldoorn'],
    ['pt', 'A minha irmã mora em Braga.', 'LOCATION Braga'],
    [
      'nl',
      'Stuur het naar Kloveniersgracht 41, 1011 KB Amsterdam.',
      'LOCATION Kloveniersgracht 41, 1011 KB Amsterdam',
    ],
  ])('where somebody lives, in %s: %s', (language, text, expected) => {
    expect(found(text, createDetector({ language, entities: ['LOCATION'] }))).toContain(expected);
  });

  it.each([
    ['it', 'Ci vediamo in via Lambro 16.', 'LOCATION via Lambro 16'],
    ['es', 'Vive en la calle del Olmo 14.', 'LOCATION calle del Olmo 14'],
    ['pt', 'Mora na rua da Oliveira 9.', 'LOCATION rua da Oliveira 9'],
  ])('a street whose word stands before its name, in %s: %s', (language, text, expected) => {
    expect(found(text, createDetector({ language, entities: ['LOCATION'] }))).toContain(expected);
  });

  it.each([
    'Hij is al 40 jaar onderweg.',
    'Southampton v Everton is the featured game.',
    'Please answer in Danish.',
    'We wrote it in C/C++ first.',
    '## Benchmark\n\nIt takes a second.',
    '### Debug Mode\n\nCan be turned on.',
  ])('nothing is found in %j', (text) => {
    expect(found(text)).toEqual([]);
  });
});

describe('names in small letters', () => {
  it.each([
    ['tell hannah brooks that the refund went out', ['PERSON hannah brooks']],
    ['so joel and fatima are out today', ['PERSON joel', 'PERSON fatima']],
  ])('%s', (text, expected) => {
    expect(found(text)).toEqual(expected);
  });

  it.each([
    ['we drove to vietnam and back', ['LOCATION vietnam']],
    ['is there a good bakery in france', ['LOCATION france']],
  ])('places too: %s', (text, expected) => {
    expect(found(text)).toEqual(expected);
  });

  it.each(['it may or may not rain', 'see you in may', 'we will mark the page'])(
    'are no words: %s',
    (text) => {
      expect(found(text)).toEqual([]);
    },
  );
});

describe('columns of tables', () => {
  it('tell what stands below their names', () => {
    const text = 'id,first_name,surname,town\n1,Ana,Vesk,Zwolle\n2,Blau,Grün,Ems\n\nVesk';
    expect(found(text)).toEqual(
      expect.arrayContaining(['LOCATION Zwolle', 'PERSON Blau', 'PERSON Grün', 'LOCATION Ems']),
    );
  });

  it('of an INSERT too, row by row', () => {
    const text =
      "INSERT INTO t (id, full_name, city) VALUES (1, 'Oda Quist', 'Ems'), (2, 'Ruut Aalto', 'Vils');";
    expect(found(text)).toEqual(['PERSON Oda Quist', 'LOCATION Ems', 'PERSON Ruut Aalto', 'LOCATION Vils']);
  });

  it('called name alone are of things, unless an address of somebody stands beside them', () => {
    expect(found('id,name,size\n1,Zorbl,red\n2,Vlimp,blue')).toEqual([]);
    expect(found('id,name,age\n1,Zorbl,51')).toEqual(['PERSON Zorbl']);
  });
});
