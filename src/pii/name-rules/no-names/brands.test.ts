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
  'Project Merlin moves to pilot, Edison is paused, and the Newton dashboard replaces Galileo.',
  "Gibson and Fender both had tents; so did Uncle Ben's.",
  "l'action Hermès a fini stable",
  'Failed password for invalid user rosa from 192.0.2.146 port 50122 ssh2',
  'omg ruby is so much nicer than perl, and julia is fast but the compile times ugh',
  'Would you pick Pascal, Ada or Julia for a small parser?',
  'the Hawthorne effect, and the Dodd-Frank act',
  'your itin and iban, please',
])('nobody is named in %j', (text) => {
  expect(found(text)).toEqual([]);
});

it.each([
  ["Wendy's car is in the garage", ['Wendy']],
  ['Mrs. Fields asked for a receipt', ['Fields']],
  ['Rosemary will cover for Basil Hart on the late shift', ['Rosemary', 'Basil Hart']],
  ['Edison Oyelaran paused Project Merlin', ['Edison Oyelaran']],
])('but somebody is in %j', (text, names) => {
  expect(found(text)).toEqual(names);
});
