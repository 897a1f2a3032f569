import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { memberSpans, scanBounds } from '../json-scan.js';
import { scanDocument } from './scan-document.js';

const text = fc
  .tuple(fc.dictionary(fc.string(), fc.jsonValue()), fc.constantFrom('', ' ', '\n\t'), fc.string())
  .map(([value, space, more]) => {
    const written = JSON.stringify(value, null, space);
    // One key twice.
    return written.replace('{', `{ "${more.replace(/["\\\p{Cc}]/gu, '')}" : 1${written === '{}' ? '' : ','}`);
  });

describe('the outline of a JSON text', () => {
  it('has its members as a JSON parser finds them', () =>
    fc.assert(
      fc.property(text, (json) => {
        const spans = [...memberSpans(json, json.indexOf('{'))];
        const { members } = scanDocument(json, 1e6).outline!;
        if (members === undefined) expect(spans.length > 64 || json.includes('\\')).toBe(true);
        else expect(members).toEqual(spans);
      }),
    ));

  it('reports the same limits as scanBounds, for any text', () =>
    fc.assert(
      fc.property(
        fc.oneof(text, fc.string(), fc.string({ unit: fc.constantFrom(...'[]{}":, 1-e\\') })),
        fc.integer({ min: 1, max: 9 }),
        (any, most) => {
          expect(scanDocument(any, most).bound).toBe(scanBounds(any, most));
        },
      ),
    ));

  it('leaves out members where there are many', () => {
    const of = (count: number) =>
      JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_none, at) => [`m${at}`, at])));
    expect(scanDocument(of(64), 1e6).outline!.members).toHaveLength(64);
    expect(scanDocument(of(65), 1e6).outline!.members).toBeUndefined();
  });
});
