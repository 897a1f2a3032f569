import type { JsonObject } from '../../core/json.js';
import { Pace } from '../../core/pacing/pace.js';
import type { Found } from './found.js';

/** The findings of several texts as a thread sends them. Copying thousands of objects would block the event loop. */
export interface PackedFound {
  /** The number of findings of each text. */
  counts: Uint32Array;
  starts: Uint32Array;
  ends: Uint32Array;
  scores: Float64Array;
  /** The type and explanation of each finding, as an index into `kinds`. */
  kindOf: Uint32Array;
  kinds: Kind[];
}

interface Kind {
  type: string;
  explanation?: JsonObject;
}

export function pack(found: readonly (readonly Found[])[]): PackedFound {
  const all = found.flat();
  const numbers = new Map<string, number>();
  const kinds: Kind[] = [];
  const numberOf = ({ type, explanation }: Found): number => {
    const key = explanation === undefined ? type : `${type} ${JSON.stringify(explanation)}`;
    let number = numbers.get(key);
    if (number === undefined) {
      number = kinds.push(explanation === undefined ? { type } : { type, explanation }) - 1;
      numbers.set(key, number);
    }
    return number;
  };
  return {
    counts: Uint32Array.from(found, ({ length }) => length),
    starts: Uint32Array.from(all, ({ start }) => start),
    ends: Uint32Array.from(all, ({ end }) => end),
    scores: Float64Array.from(all, ({ score }) => score),
    kindOf: Uint32Array.from(all, numberOf),
    kinds,
  };
}

/** Unpacks the findings in pieces of a few milliseconds. Findings of one kind share their explanation. */
export async function unpack(packed: PackedFound): Promise<Found[][]> {
  const { counts, starts, ends, scores, kindOf, kinds } = packed;
  const pace = new Pace();
  const texts: Found[][] = [];
  let at = 0;
  for (const count of counts) {
    const found: Found[] = [];
    for (const last = at + count; at < last; at++) {
      const { type, explanation } = kinds[kindOf[at]!]!;
      const one: Found = { type, start: starts[at]!, end: ends[at]!, score: scores[at]! };
      if (explanation !== undefined) one.explanation = explanation;
      found.push(one);
      const pause = pace.pauseAmongValues();
      if (pause !== undefined) await pause;
    }
    texts.push(found);
  }
  return texts;
}
