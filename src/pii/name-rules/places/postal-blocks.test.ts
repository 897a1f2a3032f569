import { expect, it } from 'vitest';
import { createDetector } from '../../index.js';

const names = createDetector({ entities: ['PERSON', 'LOCATION'] });
const found = (text: string) =>
  names.detectSync(text).map(({ entityType, start, end }) => `${entityType} ${text.slice(start, end)}`);

it.each([
  ['Deliver to:\nPhilippa Marchbanks\n14 Quarry Street\nHexham\nNE46 1DA', 'Philippa Marchbanks'],
  ['Ship to:\nObadiah Crane\nFlat 2, 9 Weir Row\nBakewell\nDE45 1BG', 'Obadiah Crane'],
  ['Bill to:\nLucasta Penhaligon\nUnit 4, 88 Dock Road\nBarry\nCF62 5QS', 'Lucasta Penhaligon'],
  ['Lieferadresse:\nHedwig Sommerfeld\nAm Anger 12\n99084 Erfurt', 'Hedwig Sommerfeld'],
  ['Adresse de livraison :\nSolange Pichon\n8 rue des Lilas\n35000 Rennes', 'Solange Pichon'],
])('the first line of a postal block is somebody: %j', (text, name) => {
  expect(found(text)[0]).toBe(`PERSON ${name}`);
  expect(found(text)[1]).toMatch(/^LOCATION .*\d/);
  expect(found(text)).toHaveLength(2);
});

it.each([
  'Ship to:\nLarch Cottage\n12 Mill Lane\nKendal\nLA9 4QD',
  'Bill to:\nNorthwind Traders\n88 Dock Road\nBarry\nCF62 5QS',
  'Ship to:\nMercy Hospital\n12 Mill Lane\nKendal\nLA9 4QD',
])('and no house or firm: %j', (text) => {
  expect(found(text).filter((one) => one.startsWith('PERSON'))).toEqual([]);
});
