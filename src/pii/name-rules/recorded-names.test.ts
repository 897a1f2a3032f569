import { describe, expect, it } from 'vitest';
import { createDetector } from '../index.js';

function people(text: string): string[] {
  const found = createDetector({ language: 'en', entities: ['PERSON'] }).detectSync(text);
  return found.map(({ start, end }) => text.slice(start, end));
}

describe('a surname and a given name in a register', () => {
  it.each([
    ['behind a time', '09:40 McAllister, Hamish (badge 015)', 'McAllister, Hamish'],
    ['in a column', "09:10  D'Angelo, Rosaria     Marks & Spencer badge 115", "D'Angelo, Rosaria"],
    ['behind a label', "Bed 2: Rahman, Shabnam, Crohn's, awaiting scan", 'Rahman, Shabnam'],
    ['of several words', '09:05 De la Fuente, Araceli (badge 014)', 'De la Fuente, Araceli'],
  ])('are one name: %s', (_case, text, name) => {
    expect(people(text)).toEqual([name]);
  });

  it('are two where a list of people says so', () => {
    expect(people('# Author: Ben Gertzfield, Barry Warsaw\n')).toEqual(['Ben Gertzfield', 'Barry Warsaw']);
  });
});
