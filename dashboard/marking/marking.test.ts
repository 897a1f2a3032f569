import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  extended,
  findNext,
  type Mark,
  neighbour,
  nextMark,
  piecesOf,
  type Span,
  select,
  withMark,
  withoutMarks,
  wordsOf,
} from './marking.ts';

const texts = ['Hello Ann Lee, ok?', 'Mail ann@x.org'];
const words = wordsOf(texts);
const textOf = (span: Span | undefined) => span && texts[span.text]!.slice(span.start, span.end);
const spanOf = (text: number, part: string): Span => {
  const start = texts[text]!.indexOf(part);
  return { text, start, end: start + part.length };
};
const mark = (text: number, part: string, type: string): Mark => ({ ...spanOf(text, part), type });

describe('words', () => {
  it('are runs of letters and digits, and each sign is one', () => {
    expect(words.map(textOf)).toEqual([
      ...['Hello', 'Ann', 'Lee', ',', 'ok', '?'],
      ...['Mail', 'ann', '@', 'x', '.', 'org'],
    ]);
  });

  it('are single characters in scripts without spaces', () => {
    const text = '李雷 met ขอ';
    expect(wordsOf([text]).map(({ start, end }) => text.slice(start, end))).toEqual([
      ...['李', '雷', 'met'],
      ...['ข', 'อ'],
    ]);
  });

  it('hold everything that is not a blank, in order', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const found = wordsOf([text]);
        expect(found.map(({ start, end }) => text.slice(start, end)).join('')).toBe(text.replace(/\s/gu, ''));
        expect(found.every(({ start }, index) => index === 0 || start >= found[index - 1]!.end)).toBe(true);
      }),
    );
  });
});

describe('the selection', () => {
  it('goes from word to word, also into the next text', () => {
    expect(textOf(neighbour(words, undefined, 1))).toBe('Hello');
    expect(textOf(neighbour(words, spanOf(0, 'Hello'), 1))).toBe('Ann');
    expect(textOf(neighbour(words, spanOf(0, '?'), 1))).toBe('Mail');
    expect(textOf(neighbour(words, spanOf(1, 'Mail'), -1))).toBe('?');
    expect(neighbour(words, spanOf(1, 'org'), 1)).toBeUndefined();
  });

  it('grows and shrinks around the word that it began with, inside one text', () => {
    const ann = select(spanOf(0, 'Ann'));
    const both = extended(words, ann, 1);
    expect(textOf(both)).toBe('Ann Lee');
    expect(textOf(extended(words, both, -1))).toBe('Ann');
    const before = extended(words, ann, -1);
    expect(textOf(before)).toBe('Hello Ann');
    expect(textOf(extended(words, before, 1))).toBe('Ann');
    expect(textOf(extended(words, select(spanOf(0, '?')), 1))).toBe('?');
  });

  it('goes to the next place of a text, in any case, and begins again behind the last one', () => {
    const first = findNext(texts, 'ANN', undefined);
    const second = findNext(texts, 'ANN', first);
    expect([first?.text, second?.text]).toEqual([0, 1]);
    expect(findNext(texts, 'ann', second)).toEqual(first);
    expect(textOf(findNext(texts, 'x.o', undefined))).toBe('x.o');
    expect(findNext(texts, '(', undefined)).toBeUndefined();
  });
});

describe('marks', () => {
  const marks = [mark(0, 'Ann', 'PERSON'), mark(1, 'ann@x.org', 'EMAIL_ADDRESS')];

  it('are replaced by a mark over them', () => {
    const person = mark(0, 'Ann Lee', 'PERSON');
    expect(withMark(marks, person, 'PERSON')).toEqual([person, marks[1]]);
    expect(withMark(marks, marks[1]!, 'URL')[1]).toEqual({ ...marks[1], type: 'URL' });
  });

  it('are removed where the selection touches them', () => {
    expect(withoutMarks(marks, spanOf(1, 'x'))).toEqual([marks[0]]);
    expect(withoutMarks(marks, spanOf(0, 'Lee'))).toEqual(marks);
  });

  it('are reached one after the other', () => {
    expect(nextMark(marks, undefined, 1)).toBe(marks[0]);
    expect(nextMark(marks, marks[0], 1)).toBe(marks[1]);
    expect(nextMark(marks, marks[0], -1)).toBeUndefined();
  });

  it('cut a text into pieces that have all of it', () => {
    const pieces = piecesOf(texts[0]!, [marks[0]!], spanOf(0, 'n Lee'));
    expect(pieces.map(({ text, selected, mark: of, last }) => [text, selected, of?.type, last])).toEqual([
      ['Hello ', false, undefined, false],
      ['An', false, 'PERSON', false],
      ['n', true, 'PERSON', true],
      [' Lee', true, undefined, false],
      [', ok?', false, undefined, false],
    ]);
  });
});
