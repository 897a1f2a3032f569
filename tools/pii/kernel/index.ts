/**
 * Reads the names of a stretch of text: words, what is known of them, labels, names. It is compiled to WebAssembly
 * (AssemblyScript), which has vectors of labels and weights and no checks of bounds: two to three times as fast as
 * JavaScript for what is the largest part of the detector. `src/pii/model/kernel.ts` calls it.
 */
import { labelTokens } from './decoder';
import { B_LOCATION, B_PERSON, NRP } from './labels';
import { marginalOf } from './lattice';
import { describe } from './sentence';
import { count, hasWords, MAX_TOKENS, tokenAt } from './tokens';

export { BASE_UNITS, CLASSES, LOWER_UNITS } from './characters';
export { ALL_FEATURES, FEATURE_COUNT, writeAll } from './features';
export { setSeed } from './hash';
export { setTransitions } from './lattice';
export { setClusters, setLists } from './lexicon';
export { describe, setEdges } from './sentence';
export { appendRange, MOST_UNITS, takeNothing, takeStretch, TOKENS, UNITS } from './tokens';
export { setWeights } from './weights';

/** A name: its first unit and the one behind its last, its label, and how sure the model is of it. */
@unmanaged
class Name {
  start: i32;
  end: i32;
  label: i32;
  unused: i32;
  score: f64;
}

const NAME_BYTES = 24;
/** The names read last. */
export const NAMES: usize = memory.data(MAX_TOKENS * NAME_BYTES, 16);

export function tokenCount(): i32 {
  return count;
}

/** Writes the names of the stretch; gives how many there are. It takes the hashes that `describe` takes. */
export function readNames(language: i32, first: i32, second: i32, third: i32): i32 {
  if (!hasWords()) return 0;
  describe(language, first, second, third);
  return labelTokens() ? collect() : 0;
}

function collect(): i32 {
  let names = 0;
  for (let i = 0; i < count; ) {
    const label = tokenAt(i).label;
    if (label !== B_PERSON && label !== B_LOCATION && label !== NRP) {
      i++;
      continue;
    }
    const inside = label === NRP ? NRP : label + 1;
    let end = i + 1;
    while (end < count && tokenAt(end).label === inside) end++;
    const name = changetype<Name>(NAMES + names++ * NAME_BYTES);
    name.start = tokenAt(i).start;
    name.end = tokenAt(end - 1).end;
    name.label = label;
    name.score = certainty(i, end, label, inside);
    i = end;
  }
  return names;
}

/** Mean probability, over the tokens of a name, that the token belongs to a name of this type; two figures. */
function certainty(from: i32, to: i32, begin: i32, inside: i32): f64 {
  let sum: f64 = 0;
  for (let i = from; i < to; i++) {
    sum += marginalOf(i, begin);
    if (inside !== begin) sum += marginalOf(i, inside);
  }
  return Math.min(1, Math.floor((sum / <f64>(to - from)) * 100 + 0.5) / 100);
}
