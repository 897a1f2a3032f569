import { describe, expect, it } from 'vitest';
import type { LineSign } from '../../patterns/stretches.js';
import { isHead } from './line-signs.js';

const linesOf = (text: string, sign: LineSign) => {
  const found: string[] = [];
  for (let start = 0; start < text.length; ) {
    const end = text.indexOf('\n', start) < 0 ? text.length : text.indexOf('\n', start);
    if (sign(text, start, end)) found.push(text.slice(start, end));
    start = end + 1;
  }
  return found;
};

describe('a line can be', () => {
  it('the head of a table where it has words, signs between them, and another line below', () => {
    const text = 'name,town\r\n"a b"|c\nx\ty\na, b.\nwords alone\n\na;b';
    expect(linesOf(text, isHead)).toEqual(['name,town\r', '"a b"|c', 'x\ty']);
  });
});
