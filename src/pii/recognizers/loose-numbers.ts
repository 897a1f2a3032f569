/**
 * Numbers in forms that the other recognizers do not accept: over several lines, with blanks between all digits, with
 * unusual separators, spoken, or with letters in place of digits. Many texts have such rows of digits, so one counts
 * only after a word of its type and where its check holds.
 */
import { blockSigns, hasForeignLetters, NUMBER_WORDS } from '../block-signs.js';
import type { CodeRecognizer } from '../codes.js';
import type { ContextWords } from '../context-words.js';
import { matchAt } from '../patterns/matches-of.js';
import { type Block, type Candidate, candidate, type Recognizer } from '../recognizer.js';
import { FIRST_DIGIT, type LooseNumber, looseNumberAt, RARE_SPOKEN, THREE_SPOKEN } from '../spoken-digits.js';
import type { EntityType } from '../types.js';
import { PHONE_WORDS } from './phone-words.js';

/** A number must begin at most this many units after the beginning of its word. */
const BEFORE_UNITS = 48;
const FEWEST_DIGITS = 9;
/** Forms that the regular recognizers already read. */
const REGULAR = /\d{2,}(?:[ .-]\d+)*(?![\p{L}\p{N}]|[^\p{L}\p{N}]{1,3}[\p{N}OolI])/uy;
const SPOKEN = blockSigns.add(RARE_SPOKEN);
/** A figure, or a letter for one before others: `l23`. */
const FIGURE = /\d|(?<![\p{L}\p{N}])[OolI](?=[\dOolI]{0,18}\d)/u;
const MOST_UNITS = 220;
const SCORE = 0.75;
/**
 * How many pieces of a row are tried as the beginning of the number. The pieces before it can be the end of something
 * else.
 */
const MOST_STARTS = 4;
/**
 * Telephone numbers have no check digit, so only forms of which somebody hid the digits count: words or letters for
 * digits, several lines, single digits, or a `|` between digits. A `|` between blanks separates the cells of a table.
 */
const HIDDEN = /[\p{L}\n_]|(?<! )\||\|(?! )|^\d(?:[^\p{L}\p{N}]{1,3}\d)+$/u;
const CLOCK = /\d[:/]\d/;
const WITH_SLASHES = /^\d{3}\/\d{3}\/\d{4}$/;

interface Loose {
  name: string;
  entityType: EntityType;
  words: ContextWords;
  fewest: number;
  most: number;
  /**
   * Whether its check identifies the number within a longer row of digits. Otherwise the row must be the number
   * alone.
   */
  hasCheck: boolean;
  /**
   * How many digits the number has up to the end of each of its groups, where the grouping also identifies it within
   * a longer row.
   */
  groups?: readonly number[];
  holds(digits: string, text: string): boolean;
}

/** Recognizes loose forms of the same type as a code. */
export function looseCode(
  code: CodeRecognizer,
  digits: number | readonly [fewest: number, most: number],
): Recognizer {
  const [fewest, most] = typeof digits === 'number' ? [digits, digits] : digits;
  return looseOf({
    name: `${code.name}-loose`,
    entityType: code.entityType,
    words: code.context!,
    fewest,
    most,
    hasCheck: true,
    holds: (digits) => code.holds(digits) === true,
  });
}

/**
 * Recognizes loose social security and taxpayer numbers. They have no check digit, so the row must be nine digits of
 * this form or have the usual groups.
 */
export function looseNine(code: CodeRecognizer, form: RegExp): Recognizer {
  return looseOf({
    name: `${code.name}-loose`,
    entityType: code.entityType,
    words: code.context!,
    fewest: 9,
    most: 9,
    hasCheck: false,
    groups: [3, 5, 9],
    holds: (digits) => code.holds(digits) !== false && form.test(digits),
  });
}

export const loosePhone = looseOf({
  name: 'phone-number-loose',
  entityType: 'PHONE_NUMBER',
  words: PHONE_WORDS,
  fewest: 9,
  most: 13,
  hasCheck: false,
  holds: (_, text) => WITH_SLASHES.test(text) || (HIDDEN.test(text) && !CLOCK.test(text)),
});

function looseOf(loose: Loose): Recognizer {
  const { name, entityType } = loose;
  return { name, entityType, find: (block, report) => find(loose, block, report) };
}

/** A row of digits after a word, and the text before it. */
interface Spot {
  number: LooseNumber;
  before: string;
}

const NONE: readonly Spot[] = [];
let lastBlock: Block | undefined;
let lastSpots: readonly Spot[] = [];

/** The rows of a block, found once for all types. */
function spotsOf(block: Block): readonly Spot[] {
  if (!block.mayNameNumber) return NONE;
  if (block === lastBlock) return lastSpots;
  lastBlock = block;
  lastSpots = [];
  const starts = new Set((block.words & NUMBER_WORDS) === 0 ? [] : startsBehindWords(block));
  if (hasForeignLetters(block.piece)) for (const { start } of block.runs) starts.add(start);
  lastSpots = [...starts].flatMap((start) => spotAt(block.text, start) ?? []);
  return lastSpots;
}

function startsBehindWords({ text, from, to, piece, words }: Block): number[] {
  const first = (words & SPOKEN) !== 0 && THREE_SPOKEN.test(piece) ? FIRST_DIGIT : FIGURE;
  return blockSigns.placesOf(NUMBER_WORDS).flatMap((place) => {
    if (place < from || place >= to) return [];
    const at = text.slice(place, place + BEFORE_UNITS).search(first);
    return at < 0 ? [] : place + at;
  });
}

function spotAt(text: string, start: number): Spot | undefined {
  if (matchAt(REGULAR, text, start) !== undefined) return undefined;
  const number = looseNumberAt(text.slice(0, start + MOST_UNITS), start);
  if (number.digits.length < FEWEST_DIGITS) return undefined;
  return { number, before: text.slice(Math.max(0, start - BEFORE_UNITS), start).toLowerCase() };
}

function find(loose: Loose, block: Block, report: (found: Candidate) => void): void {
  for (const { number, before } of spotsOf(block)) {
    if (!loose.words.isIn(before)) continue;
    const found = foundIn(loose, number, block.text);
    if (found !== undefined) report(found);
  }
}

function foundIn(loose: Loose, number: LooseNumber, text: string): Candidate | undefined {
  const { borders, digits } = number;
  const starts = loose.hasCheck ? borders.slice(0, MOST_STARTS) : [0];
  const isGrouped = loose.groups?.every((end, index) => borders[index + 1] === end) === true;
  const ends = loose.hasCheck ? [...borders].reverse() : [isGrouped ? loose.most : digits.length];
  for (const from of starts) {
    for (const to of ends) {
      if (to - from < loose.fewest || to - from > loose.most) continue;
      const found = check(loose, number, text, from, to);
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

function check(
  loose: Loose,
  number: LooseNumber,
  text: string,
  from: number,
  to: number,
): Candidate | undefined {
  const start = number.starts[from]!;
  const end = number.ends[to - 1]!;
  if (!loose.holds(number.digits.slice(from, to), text.slice(start, end))) return undefined;
  const { name: recognizer, entityType } = loose;
  return candidate({ entityType, start, end, score: SCORE, recognizer, pattern: 'loose, behind its word' });
}
