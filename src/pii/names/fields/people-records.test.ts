import { describe, expect, it } from 'vitest';
import { createDetector } from '../../index.js';

const names = createDetector({ entities: ['PERSON', 'LOCATION'] });
const found = (text: string) =>
  names.detectSync(text).map(({ entityType, start, end }) => `${entityType} ${text.slice(start, end)}`);

describe('somebody in data', () => {
  it.each([
    [
      'Person.create!(first: "Anahera", last: "Poutama", town: "Gisborne")',
      ['PERSON Anahera', 'PERSON Poutama', 'LOCATION Gisborne'],
    ],
    [
      'dict(last="Warsame", first="Ayaan", city="Berbera")',
      ['PERSON Warsame', 'PERSON Ayaan', 'LOCATION Berbera'],
    ],
    [
      '<patient>\n  <given>Wei Jie</given>\n  <family>Koh</family>\n</patient>',
      ['PERSON Wei Jie', 'PERSON Koh'],
    ],
    ['<name><family value="Ngata"/><given value="Mereana"/></name>', ['PERSON Ngata', 'PERSON Mereana']],
    ['surnames <- c("Vasilakis", "Montalban")', ['PERSON Vasilakis', 'PERSON Montalban']],
    ['nachnamen = ["Kuhlmann", "Brzezinka"]', ['PERSON Kuhlmann', 'PERSON Brzezinka']],
    ["const apellidos = ['Zubizarreta', 'Echevarri'];", ['PERSON Zubizarreta', 'PERSON Echevarri']],
    ["$noms = array('Kerviel', 'Le Floch');", ['PERSON Kerviel', 'PERSON Le Floch']],
    [
      'patients := []string{"Ione Castellan", "Bram Okafor"}',
      ['PERSON Ione Castellan', 'PERSON Bram Okafor'],
    ],
    ['[employee]\nname = "Samira Qadir"\nbadge = 4471', ['PERSON Samira Qadir']],
    ['tenant:\n  name: Efua Mensah\n  unit: 4B', ['PERSON Efua Mensah']],
    [
      "INSERT INTO employees VALUES (12, 'Nodira Yusupova', 'n.yusupova@example.org', 'Tashkent');",
      ['PERSON Nodira Yusupova', 'LOCATION Tashkent'],
    ],
    ['87, Inkeri Salonen, inkeri@example.org, open', ['PERSON Inkeri Salonen']],
    ['// TODO(katarzyna): remove when v2 ships\nlet x = 1;', ['PERSON katarzyna']],
  ])('is told by the form: %j', (text, expected) => {
    expect(found(text)).toEqual(expected);
  });

  it.each([
    '[server]\nname = "Atlas Prime"\nport = 8080',
    "INSERT INTO colors VALUES (4, 'Royal Blue', '#002366');",
    'names: ["Acme Corp", "Blue Moon"], colors: ["Sea Green", "Dark Red"]',
    'author: name: "Team Rocket", first: "Primary Color", last: "Blue"',
    'support = "Acme Support <support@example.org>"',
    '// TODO(perf): inline this\nint y = 2;',
    '<family>Serif</family><size>12</size>',
  ])('and nobody is in %j', (text) => {
    expect(found(text)).toEqual([]);
  });
});

describe('what is sold', () => {
  it.each([
    "SELECT name FROM products WHERE brand IN ('Calvin Klein', 'Tom Ford', 'Vera Bradley')",
    "SELECT 1 FROM p WHERE manufacturer IN ('Rolf Benz','Karl Storz')",
    '{"brand": "Jil Sander", "model": "Kate", "collection": "Sienna", "price": 120}',
    'brand,price,stock\nPaul Smith,120,4\nVera Bradley,80,9\n',
    "INSERT INTO products (brand, sku) VALUES ('Hugo Boss', 'A1'), ('Thomas Sabo', 'B2');",
  ])('is nobody, though it is called so: %j', (text) => {
    expect(found(text)).toEqual([]);
  });
});

describe('a field for a place', () => {
  it.each([
    ['cliente: Ornella Vitti\nluogo: Trani\niban: mancante', 'LOCATION Trani'],
    ['name: Gisela Rott\nort: Celle\nemail: offen', 'LOCATION Celle'],
    ['klant: Wietske Bos\nplaats: Sneek', 'LOCATION Sneek'],
    ['# columns: name; dob; town\nMarama Tipene; 1990-04-12; Levin', 'LOCATION Levin'],
    ['# contractors, fields: name / tfn / suburb\nBindi Koolmatrie / 1 / Wollongong', 'LOCATION Wollongong'],
  ])('has one, whoever is told before: %j', (text, expected) => {
    expect(found(text)).toHaveLength(2);
    expect(found(text)[1]).toBe(expected);
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
