import { describe, expect, it } from 'vitest';
import type { NameSpan } from './names.js';
import { withoutLoneNumbers } from './places.js';

/** Spans of the parts of a text that stand in brackets, all of them places. */
function kept(marked: string): string[] {
  const spans: NameSpan[] = [];
  let text = '';
  for (const part of marked.split(/(\[[^\]]*\])/)) {
    const inner = part.startsWith('[') ? part.slice(1, -1) : part;
    if (part.startsWith('['))
      spans.push({ type: 'LOCATION', start: text.length, end: text.length + inner.length, score: 0.9 });
    text += inner;
  }
  return withoutLoneNumbers(text, spans).map(({ start, end }) => text.slice(start, end));
}

describe('places', () => {
  it('are not numbers alone', () => {
    expect(kept('retries to [48759]')).toEqual([]);
    expect(kept('[Paris] and [48759]')).toEqual(['Paris']);
  });

  it('are numbers beside other parts of an address, or named as postal codes', () => {
    expect(kept('[12]\n[Main Street]')).toEqual(['12', 'Main Street']);
    expect(kept('my zip code is [48759]')).toEqual(['48759']);
  });
});
