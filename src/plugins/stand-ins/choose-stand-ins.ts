import { createHash } from 'node:crypto';
import type { Steps } from '../../core/pacing/steps.js';
import { type KnownStandIns, spellings } from './stand-ins.js';
import { surrogate } from './surrogates.js';
import { TermMatcher } from './term-matcher.js';

/** How reversible findings are replaced. */
export type StandInStyle = 'reversible' | 'surrogate';

/** A value that needs a stand-in. */
export interface Hidden {
  type: string;
  value: string;
}

export interface StandInRequest {
  style: StandInStyle;
  /** The values in the order in which they are numbered. */
  hidden: readonly Hidden[];
  /** All texts of the conversation. What stands in them was written by somebody and cannot be used as a stand-in. */
  texts: readonly string[];
  known: KnownStandIns;
  /** Distinguishes numberings that one model may see together; empty for that of a complete conversation. */
  series: string;
}

const STRETCH = 65_536;
/** The number of values that are handled in one step. */
const AT_ONCE = 1_000;
/** More units than the longest stand-in has. */
const OVERLAP = 256;

/** Where a chosen stand-in occurs in the texts, this many further ones of its type are searched for at first. */
const FIRST_AHEAD = 64;

/**
 * Chooses a stand-in for each value, in steps. The same conversation gets the same ones. Further turns do not change
 * earlier ones, unless their text contains one of them.
 */
export function* chooseStandIns(request: StandInRequest): Steps<Map<string, string>> {
  const make = makerOf(request);
  const said = new Set<string>();
  for (let ahead = FIRST_AHEAD; ; ahead *= 2) {
    const { chosen, counts } = yield* number(request, make, said);
    const fresh = [...chosen.values()].filter((standIn) => !request.known.has(standIn));
    yield;
    const again = yield* saidIn(request.texts, fresh);
    if (again.size === 0) return chosen;
    // A client can write very many stand-ins itself, so the texts are not searched once for each of them.
    const next = [...counts].flatMap(([type, count]) =>
      Array.from({ length: ahead }, (_, more) => make(type, count + more)),
    );
    for (const standIn of [...again, ...(yield* saidIn(request.texts, next))]) said.add(standIn);
  }
}

/** The stand-in of each value, and how many of each type were used or skipped. */
function* number(
  { hidden, known }: StandInRequest,
  make: Maker,
  said: ReadonlySet<string>,
): Steps<{ chosen: Map<string, string>; counts: Map<string, number> }> {
  const chosen = new Map<string, string>();
  const counts = new Map<string, number>();
  let steps = 0;
  for (const { type, value } of hidden) {
    if (++steps % AT_ONCE === 0) yield;
    if (chosen.has(value)) continue;
    let standIn = known.standInOf(value);
    for (let count = counts.get(type) ?? 0; standIn === undefined; count++) {
      if (++steps % AT_ONCE === 0) yield;
      counts.set(type, count + 1);
      const made = make(type, count);
      if (!said.has(made) && !known.has(made)) standIn = made;
    }
    chosen.set(value, standIn);
  }
  return { chosen, counts };
}

/** The `count`th stand-in of a type, from 0. */
type Maker = (type: string, count: number) => string;

function makerOf({ style, series }: StandInRequest): Maker {
  const offset =
    series === '' ? 0 : Number.parseInt(createHash('sha256').update(series).digest('hex').slice(0, 6), 16);
  return (type, count) => {
    const made = style === 'surrogate' ? surrogate(type, count + (offset % 1_000)) : undefined;
    return made ?? `<${type}_${series}${count + 1}>`;
  };
}

/** The beginning of a placeholder, such as `<EMAIL_ADDRESS_`. */
const PLACEHOLDER = /^<([A-Z_]+_)\w*>$/;

/** Leaves out placeholders of types that no text mentions, because there can be thousands. */
function* mayBeSaid(texts: readonly string[], standIns: readonly string[]): Steps<string[]> {
  const types = new Map<string, boolean>();
  const found: string[] = [];
  for (const [index, standIn] of standIns.entries()) {
    const type = PLACEHOLDER.exec(standIn)?.[1];
    if (type === undefined || isSpokenOf(type, texts, types)) found.push(standIn);
    if (index % AT_ONCE === AT_ONCE - 1) yield;
  }
  return found;
}

function isSpokenOf(type: string, texts: readonly string[], known: Map<string, boolean>): boolean {
  let isSaid = known.get(type);
  if (isSaid === undefined) {
    isSaid = texts.some((text) => text.includes(type));
    known.set(type, isSaid);
  }
  return isSaid;
}

/** The stand-ins that occur in a text. */
function* saidIn(texts: readonly string[], standIns: readonly string[]): Steps<Set<string>> {
  const terms = spellings(yield* mayBeSaid(texts, standIns), 'json');
  const matcher = yield* TermMatcher.inSteps(terms);
  const said = new Set<string>();
  for (const text of texts) {
    for (let from = 0; from < text.length; from += STRETCH) {
      const stretch = text.slice(from, from + STRETCH + OVERLAP);
      const { matches } = matcher.find(stretch, { final: true, before: '', json: false });
      for (const { name } of matches) said.add(name);
      yield;
    }
  }
  return said;
}
