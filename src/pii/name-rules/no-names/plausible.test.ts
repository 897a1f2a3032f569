import { describe, expect, it } from 'vitest';
import type { NameSpan } from '../../name-span.js';
import { plausibleNames } from './plausible.js';

/** What is kept of the parts of a text that stand in brackets. */
function kept(marked: string, type: NameSpan['type'] = 'LOCATION'): string[] {
  const spans: NameSpan[] = [];
  let text = '';
  for (const part of marked.split(/(\[[^\]]*\])/)) {
    const inner = part.startsWith('[') ? part.slice(1, -1) : part;
    if (part.startsWith('['))
      spans.push({ type, start: text.length, end: text.length + inner.length, score: 0.9 });
    text += inner;
  }
  return plausibleNames(text, spans).map(({ start, end }) => text.slice(start, end));
}

describe('places', () => {
  it('are one address when only a postal code stands between them', () => {
    expect(kept('[Calle Mayor 3], 28012 [Madrid] y')).toEqual(['Calle Mayor 3, 28012 Madrid']);
    expect(kept('[Hauptstraße 5]\nD-10115 [Berlin]')).toEqual(['Hauptstraße 5\nD-10115 Berlin']);
    expect(kept('[Damrak 70], 1012 LM [Amsterdam]')).toEqual(['Damrak 70, 1012 LM Amsterdam']);
    expect(kept('[Paris], [Rome] and [Oslo]')).toEqual(['Paris', 'Rome', 'Oslo']);
  });

  it('are one address with a British code behind the town, also on the line below the street', () => {
    expect(kept('[Hereford] [HR4 9TT].')).toEqual(['Hereford HR4 9TT']);
    expect(kept('[7 Kingfisher Close]\n[Hereford] [HR4 9TT]')).toEqual([
      '7 Kingfisher Close\nHereford HR4 9TT',
    ]);
    expect(kept('[7 Kingfisher Close]\n[Hereford]')).toEqual(['7 Kingfisher Close', 'Hereford']);
  });

  it('are not numbers alone', () => {
    expect(kept('retries to [48759]')).toEqual([]);
    expect(kept('[Paris] and [48759]')).toEqual(['Paris']);
  });

  it('are numbers beside other parts of an address, or named as postal codes', () => {
    expect(kept('[12]\n[Main Street]')).toEqual(['12', 'Main Street']);
    expect(kept('my zip code is [48759]')).toEqual(['48759']);
  });
});

describe('nationalities', () => {
  it.each([
    'translate this into [German]',
    'Translate to [French]: the meeting was moved',
    'Traduce al [inglés].',
    'Wie sagt man das auf [Deutsch]?',
    'Traduis en [espagnol], merci',
    'dal [tedesco] e dal cinese',
  ])('are not languages: %s', (marked) => {
    expect(kept(marked, 'NRP')).toEqual([]);
  });

  it.each(['in [German] hospitals', 'she is [French].', 'converted to [Buddhist].'])(
    'are kept: %s',
    (marked) => {
      expect(kept(marked, 'NRP')).toHaveLength(1);
    },
  );
});
