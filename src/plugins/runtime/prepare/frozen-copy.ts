import type { JsonObject } from '../../../core/json.js';
import { heavyWork } from '../../../core/pacing/heavy-work.js';
import type { MaybePromise } from '../../../core/pacing/maybe-promise.js';
import { memberNames } from '../../../core/pacing/member-names.js';
import { Pace } from '../../../core/pacing/pace.js';
import type { Steps } from '../../../core/pacing/steps.js';
import { atOnce } from '../../../core/pacing/steps.js';
import type { PreparedPlugin } from './prepared-plugin.js';

/** Members on deeper levels are shown as null, so that a body of nested brackets cannot make a guard fail. */
const GREATEST_DEPTH = 100;

/** A deep frozen copy, so that a plugin cannot change the exchange. */
export function frozenCopy<Value>(value: Value): Value {
  return atOnce(copy(value, 0)) as Value;
}

/** How content is shown to these plugins: as a copy where one of them could modify it, else as it is. */
export function showTo(plugins: readonly PreparedPlugin[]): <Value>(value: Value) => MaybePromise<Value> {
  return plugins.every(({ plugin }) => plugin.readsOnly === true) ? (value) => value : frozenCopyInPieces;
}

/** As `frozenCopy`, in pieces where the value is large, so that other requests continue meanwhile. */
async function frozenCopyInPieces<Value>(value: Value): Promise<Value> {
  const walk = copy(value, 0);
  const pace = new Pace(() => heavyWork.next());
  for (;;) {
    const step = walk.next();
    if (step.done === true) return step.value as Value;
    const pause = pace.pauseAmongValues();
    if (pause !== undefined) await pause;
  }
}

/** Copies in steps of one value each. */
function* copy(value: unknown, depth: number): Steps<unknown> {
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Date) return new Date(value);
  if (depth === GREATEST_DEPTH) return null;
  yield;
  return Array.isArray(value)
    ? yield* copyItems(value, depth)
    : yield* copyMembers(value as JsonObject, depth);
}

function* copyItems(items: readonly unknown[], depth: number): Steps<unknown> {
  const result: unknown[] = [];
  for (const item of items) {
    yield;
    result.push(isLeaf(item) ? item : yield* copy(item, depth + 1));
  }
  return Object.freeze(result);
}

function* copyMembers(members: JsonObject, depth: number): Steps<unknown> {
  const result: Record<string, unknown> = {};
  for (const key of memberNames(members)) {
    yield;
    const item = members[key];
    const member = isLeaf(item) ? item : yield* copy(item, depth + 1);
    // A plain assignment of this key would set the prototype and lose the member.
    if (key === '__proto__') Object.defineProperty(result, key, { value: member, enumerable: true });
    else result[key] = member;
  }
  return Object.freeze(result);
}

function isLeaf(value: unknown): boolean {
  return typeof value !== 'object' || value === null;
}
