import { expect, it } from 'vitest';
import { createDetector } from '../../index.js';

const people = createDetector({ entities: ['PERSON'] });
const found = (text: string) => people.detectSync(text).map(({ start, end }) => text.slice(start, end));

it.each([
  'new boots from Dr. Martens, cake mix by Dr. Oetker, cookies from Mrs. Fields',
  "we ordered Papa John's, Domino's and Wendy's",
  "Ben & Jerry's, M&M's and Reese's are on sale, Levi's too",
  'someone who likes Steely Dan but is bored of Pink Floyd',
  "bands like Harvey Danger or Ned's Atomic Dustbin",
  'jasmine rice and basil pesto for dinner, ginger tea after',
  'rose petals, lily pads, holly berries, ivy leaves',
  'Rosemary potatoes and a sprig of basil',
  'is mark-and-sweep slower than ref counting?',
  'your itin and iban, please',
])('nobody is named in %j', (text) => {
  expect(found(text)).toEqual([]);
});

it.each([
  ["Wendy's car is in the garage", ['Wendy']],
  ['Mrs. Fields asked for a receipt', ['Fields']],
  ['Rosemary will cover for Basil on the late shift', ['Rosemary', 'Basil']],
])('but somebody is in %j', (text, names) => {
  expect(found(text)).toEqual(names);
});
