import type { JsonObject, JsonValue } from '../../core/json.js';
import { append } from '../../core/lists/append.js';
import type { Steps } from '../../core/pacing/steps.js';
import { findTextsInSteps, hasNoOtherTexts, type Skipped } from '../members/find-texts.js';
import type { Known, Members } from '../members/members.js';
import { lastStep, type Path, ValueFinder } from '../wire/splice.js';
import { addTexts, emptyParts, type PlacedMessage, type PlacedParts, toMessage } from './fields.js';
import { isToolList, toolTexts } from './repeated-tools.js';

/**
 * Texts beside the parts that are read, such as titles, citations and unknown members. A provider of the same API
 * gets them too, so they are guarded. `repeats` are texts that were read already: a change to one of them applies in
 * every place.
 */
export function* addContextTexts(
  placed: PlacedParts,
  value: JsonObject,
  path: Path,
  known: Known,
  repeats: readonly string[] = [],
): Steps {
  const read = yield* readPlaces(placed, value, path);
  const texts = yield* findTextsInSteps(value, path, known, read);
  yield* addTexts(placed, repeats.length === 0 ? texts : texts.filter(({ text }) => !repeats.includes(text)));
}

const CONTENT = ['content'];
const PLACES_AT_ONCE = 500;

/** A message of a request, with the texts in it beside its parts. */
export function* withContextTexts(
  placed: PlacedMessage,
  value: JsonObject,
  path: Path,
  known: Members,
): Steps<PlacedMessage> {
  // Most messages are a role and one string.
  if (typeof value.content === 'string' && hasNoOtherTexts(CONTENT, value, known)) return placed;
  yield* addContextTexts(placed, value, path, known);
  return placed;
}

/**
 * The messages, preceded by the request's other texts, such as descriptions of tools, which models read with the
 * system prompt. `read` are the members that contain the messages.
 */
export function* withRequest(
  placed: readonly PlacedMessage[],
  request: JsonObject,
  known: Members,
  read: readonly string[],
): Steps<PlacedMessage[]> {
  if (hasNoOtherTexts(read, request, known)) return [...placed];
  const others = toMessage('system', emptyParts());
  const tools = isToolList(request.tools) ? request.tools : undefined;
  const knownTools = tools && known.known.get('tools');
  const skipped = knownTools === undefined ? read : [...read, 'tools'];
  yield* addTexts(
    others,
    yield* findTextsInSteps(request, [], known, new Map([[request, new Set(skipped)]])),
  );
  if (tools !== undefined && knownTools !== undefined) yield* addTools(others, tools, knownTools);
  return others.parts.length === 0 ? [...placed] : [others, ...placed];
}

function* addTools(placed: PlacedParts, tools: JsonObject[], known: Known): Steps {
  const { part, places } = yield* toolTexts(tools, known);
  if (places.length === 0) return;
  placed.parts.push(part);
  append(placed.places, places);
}

/** The places that were read, by the object or array that contains them. `value` is at `path`. */
function* readPlaces({ places }: PlacedParts, value: JsonValue, path: Path): Steps<Skipped> {
  const read = new Map<object, Set<string | number>>();
  const values = new ValueFinder(value, path);
  for (const [index, { path: at, again, json, key }] of places.entries()) {
    if (index % PLACES_AT_ONCE === PLACES_AT_ONCE - 1) yield;
    for (const place of again === undefined ? [at] : [at, again]) {
      const holder = values.holderOf(place);
      if (key || typeof holder !== 'object' || holder === null) continue;
      // A value that should be text but is not was not read.
      if (!json && typeof (holder as JsonObject)[lastStep(place)!] === 'object') continue;
      const steps = read.get(holder);
      if (steps === undefined) read.set(holder, new Set([lastStep(place)!]));
      else steps.add(lastStep(place)!);
    }
  }
  return read;
}
