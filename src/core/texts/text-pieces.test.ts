import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Piece, replaceInPieces, sourceOf, textOf } from './text-pieces.js';

const piece = fc.oneof(
  fc
    .string({ minLength: 1, maxLength: 6 })
    .map((text): Piece => ({ source: text.length, text, changed: false })),
  fc
    .record({ source: fc.nat(5), text: fc.string({ maxLength: 6 }) })
    .map((one): Piece => ({ ...one, changed: true })),
);
const pieces = fc.array(piece, { maxLength: 8 });

/** Spans of the pieces' text that part no piece that was changed before. */
function spansIn(all: readonly Piece[], cuts: readonly number[]) {
  const length = textOf(all).length;
  const inside = new Set<number>();
  let at = 0;
  for (const { text, changed } of all) {
    if (changed) for (let unit = at + 1; unit < at + text.length; unit++) inside.add(unit);
    at += text.length;
  }
  const places = [...new Set(cuts.map((cut) => cut % (length + 1)))]
    .filter((place) => !inside.has(place))
    .sort((one, other) => one - other);
  const spans = [];
  for (let index = 0; index + 1 < places.length; index += 2) {
    spans.push({ start: places[index]!, end: places[index + 1]!, replacement: `<${index}>` });
  }
  return spans;
}

describe('spans that are replaced in pieces', () => {
  it('give the text with its replacements, and the original of each', () => {
    fc.assert(
      fc.property(pieces, fc.array(fc.nat(60), { maxLength: 8 }), (all, cuts) => {
        const spans = spansIn(all, cuts);
        let text = '';
        let at = 0;
        for (const { start, end, replacement } of spans) {
          text += textOf(all).slice(at, start) + replacement;
          at = end;
        }
        const replaced = replaceInPieces(all, spans);
        expect(textOf(replaced)).toBe(text + textOf(all).slice(at));
        expect(sourceOf(replaced)).toBe(sourceOf(all));
      }),
    );
  });

  it('may be a hundred thousand, in as many pieces', () => {
    const all = Array.from({ length: 150_000 }, (): Piece => ({ source: 2, text: 'ab', changed: true }));
    const spans = all.map((_, at) => ({ start: 2 * at, end: 2 * at + 2, replacement: 'x' }));
    expect(textOf(replaceInPieces(all, spans))).toBe('x'.repeat(150_000));
  });
});
