import { expect, it } from 'vitest';
import { createDetector } from '../index.js';

const urls = createDetector({ entities: ['URL'] });
const found = (text: string) => urls.detectSync(text).map(({ start, end }) => text.slice(start, end));

it.each([
  ['zamówienie w butikowo.pl z 3 lutego', 'butikowo.pl'],
  ['zwrot z meblex.com.pl nie przyszedł', 'meblex.com.pl'],
  ['I ordered from garnek.pl last week', 'garnek.pl'],
  ['Login bei stadtwerke-nord.at geht nicht', 'stadtwerke-nord.at'],
])('a bare host name is found in prose where the words around it suggest an address: %s', (text, host) => {
  expect(found(text)).toEqual([host]);
});

it.each([
  'skrypt build.pl nie działa',
  'died at build.pl line 12.',
  'run ./migrate.pl first',
  'Hi,see you tomorrow.it was fun',
  'w.z.de rest, ecc.il resto',
  'call user.email or order.id',
])('but not where it is a program, or a missing blank: %s', (text) => {
  expect(found(text)).toEqual([]);
});
