import { describe, expect, it } from 'vitest';
import { SPACED_UNITS, streamWindowFor } from './stream-window.js';

describe('the window of a stream', () => {
  it('is the one needed for findings with white space where no list has longer terms', () => {
    expect(streamWindowFor()).toBe(SPACED_UNITS);
    expect(streamWindowFor(['Bluebird'], ['Anna'])).toBe(SPACED_UNITS);
  });

  it.each([
    ['a long denied term', ['x'.repeat(200)], [], 202],
    ['a long allowed term', [], ['x'.repeat(150)], 152],
    ['a term whose letters may be escaped', ['ü'.repeat(50)], [], 302],
    ['a pattern with repeats', ['/x{10}-x{5}/'], [], 502],
    ['a pattern that is short in spite of its source', ['/ab?c/'], [], SPACED_UNITS],
  ])('has room for %s', (_, deny, allow, window) => {
    expect(streamWindowFor(deny, allow)).toBe(window);
  });

  it.each(['/^secret/', '/plan$/', '/(?m)^x/', '/\\Ax/', '/x\\z/i'])(
    'is the whole answer for %s',
    (pattern) => {
      expect(streamWindowFor([pattern])).toBeUndefined();
      expect(streamWindowFor([], [pattern])).toBeUndefined();
    },
  );

  it('treats an escaped or bracketed anchor as a letter', () => {
    expect(streamWindowFor(['/[$^]5\\$\\^\\\\A/'])).toBe(SPACED_UNITS);
  });

  it.each(['/secret.*plan/', '/a+/', '/a{3,}/', '/[ab]{3000}x/'])('is the whole answer for %s', (pattern) => {
    expect(streamWindowFor([pattern])).toBeUndefined();
  });

  it('treats an escaped or bracketed star as a letter', () => {
    expect(streamWindowFor(['/a\\*b[*+]c/'])).toBe(SPACED_UNITS);
  });

  it('ignores allowed patterns, since a missed one only leads to more masking', () => {
    expect(streamWindowFor([], ['/.*/'])).toBe(SPACED_UNITS);
  });
});
