/**
 * Decides which of several overlapping findings stays: one of the deny list before all others, then the one with the
 * higher score, then the longer one, then the one whose context word is nearer, and at last the type that comes first
 * in the list of types, so that the same text always gives the same result. A finding inside an e-mail or web address
 * is part of the address.
 */
import type { Candidate } from './recognizer.js';
import { ENTITY_TYPES, OPTIONAL_ENTITY_TYPES } from './types.js';

export interface Ranked {
  entityType: Candidate['entityType'] | 'DENY_LIST';
  start: number;
  end: number;
  score: number;
  contextDistance?: number;
}

const order = new Map<string, number>(
  [...ENTITY_TYPES, ...OPTIONAL_ENTITY_TYPES].map((type, i) => [type, i]),
);
const FAR = Number.MAX_SAFE_INTEGER;

function compare(a: Ranked, b: Ranked): number {
  const denied = Number(b.entityType === 'DENY_LIST') - Number(a.entityType === 'DENY_LIST');
  if (denied !== 0) return denied;
  if (a.score !== b.score) return b.score - a.score;
  const length = b.end - b.start - (a.end - a.start);
  if (length !== 0) return length;
  const nearer = (a.contextDistance ?? FAR) - (b.contextDistance ?? FAR);
  return nearer || a.start - b.start || order.get(a.entityType)! - order.get(b.entityType)!;
}

function isAddress(found: Ranked): boolean {
  return found.entityType === 'EMAIL_ADDRESS' || found.entityType === 'URL';
}

/** Drops findings inside an address, except addresses and those of a deny list. `group` is in order of start. */
function withoutContents<T extends Ranked>(group: readonly T[]): T[] {
  const addresses = group.filter(isAddress);
  let next = 0;
  let reach = 0;
  return group.filter((one) => {
    for (; next < addresses.length && addresses[next]!.start <= one.start; next++) {
      reach = Math.max(reach, addresses[next]!.end);
    }
    return isAddress(one) || one.entityType === 'DENY_LIST' || one.end > reach;
  });
}

/** The findings of one overlapping group that stay, in order of start. */
function resolveGroup<T extends Ranked>(group: readonly T[], from: number, to: number): T[] {
  const taken = new Uint8Array(to - from);
  const kept: T[] = [];
  for (const one of withoutContents(group).sort(compare)) {
    const units = taken.subarray(one.start - from, one.end - from);
    if (units.includes(1)) continue;
    units.fill(1);
    kept.push(one);
  }
  return kept.sort((a, b) => a.start - b.start);
}

/** In one step, the findings in this many UTF-16 units of text are sorted. */
const STRETCH = 16_384;
const MOST_AT_ONCE = 4_096;
/** Up to this many findings are sorted in one step, wherever they are. */
const FEW = 512;
/** Findings that are handled in one step. */
const GROUP = 64;

function byPlace(a: Ranked, b: Ranked): number {
  return a.start - b.start || a.end - b.end;
}

/** The findings in order of start. Yields after each stretch of text. */
function* inOrder<T extends Ranked>(unordered: readonly T[]): Generator<void, T[]> {
  const stretches: T[][] = [];
  for (const [index, one] of unordered.entries()) {
    if (index % MOST_AT_ONCE === MOST_AT_ONCE - 1) yield;
    const at = Math.floor(one.start / STRETCH);
    while (stretches.length <= at) stretches.push([]);
    stretches[at]!.push(one);
  }
  const ordered: T[] = [];
  for (const stretch of stretches) {
    stretch.sort(byPlace);
    for (const one of stretch) ordered.push(one);
    yield;
  }
  return ordered;
}

/**
 * Resolves each group of findings that overlap directly or through others. Yields after each group, or after several
 * small ones.
 */
export function* resolveSteps<T extends Ranked>(unordered: readonly T[]): Generator<void, T[]> {
  if (unordered.length === 1) return [...unordered];
  const found = unordered.length <= FEW ? [...unordered].sort(byPlace) : yield* inOrder(unordered);
  const kept: T[] = [];
  let done = 0;
  for (let from = 0; from < found.length; ) {
    let to = from + 1;
    let end = found[from]!.end;
    while (to < found.length && found[to]!.start < end) {
      end = Math.max(end, found[to]!.end);
      to++;
    }
    if (to === from + 1) kept.push(found[from]!);
    else for (const one of resolveGroup(found.slice(from, to), found[from]!.start, end)) kept.push(one);
    from = to;
    if (from - done < GROUP) continue;
    done = from;
    yield;
  }
  return kept;
}
