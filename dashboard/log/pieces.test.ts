import { describe, expect, it } from 'vitest';
import { foundPieces, maskedPieces } from './pieces.ts';

const finding = (type: string, start: number, end: number) => ({
  type,
  place: '/0/parts/0/text',
  start,
  end,
  score: 1,
});

describe('what plugins found in a text', () => {
  it('is marked at its place', () => {
    const pieces = foundPieces('I am Jane, 7.', [finding('N', 11, 12), finding('PERSON', 5, 9)]);
    expect(pieces.map(({ text, finding: found }) => [text, found?.type])).toEqual([
      ['I am ', undefined],
      ['Jane', 'PERSON'],
      [', ', undefined],
      ['7', 'N'],
      ['.', undefined],
    ]);
  });

  it('is not marked where places overlap, or lie outside of the text', () => {
    const pieces = foundPieces('short', [finding('A', 0, 3), finding('B', 2, 4), finding('C', 4, 40)]);
    expect(pieces.map(({ text }) => text)).toEqual(['sho', 'rt']);
  });

  it('is marked at its mask where the log has the mask', () => {
    const pieces = maskedPieces('<B> and <A> and <A>', [finding('A', 3, 5), finding('B', 0, 1)]);
    expect(pieces.map(({ text, finding: found }) => [text, found?.type])).toEqual([
      ['<B>', 'B'],
      [' and ', undefined],
      ['<A>', 'A'],
      [' and ', undefined],
      ['<A>', 'A'],
    ]);
  });

  it('is marked at numbered placeholders, too', () => {
    const pieces = maskedPieces('<A_1>, <A_A2>, <A_x>', [finding('A', 0, 1), finding('A', 3, 5)]);
    expect(pieces.map(({ text, finding: found }) => [text, found?.start])).toEqual([
      ['<A_1>', 0],
      [', ', undefined],
      ['<A_A2>', 3],
      [', <A_x>', undefined],
    ]);
  });
});
