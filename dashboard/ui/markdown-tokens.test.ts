import { describe, expect, it } from 'vitest';
import { markdownTokens } from './markdown-tokens.ts';

const types = (text: string) => JSON.stringify(markdownTokens(text) ?? null).match(/(?<="type":")\w+/g) ?? [];
const upTo = (units: number, piece: string) => piece.repeat(Math.ceil(units / piece.length)).slice(0, units);

describe('the Markdown of a text', () => {
  it('is recognized, in a long answer too', () => {
    const paragraph = `Some **bold** words, \`code\`, a [link](https://example.com) and ${'plain words '.repeat(40)}\n\n`;
    const found = types(`# Title\n\n${paragraph.repeat(30)}- one\n- two\n`);
    for (const type of ['heading', 'strong', 'codespan', 'link', 'list']) expect(found).toContain(type);
  });

  it.each(['**_**_', '[', '![', '[a](', '<', '~~a', '***a', 'a@a.'])(
    'is left as plain text where recognizing it would take long: %s',
    (piece) => {
      const text = upTo(20_000, piece);
      expect(new Set(types(text))).toEqual(new Set(['paragraph', 'text']));
      expect(markdownTokens(text)?.map(({ raw }) => raw)).toEqual([text]);
    },
  );

  it.each(['> ', '- ', '1. ', '>', '> - '])(
    'is left as plain text where it is nested without end: %s',
    (piece) => {
      expect(markdownTokens(upTo(5_000, piece))).toBeUndefined();
    },
  );

  it('is left as plain text where the text is very long', () => {
    expect(markdownTokens('a'.repeat(20_001))).toBeUndefined();
  });
});
