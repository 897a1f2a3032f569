import type { Choice } from '../../core/answer.js';
import { append } from '../../core/lists/append.js';
import type { Message, Part } from '../../core/message.js';
import type { Steps } from '../../core/pacing/steps.js';
import type { PlacedText } from '../helpers/texts.js';
import type { PlacedFound } from './found.js';

/*
 * Models read the parts of a message as one text, so a finding can begin in one part and end in the next. Each part
 * is scanned alone, and the text around each seam between two parts is scanned as one joined text.
 */

/** How many UTF-16 units on each side of a seam are joined: twice the longest finding that is looked for. */
const REACH = 128;

const HOLDERS_AT_ONCE = 250;
const PARTS_AT_ONCE = 500;
const FINDINGS_AT_ONCE = 500;

/** A joined text, and the parts that it was made from. */
export interface Seam extends PlacedText {
  pieces: readonly Piece[];
}

/**
 * A part, or the end or beginning of one. `from` is its offset in the part; `start` and `end` are offsets in the
 * joined text.
 */
interface Piece {
  place: string;
  from: number;
  start: number;
  end: number;
}

/** The joined texts of all messages or choices, in steps. Places are those of `messageTexts` and `choiceTexts`. */
export function* seamsOf(holders: readonly (Message | Choice)[]): Steps<Seam[]> {
  const seams: Seam[] = [];
  for (const [index, { parts }] of holders.entries()) {
    if (index % HOLDERS_AT_ONCE === HOLDERS_AT_ONCE - 1) yield;
    if (hasSeams(parts)) append(seams, yield* seamsIn(parts, `/${index}/parts`));
  }
  return seams;
}

/** Whether a list has two texts, which are read as one. Most messages have only one. */
function hasSeams(parts: readonly Part[]): boolean {
  let texts = 0;
  for (const part of parts) {
    if (part.type === 'text' && part.text !== '') texts++;
    if (texts > 1 || (part.type === 'tool-result' && part.callId !== '' && hasSeams(part.parts))) return true;
  }
  return false;
}

function* seamsIn(parts: readonly Part[], place: string): Steps<Seam[]> {
  const texts: PlacedText[] = [];
  const inside: Seam[] = [];
  for (const [index, part] of parts.entries()) {
    if (index % PARTS_AT_ONCE === PARTS_AT_ONCE - 1) yield;
    const at = `${place}/${index}`;
    if (part.type === 'text' && part.text !== '') texts.push({ place: `${at}/text`, text: part.text });
    // A tool result without a call id contains unrelated texts, which are not read as one text.
    else if (part.type === 'tool-result' && part.callId !== '') {
      append(inside, yield* seamsIn(part.parts, `${at}/parts`));
    }
  }
  return texts.length < 2 ? inside : [...(yield* joined(texts)), ...inside];
}

/** The joined texts of one list. A part that is shorter than twice the reach connects two seams to one. */
function* joined(texts: readonly PlacedText[]): Steps<Seam[]> {
  const seams: Seam[] = [];
  let pieces: Piece[] = [];
  let text = '';
  const add = (place: string, from: number, piece: string) => {
    pieces.push({ place, from, start: text.length, end: text.length + piece.length });
    text += piece;
  };
  const close = () => {
    seams.push({ place: `seam ${pieces[0]!.place}`, text, pieces });
    pieces = [];
    text = '';
  };
  for (const [index, { place, text: whole }] of texts.entries()) {
    if (index % PARTS_AT_ONCE === PARTS_AT_ONCE - 1) yield;
    const isFirst = index === 0;
    const isLast = index === texts.length - 1;
    if (!isFirst && !isLast && whole.length <= 2 * REACH) {
      add(place, 0, whole);
      continue;
    }
    if (!isFirst) {
      add(place, 0, whole.slice(0, REACH));
      close();
    }
    if (!isLast) {
      const from = Math.max(0, whole.length - REACH);
      add(place, from, whole.slice(from));
    }
  }
  return seams;
}

/**
 * All findings. One across a seam is split into a finding for each part. One inside a single part of a seam is
 * dropped, because the scan of that part has it.
 */
export function* foundOverSeams(found: readonly PlacedFound[], seams: readonly Seam[]): Steps<PlacedFound[]> {
  const byPlace = new Map(seams.map((seam) => [seam.place, seam]));
  const all: PlacedFound[] = [];
  for (const [index, finding] of found.entries()) {
    if (index % FINDINGS_AT_ONCE === FINDINGS_AT_ONCE - 1) yield;
    const seam = byPlace.get(finding.place);
    if (seam === undefined) all.push(finding);
    else append(all, foundInParts(finding, seam));
  }
  return all;
}

function foundInParts(finding: PlacedFound, { pieces }: Seam): PlacedFound[] {
  const over = piecesOver(pieces, finding);
  if (over.length < 2) return [];
  return over.map(({ place, from, start, end }) => ({
    ...finding,
    place,
    start: from + Math.max(finding.start, start) - start,
    end: from + Math.min(finding.end, end) - start,
  }));
}

/** The pieces that a finding covers, by binary search, because one seam can have tens of thousands of pieces. */
function piecesOver(pieces: readonly Piece[], { start, end }: { start: number; end: number }): Piece[] {
  let first = 0;
  for (let behind = pieces.length; first < behind; ) {
    const middle = (first + behind) >> 1;
    if (pieces[middle]!.end > start) behind = middle;
    else first = middle + 1;
  }
  const over: Piece[] = [];
  for (let at = first; at < pieces.length && pieces[at]!.start < end; at++) over.push(pieces[at]!);
  return over;
}
