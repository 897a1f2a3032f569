/*
 * Text on its way through guards. A piece knows how much of the channel's original text it stands for, so that
 * what comes out behind several guards can be put back into the frames that it came in.
 */
export interface Piece {
  /** UTF-16 units of the original text that it stands for. */
  source: number;
  text: string;
  /** A piece that is not changed has `source` units of text and may be cut anywhere. */
  changed: boolean;
}

export interface Replacement {
  start: number;
  end: number;
  replacement: string;
}

export function textOf(pieces: readonly Piece[]): string {
  return pieces.length === 1 ? pieces[0]!.text : pieces.map((piece) => piece.text).join('');
}

/** Neighbours that were not changed become one, so that a long wait does not make many. */
export function appendPieces(pieces: Piece[], more: readonly Piece[]): void {
  for (const piece of more) {
    const last = pieces.at(-1);
    if (last === undefined || last.changed || piece.changed) {
      pieces.push(piece);
    } else {
      const text = last.text + piece.text;
      pieces[pieces.length - 1] = { source: text.length, text, changed: false };
    }
  }
}

/**
 * Cuts pieces at an offset of their text. A changed piece is not cut: it goes to the right side whole, and so
 * the left side can be shorter than asked for.
 */
export function cutPieces(pieces: readonly Piece[], at: number): { left: Piece[]; right: Piece[] } {
  let offset = 0;
  for (const [index, piece] of pieces.entries()) {
    const end = offset + piece.text.length;
    if (end > at) {
      const taken = piece.changed ? 0 : at - offset;
      const left = pieces.slice(0, index);
      if (taken > 0) left.push({ source: taken, text: piece.text.slice(0, taken), changed: false });
      const rest = { ...piece, text: piece.text.slice(taken), source: piece.source - taken };
      return { left, right: [rest, ...pieces.slice(index + 1)] };
    }
    offset = end;
  }
  return { left: [...pieces], right: [] };
}

/** Replaces spans of the pieces' text; they are in order and without overlap. */
export function replaceInPieces(pieces: readonly Piece[], replacements: readonly Replacement[]): Piece[] {
  const result: Piece[] = [];
  let rest: readonly Piece[] = pieces;
  let offset = 0;
  for (const { start, end, replacement } of replacements) {
    const before = cutPieces(rest, start - offset);
    result.push(...before.left);
    offset += lengthOf(before.left);
    const taken = takeAtLeast(before.right, end - offset);
    const covered = textOf(taken.left);
    const text = covered.slice(0, start - offset) + replacement + covered.slice(end - offset);
    result.push({ source: sourceOf(taken.left), text, changed: true });
    offset += covered.length;
    rest = taken.right;
  }
  return [...result, ...rest];
}

/** Like a cut, but a changed piece goes to the left side whole. */
function takeAtLeast(pieces: readonly Piece[], length: number): { left: Piece[]; right: Piece[] } {
  const { left, right } = cutPieces(pieces, length);
  const next = right[0];
  if (next === undefined || lengthOf(left) >= length) return { left, right };
  return { left: [...left, next], right: right.slice(1) };
}

export function lengthOf(pieces: readonly Piece[]): number {
  let length = 0;
  for (const piece of pieces) length += piece.text.length;
  return length;
}

export function sourceOf(pieces: readonly Piece[]): number {
  let source = 0;
  for (const piece of pieces) source += piece.source;
  return source;
}
