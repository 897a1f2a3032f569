import { isJsonObject, type JsonObject, type JsonValue } from '../../core/json.js';
import type { Part } from '../../core/message.js';
import { memberNames } from '../../core/pacing/member-names.js';
import type { Steps } from '../../core/pacing/steps.js';
import { type FoundText, findTextsInSteps } from '../members/find-texts.js';
import type { Known } from '../members/members.js';
import { isSameJson } from './same-json.js';

/*
 * An agent sends the same tools with each request, and they are half of what it sends. Tools that come again are
 * compared with those that came before, which takes a fraction of the time of reading them. Then they are the same
 * part, so that a guard can tell that it has seen it.
 */

/** What a value costs, about its bytes, beside its UTF-16 units and those of the names of its members. */
const VALUE_COST = 32;
/** The most that one list may cost. */
const ROOM_OF_LIST = 262_144;
/** The most that all lists may cost, and how many there are at most. */
const ROOM = 4_194_304;
const MOST_LISTS = 64;
/** How many lists are remembered by their size alone, because they came once. */
const MOST_SEEN = 1_000;
const TEXTS_AT_ONCE = 1_000;
const PATH = ['tools'];

/** The texts of a list of tools as one part. `places` has one entry for each text. */
export interface ToolTexts {
  readonly part: Part & { parts: Part[] };
  readonly places: readonly FoundText[];
}

interface Kept {
  readonly list: JsonObject[];
  readonly known: Known;
  readonly texts: ToolTexts;
  readonly cost: number;
}

/** Those that came last are in front. */
const kept: Kept[] = [];
/** The sizes of lists that came. */
const seen = new Set<string>();

/** Whether a member of a request is a list of tools that `toolTexts` can read. */
export function isToolList(value: JsonValue | undefined): value is JsonObject[] {
  return Array.isArray(value) && value.every(isJsonObject);
}

/** The texts of tools. Where the same list came before, they are the same frozen objects as then. */
export function* toolTexts(list: JsonObject[], known: Known): Steps<ToolTexts> {
  const again = recall(list, known);
  if (again !== undefined) return again;
  const found = yield* findTextsInSteps(list, PATH, known);
  const cost = cameBefore(list, found) ? costOf(list, ROOM_OF_LIST) : Number.POSITIVE_INFINITY;
  return cost > ROOM_OF_LIST ? yield* textsOf(found) : yield* keep(list, known, cost);
}

function recall(list: JsonObject[], known: Known): ToolTexts | undefined {
  for (let index = 0; index < kept.length; index++) {
    const one = kept[index]!;
    if (one.known !== known || !isSameJson(one.list, list)) continue;
    if (index > 0) kept.unshift(...kept.splice(index, 1));
    return one.texts;
  }
  return undefined;
}

/** Whether a list of this size came before. One that only has the size of another is kept when it first comes. */
function cameBefore(list: JsonObject[], found: readonly FoundText[]): boolean {
  const units = found.reduce((sum, { text }) => sum + text.length, 0);
  const size = `${list.length} ${found.length} ${units}`;
  if (seen.has(size)) return true;
  if (seen.size === MOST_SEEN) seen.clear();
  seen.add(size);
  return false;
}

/** Keeps a copy of a list, because its strings may be parts of the whole body. */
function* keep(list: JsonObject[], known: Known, cost: number): Steps<ToolTexts> {
  const copy = JSON.parse(JSON.stringify(list)) as JsonObject[];
  const texts = yield* textsOf(yield* findTextsInSteps(copy, PATH, known));
  for (const part of texts.part.parts) Object.freeze(part);
  Object.freeze(texts.part.parts);
  Object.freeze(texts.part);
  kept.unshift({ list: copy, known, texts, cost });
  while (kept.length > MOST_LISTS || costOfKept() > ROOM) kept.pop();
  return texts;
}

function costOfKept(): number {
  return kept.reduce((sum, { cost }) => sum + cost, 0);
}

function* textsOf(places: readonly FoundText[]): Steps<ToolTexts> {
  const parts: Part[] = [];
  for (const [index, { text }] of places.entries()) {
    parts.push({ type: 'text', text });
    if (index % TEXTS_AT_ONCE === TEXTS_AT_ONCE - 1) yield;
  }
  return { part: { type: 'tool-result', callId: '', parts }, places };
}

/** What a value costs, or more than `most` where it costs more. */
function costOf(value: JsonValue, most: number): number {
  if (typeof value === 'string') return VALUE_COST + value.length;
  let cost = VALUE_COST;
  if (typeof value !== 'object' || value === null) return cost;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length && cost <= most; index++)
      cost += costOf(value[index]!, most - cost);
    return cost;
  }
  for (const name of memberNames(value as JsonObject)) {
    cost += name.length + costOf((value as JsonObject)[name]!, most - cost);
    if (cost > most) return cost;
  }
  return cost;
}
