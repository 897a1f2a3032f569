import { expect, it } from 'vitest';
import { createDetector } from '../index.js';

const people = (text: string) =>
  createDetector({ entities: ['PERSON'], scoreThreshold: 0.35 })
    .detectSync(text)
    .map(({ start, end }) => text.slice(start, end));

it.each([
  ['Tickets from Kealowai Nakamini wait in the queue since noon.', 'Kealowai Nakamini'],
  ['PS zoltán swears the transfer cleared before noon', 'zoltán'],
])('a name that training hardly knows is somebody in a sentence: %s', (text, name) => {
  expect(people(text)).toEqual([name]);
});

it.each(['id,name,size\n7,Zorbl,red\n8,Vlimp,blue', 'the header says VCARD and nothing else in the file'])(
  'what stands in a table, in capitals or first in a sentence is not: %j',
  (text) => {
    expect(people(text)).toEqual([]);
  },
);
