import { expect, it } from 'vitest';
import { createDetector } from '../index.js';

const detector = createDetector({ entities: ['PERSON'] });
const people = (text: string) => detector.detectSync(text).map(({ start, end }) => text.slice(start, end));

it.each([
  ['founders: Gerste, Johnson', ['Gerste', 'Johnson']],
  ['Reviewers: Novak, Lindqvist', ['Novak', 'Lindqvist']],
  ['Author: Johnson, Michael', ['Johnson, Michael']],
  ['Members: Johnson, Michael', ['Johnson, Michael']],
  ["O'Brien, Connor", ["O'Brien, Connor"]],
])(
  'two surnames behind the name of a list are two people, surname and given name are one: %s',
  (text, expected) => {
    expect(people(text)).toEqual(expected);
  },
);
