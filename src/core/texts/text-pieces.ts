import { append } from '../lists/append.js';

/*
 * Text on its way through guards. A piece knows how much of the original text it stands for, so that the result of
 * several guards can be put back into the frames that the text came in.
 */
export interface Piece {
  /** The number of UTF-16 units of the original text that the piece stands for. */
  source: number;
  text: string;
  /** Whether the text was changed. An unchanged piece has `source` units of text and may be split anywhere. */
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

/** Unchanged neighbours are merged, so that a long wait does not make many pieces. */
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
 * Splits pieces at an offset of their text. A changed piece is not split but goes to the right side, so the left side
 * can be shorter than requested.
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

/** Replaces spans in the text of the pieces. The spans are in order and do not overlap. Walks both lists once. */
export function replaceInPieces(pieces: readonly Piece[], replacements: readonly Replacement[]): Piece[] {
  const result: Piece[] = [];
  const reader = new PieceReader(pieces);
  for (const { start, end, replacement } of replacements) {
    append(result, reader.take(start));
    const { offset } = reader;
    const covered = reader.take(end, true);
    const text = textOf(covered);
    const changed = text.slice(0, start - offset) + replacement + text.slice(end - offset);
    result.push({ source: sourceOf(covered), text: changed, changed: true });
  }
  append(result, reader.take(Number.POSITIVE_INFINITY));
  return result;
}

class PieceReader {
  /** The offset of the text that is left. */
  offset = 0;
  #index = 0;
  /** The rest of the piece at the index, where a part of it was already taken. */
  #rest: Piece | undefined;

  constructor(private readonly pieces: readonly Piece[]) {}

  /**
   * The pieces up to an offset of the text. A changed piece that extends beyond it stays, or is taken too with
   * `whole`.
   */
  take(until: number, whole = false): Piece[] {
    const taken: Piece[] = [];
    for (; this.#index < this.pieces.length; this.#index++) {
      const piece = this.#rest ?? this.pieces[this.#index]!;
      const end = this.offset + piece.text.length;
      const isTaken = end <= until || (piece.changed && whole && this.offset < until);
      if (!isTaken) {
        if (!piece.changed && this.offset < until) taken.push(this.#cut(piece, until));
        break;
      }
      taken.push(piece);
      this.#rest = undefined;
      this.offset = end;
    }
    return taken;
  }

  #cut({ text }: Piece, until: number): Piece {
    const length = until - this.offset;
    this.offset = until;
    this.#rest = { source: text.length - length, text: text.slice(length), changed: false };
    return { source: length, text: text.slice(0, length), changed: false };
  }
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
