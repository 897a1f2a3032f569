import { expect, it } from 'vitest';
import { createDetector } from '../detector.js';

function people(text: string): string[] {
  return createDetector({ language: 'en', entities: ['PERSON'] })
    .detectSync(text)
    .map(({ start, end }) => text.slice(start, end));
}

it('finds who speaks in a chat beside somebody who is known', () => {
  expect(people('marta: are we on for friday?\ntobz: yes, seven\nmarta: see you')).toEqual([
    'marta',
    'tobz',
    'marta',
  ]);
});

it('takes no field, heading or role for a speaker', () => {
  expect(people('marta: are we on?\nnote: bring cash\nassistant: done\nsubject: dinner')).toEqual(['marta']);
});

it('finds nobody where no line begins with somebody who is known', () => {
  expect(people('alpha: 12\nbeta: 13\ngamma: 15')).toEqual([]);
});
