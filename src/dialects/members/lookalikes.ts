import type { JsonObject, JsonValue } from '../../core/json.js';
import { memberNames } from '../../core/pacing/member-names.js';
import type { Steps } from '../../core/pacing/steps.js';
import { refuse } from '../wire/check.js';
import { type Known, Members, metadata, schema } from './members.js';

interface Left {
  value: JsonObject | JsonValue[];
  known: Members;
  /** The last step of a path and the path before it. The whole path is written only for the few that are reported. */
  step: string | number;
  from?: Left;
}

const OBJECTS_AT_ONCE = 500;

/**
 * Refuses members that differ from a known one only in upper and lower case, such as `MODEL`. Some servers accept
 * both spellings, so such a member would tell them something that neither the gateway nor a guard has read. In steps
 * of some hundred objects.
 */
export function* refuseLookalikes(request: JsonObject, known: Members): Steps {
  const left: Left[] = [{ value: request, known, step: '' }];
  let count = 0;
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    if (++count % OBJECTS_AT_ONCE === 0) yield;
    const { value, known: here } = next;
    const names = Array.isArray(value) ? undefined : memberNames(value);
    const { length } = names ?? (value as JsonValue[]);
    for (let start = 0; start < length; start += OBJECTS_AT_ONCE) {
      const end = Math.min(length, start + OBJECTS_AT_ONCE);
      for (let at = start; at < end; at++) {
        if (names !== undefined) refuseIn(value as JsonObject, names[at]!, next, left);
        else follow((value as JsonValue[])[at]!, here, at, next, left);
      }
      if (end < length) yield;
    }
  }
  if (count > OBJECTS_AT_ONCE) yield;
}

function refuseIn(value: JsonObject, key: string, at: Left, left: Left[]): void {
  const { known } = at;
  const alike = known.lookalike(key);
  if (alike !== undefined) {
    const prefix = pathOf(at);
    const meant = `${prefix}${alike}`;
    refuse(meant, `'${prefix}${key.slice(0, 64)}' is not a member of this API. Did you mean '${meant}'?`);
  }
  const member = value[key]!;
  if (typeof member === 'object') follow(member, known.known.get(key) ?? known.others, key, at, left);
}

/** In schemas, in metadata, and where nothing is known about the members, their names are chosen by the client. */
function follow(
  value: JsonValue,
  known: Known | undefined,
  step: string | number,
  from: Left,
  left: Left[],
): void {
  if (typeof value !== 'object' || value === null) return;
  if (known instanceof Members && known !== schema && known !== metadata)
    left.push({ value, known, step, from });
}

/** The path of a place, ready for a member to be added after a dot. */
function pathOf(place: Left): string {
  const steps: (string | number)[] = [];
  for (let at = place; at.from !== undefined; at = at.from) steps.push(at.step);
  const path = steps
    .reverse()
    .reduce<string>((path, step) => (typeof step === 'number' ? `${path}[${step}]` : `${path}.${step}`), '');
  return path === '' ? '' : `${path.slice(1)}.`;
}
