import { expect, it } from 'vitest';
import { createDetector } from '../../index.js';

const found = (text: string) =>
  createDetector({ entities: ['PERSON', 'LOCATION'] })
    .detectSync(text)
    .map(({ entityType, start, end }) => `${entityType} ${text.slice(start, end)}`);

it.each([
  ['Error on line 14:\n"de Wit, Jasmijn";"offen";"21-06-1979"', 'de Wit, Jasmijn'],
  ['Row 31 failed: "de la Fuente, Milagros";"activo"', 'de la Fuente, Milagros'],
  ['CSV import failed:\n"Le Bihan, Erwan","member"', 'Le Bihan, Erwan'],
  ['It says the line "Oyelaran, Tunde" has too many fields.', 'Oyelaran, Tunde'],
])('a cell with a surname and a first name is one person: %j', (text, name) => {
  expect(found(text)).toEqual([`PERSON ${name}`]);
});

it.each([
  'The parser chokes on this one: "Copper Pan, Large";"Kitchen";"24.90"',
  'Row 12 failed: "Error, Warning";"Open";"Closed"',
  'Import failed at line 3: "Acme, Inc.","Widgets, Gadgets","Pending"',
  'Do I quote "Red, Green";"Small, Large"?',
])('and other pairs are none: %j', (text) => {
  expect(found(text)).toEqual([]);
});
