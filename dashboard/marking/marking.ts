/** Marks in the texts of a log: words to step over, a selection that grows by words, and the marks themselves. */

/** A stretch of one of the texts. Offsets are UTF-16 units. */
export interface Span {
  /** The number of the text. */
  text: number;
  start: number;
  end: number;
}

export interface Mark extends Span {
  type: string;
  /** The detector's score, while the mark is as the detector proposed it. */
  score?: number;
}

export interface Selection extends Span {
  /** The word with which the selection began: it grows and shrinks around it. */
  anchor: Span;
}

/** A word, a sign, or a character of a script without spaces. */
const WORDS =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Khmer}\p{sc=Lao}\p{sc=Myanmar}]\p{M}*|[\p{L}\p{N}\p{M}_]+?(?=[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Khmer}\p{sc=Lao}\p{sc=Myanmar}]|[^\p{L}\p{N}\p{M}_]|$)|\S/gu;

/** The words of all texts, in order. */
export function wordsOf(texts: readonly string[]): Span[] {
  return texts.flatMap((text, index) =>
    [...text.matchAll(WORDS)].map(({ 0: word, index: start }) => ({
      text: index,
      start,
      end: start + word.length,
    })),
  );
}

export function select(span: Span): Selection {
  const { text, start, end } = span;
  return { text, start, end, anchor: { text, start, end } };
}

function isBefore(one: Span, other: Span): boolean {
  return one.text < other.text || (one.text === other.text && one.end <= other.start);
}

/** The word before or behind the selection; the first or last one where nothing is selected. */
export function neighbour(words: readonly Span[], selection: Span | undefined, by: 1 | -1): Span | undefined {
  if (selection === undefined) return words.at(by === 1 ? 0 : -1);
  return by === 1
    ? words.find((word) => isBefore(selection, word))
    : words.findLast((word) => isBefore(word, selection));
}

/** The selection with one word more, or without its last one where it shrinks towards the word it began with. */
export function extended(words: readonly Span[], selection: Selection, by: 1 | -1): Selection {
  const { text, start, end, anchor } = selection;
  const inside = words.filter((word) => word.text === text && word.start >= start && word.end <= end);
  if (by === 1 && start < anchor.start) {
    const second = inside.find((word) => word.start > start);
    return { ...selection, start: Math.min(second?.start ?? anchor.start, anchor.start) };
  }
  if (by === -1 && end > anchor.end) {
    const last = inside.findLast((word) => word.end < end);
    return { ...selection, end: Math.max(last?.end ?? anchor.end, anchor.end) };
  }
  const next = neighbour(words, selection, by);
  if (next?.text !== text) return selection;
  return by === 1 ? { ...selection, end: next.end } : { ...selection, start: next.start };
}

/** The next or previous mark, from the first or last one on where nothing is selected. */
export function nextMark(marks: readonly Mark[], selection: Span | undefined, by: 1 | -1): Mark | undefined {
  return neighbour(marks, selection, by) as Mark | undefined;
}

export function overlaps(one: Span, other: Span): boolean {
  return one.text === other.text && one.start < other.end && other.start < one.end;
}

/** The marks with one more, which replaces those that it overlaps. */
export function withMark(marks: readonly Mark[], { text, start, end }: Span, type: string): Mark[] {
  return inOrder([...withoutMarks(marks, { text, start, end }), { text, start, end, type }]);
}

/** The marks without those in the selection. */
export function withoutMarks(marks: readonly Mark[], selection: Span): Mark[] {
  return marks.filter((mark) => !overlaps(mark, selection));
}

export function inOrder(marks: readonly Mark[]): Mark[] {
  return [...marks].sort((one, other) => one.text - other.text || one.start - other.start);
}

/** The next place of the written text behind the selection, in any case; from the beginning on where none follows. */
export function findNext(
  texts: readonly string[],
  written: string,
  selection: Span | undefined,
): Span | undefined {
  if (written === '') return undefined;
  const places = texts.flatMap((text, index) =>
    [...text.matchAll(new RegExp(written.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'), 'giu'))].map(
      ({ 0: found, index: start }) => ({ text: index, start, end: start + found.length }),
    ),
  );
  return places.find((place) => selection === undefined || isBefore(selection, place)) ?? places[0];
}

/** A stretch of a text in which nothing changes: neither the mark nor whether it is selected. */
export interface MarkedPiece {
  text: string;
  start: number;
  mark?: Mark;
  selected: boolean;
  /** Whether the mark ends here. */
  last: boolean;
}

export function piecesOf(
  text: string,
  marks: readonly Mark[],
  selection: Pick<Span, 'start' | 'end'> | undefined,
): MarkedPiece[] {
  const cuts = new Set([0, text.length, ...marks.flatMap(({ start, end }) => [start, end])]);
  if (selection !== undefined) cuts.add(selection.start).add(selection.end);
  const places = [...cuts].sort((one, other) => one - other);
  return places.slice(0, -1).map((start, index) => {
    const end = places[index + 1]!;
    const mark = marks.find((one) => one.start <= start && end <= one.end);
    const selected = selection !== undefined && selection.start <= start && end <= selection.end;
    return {
      text: text.slice(start, end),
      start,
      selected,
      last: mark?.end === end,
      ...(mark && { mark }),
    };
  });
}
