/** Social security numbers beside their words, in eight languages, also with areas that were never given. */
import { expect, it } from 'vitest';
import { createDetector } from '../../index.js';

const detector = createDetector({ entities: ['US_SSN', 'US_ITIN', 'PHONE_NUMBER'] });

function found(text: string): string[] {
  return detector
    .detectSync(text)
    .map(({ entityType, start, end }) => `${entityType} ${text.slice(start, end)}`);
}

it.each([
  ['en', 'My SSN is '],
  ['es', 'Mi número de seguro social es '],
  ['de', 'Meine US-Sozialversicherungsnummer lautet '],
  ['fr', 'Mon numéro de sécurité sociale américain est '],
  ['it', 'Il mio numero di previdenza sociale è '],
  ['pt', 'Meu número de segurança social é '],
  ['nl', 'Mijn sofinummer is '],
  ['pl', 'Mój numer ubezpieczenia społecznego to '],
])('%s: %s…', (_, words) => {
  for (const number of ['494-58-0348', '834 36 7103', '033140786', '979-72-0560', '937 22 1415', '903895123'])
    expect(found(`${words}${number}.`)).toEqual([`US_SSN ${number}`]);
});

it('a number with an unassigned area counts only after a word', () => {
  expect(found('lot 937 22 1415, item 903895123')).toEqual([]);
});
