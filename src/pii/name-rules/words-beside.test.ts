import { expect, it } from 'vitest';
import {
  firstWords,
  haveListed,
  isSmallAt,
  listsBefore,
  listsBehind,
  mayBeListed,
  wordsBefore,
  wordsBehind,
  wordsOf,
} from './words-beside.js';

const BEHIND = wordsBehind.add('quokkas?');
const BEFORE = wordsBefore.add('quokka');
const FIRST = firstWords.add('Quokka');

it.each([' quokkas', ', quokka', "'s quokka", '’s quokka', '’ quokka'])(
  'a word stands behind in %j',
  (text) => {
    expect(listsBehind(text, 0) & BEHIND).toBe(BEHIND);
  },
);

it.each(['quokka', '. quokka', ' a quokka', ' quo', ''])('and none of the list in %j', (text) => {
  expect(listsBehind(text, 0) & BEHIND).toBe(0);
});

it.each(['the quokka ', 'quokka. ', 'quokka "'])('a word stands before in %j', (text) => {
  expect(listsBefore(`${text}Ada`, text.length) & BEFORE).toBe(BEFORE);
});

it.each(['quokka', 'quokk ', 'quokka: ', ''])('and none of the list in %j', (text) => {
  expect(listsBefore(`${text}Ada`, text.length) & BEFORE).toBe(0);
});

it('a word of a list with a capital needs one', () => {
  expect(firstWords.at('Quokka Lind', 0) & FIRST).toBe(FIRST);
  expect(firstWords.at('quokka lind', 0) & FIRST).toBe(0);
});

it('a set of names is known by first words, in capitals or not', () => {
  haveListed(['Wombat Works']);
  expect(mayBeListed('a wombat', 2)).toBe(true);
  expect(mayBeListed('a wallaby', 2)).toBe(false);
});

it('what begins with no letter may be in any set', () => {
  expect(mayBeListed('3M', 0)).toBe(true);
});

it.each([
  [/^ (?:trains?|boats)(?!\p{L})/u, '(?:trains?|boats)'],
  [/^,? (?:Inc|S\.A\.)(?![\p{L}\d])/u, '(?:Inc|S\\.A\\.)'],
  [/^(?:['’]s)? (?:(?:old|new) )?(?:cars|vans)$/u, '(?:(?:old|new) )?(?:cars|vans)'],
  [/^(?:Pan|Pani)(?: |$)/u, '(?:Pan|Pani)'],
])('the words of %s are its list', (pattern, words) => {
  expect(wordsOf(pattern)).toBe(words);
});

it('letters are small, or have no case', () => {
  expect(['a', 'é', 'A', '1', ''].map((text) => isSmallAt(text, 0))).toEqual([
    true,
    true,
    false,
    false,
    false,
  ]);
});
