import { describe, expect, it } from 'vitest';
import type { NameSpan } from '../../name-span.js';
import { isDefinedAsThing, isFirm, isOfWork } from './firms-and-works.js';

/** A text with the span that the model gives between brackets. */
function marked(line: string, type: NameSpan['type'] = 'PERSON'): [string, NameSpan] {
  const start = line.indexOf('[');
  const end = line.indexOf(']') - 1;
  return [line.replace(/[[\]]/g, ''), { type, start, end, score: 0.9 }];
}

function isKnownAsFirm(line: string): boolean {
  const [text, span] = marked(line);
  return isFirm(text, span, text.slice(span.start, span.end));
}

describe('a firm that is called like somebody', () => {
  it.each([
    'two [Massey Ferguson] tractors',
    'my [Levi Strauss] jeans',
    "at [Luigi]'s Pizzeria",
    'ask [Malcolm Hart Motorsports] for it',
    '[Carter], Blunt and Osei has won the case.',
    'It is closed. Carter and [Osei] is moving.',
  ])('is known by what it sells, or does as one: %s', (line) => {
    expect(isKnownAsFirm(line)).toBe(true);
  });

  it.each([
    '[Odette] drives two tractors',
    '[Carter], Blunt and Osei have won.',
    'The tea with [Carter] and Osei is off.',
    '[Osei] is moving.',
  ])('but not %s', (line) => {
    expect(isKnownAsFirm(line)).toBe(false);
  });
});

describe('what a sentence calls a thing', () => {
  it.each([
    '[Amarcord] is a 1973 Italian comedy-drama film directed by him.',
    '[Rebecca] was a novel about a house.',
    '[Harper] is an open source library for dates.',
    '[Bosun Hale], is a shipping company based in Hull.',
  ])('is nobody: %s', (line) => {
    expect(isDefinedAsThing(...marked(line))).toBe(true);
  });

  it.each([
    '[Rebecca] is a film director.',
    '[Harper] is an actress known for a film.',
    '[Hale] is the company lawyer.',
    '[Imogen] was at the company party',
  ])('but somebody may be: %s', (line) => {
    expect(isDefinedAsThing(...marked(line))).toBe(false);
  });
});

describe('the nationality of a work', () => {
  it.each([
    'a [Danish] crime series about',
    'the first [Nigerian] novel in print',
    'eine Nacht im [polnischen] Film',
    'una película [argentina] de 1985',
  ])("is nobody's: %s", (line) => {
    expect(isOfWork(...marked(line, 'NRP'))).toBe(true);
  });

  it.each(['a [Danish] film director', 'the [Danish] government', 'she is [Danish], the film was long'])(
    "but somebody's may stand beside one: %s",
    (line) => {
      expect(isOfWork(...marked(line, 'NRP'))).toBe(false);
    },
  );
});
