import { isJsonObject, type JsonObject, type JsonValue, parseJson } from '../../core/json.js';
import { nestsTooDeep, overBound } from '../../core/json-scan.js';
import { append } from '../../core/lists/append.js';
import type { Message, Part } from '../../core/message.js';
import { parseJsonInSteps } from '../../core/pacing/json-in-pieces.js';
import type { Steps } from '../../core/pacing/steps.js';
import { textsOf } from '../../core/texts/part-texts.js';
import { type FoundText, findTextsInSteps } from '../members/find-texts.js';
import type { Known } from '../members/members.js';
import { refuse } from '../wire/check.js';
import { type DeepPath, type Path, stepsOf } from '../wire/splice.js';
import { asArray } from '../wire/values.js';

/*
 * Parts together with the places of their texts in the document, so that changed texts can be put back without
 * writing the document again.
 */

/** The place of one text. With `json`, the text is the JSON of the value at that place, which is not a string. */
export interface Place {
  path: DeepPath;
  json?: true;
  /** Another place of the same text. */
  again?: Path;
  /** The text is the name of the member at that place. */
  key?: true;
  /** Encodes the text, where it is that of a file. */
  encode?: FoundText['encode'];
}

/** `places` has one entry for each text of `parts`, in the order of `textsOf`. */
export interface PlacedParts {
  parts: Part[];
  places: Place[];
  /** The places of parts that only this dialect knows. */
  others: Path[];
}

export interface PlacedMessage extends PlacedParts {
  message: Message;
}

const ENTRIES_AT_ONCE = 8;

/** Whether a step ends after this entry of a list. Steps have few entries, because the entries may be lists too. */
export function endsStep(index: number): boolean {
  return index % ENTRIES_AT_ONCE === ENTRIES_AT_ONCE - 1;
}

/**
 * The results of `read` for each object in a list. Other values are skipped. `readAtOnce` may read an object without steps; it returns
 * undefined for one that `read` has to read.
 */
export function* readObjects<Read>(
  list: JsonValue | undefined,
  read: (item: JsonObject, index: number) => Steps<Read>,
  readAtOnce?: (item: JsonObject, index: number) => Read | undefined,
): Steps<Read[]> {
  const all: Read[] = [];
  for (const [index, item] of asArray(list).entries()) {
    if (isJsonObject(item)) all.push(readAtOnce?.(item, index) ?? (yield* read(item, index)));
    if (endsStep(index)) yield;
  }
  return all;
}

/** Does the same as `flatMap`, in steps. */
export function* flatMapInSteps<Item, Made>(
  list: readonly Item[],
  make: (item: Item, index: number) => readonly Made[] | Steps<readonly Made[]>,
): Steps<Made[]> {
  const all: Made[] = [];
  for (const [index, item] of list.entries()) {
    const made = make(item, index);
    append(all, Array.isArray(made) ? made : yield* made as Steps<readonly Made[]>);
    if (endsStep(index)) yield;
  }
  return all;
}

/** Does the same as `map`, in steps. Undefined where the value is not a list. */
export function* mapInSteps<Item, Made>(
  list: readonly Item[] | undefined,
  make: (item: Item, index: number) => Made,
): Steps<Made[] | undefined> {
  if (list === undefined) return undefined;
  const all: Made[] = [];
  for (const [index, item] of list.entries()) {
    all.push(make(item, index));
    if (endsStep(index)) yield;
  }
  return all;
}

export function emptyParts(): PlacedParts {
  return { parts: [], places: [], others: [] };
}

export function addPart(placed: PlacedParts, part: Part, ...places: Place[]): void {
  placed.parts.push(part);
  append(placed.places, places);
}

/**
 * Adds a part that has no neutral form. Its texts are added like those of a tool result, so that guards see them and
 * nobody takes them for the conversation.
 */
export function* addOther(placed: PlacedParts, value: JsonValue, path: Path, known: Known): Steps {
  placed.parts.push({ type: 'other', value });
  placed.others.push(path);
  const texts = yield* findTextsInSteps(value, path, known);
  // The names of members are read with the texts beside the parts.
  yield* addTexts(
    placed,
    texts.filter(({ key }) => !key),
  );
}

const TEXTS_AT_ONCE = 1_000;

/** Adds texts like those of a tool result, so that nobody takes them for the conversation. */
export function* addTexts(placed: PlacedParts, texts: readonly FoundText[]): Steps {
  if (texts.length === 0) return;
  const parts: Part[] = [];
  placed.parts.push({ type: 'tool-result', callId: '', parts });
  for (const [index, found] of texts.entries()) {
    parts.push({ type: 'text', text: found.text });
    placed.places.push(found);
    if (index % TEXTS_AT_ONCE === TEXTS_AT_ONCE - 1) yield;
  }
}

export function addAll(placed: PlacedParts, more: PlacedParts): void {
  append(placed.parts, more.parts);
  append(placed.places, more.places);
  append(placed.others, more.others);
}

export function toMessage(role: Message['role'], placed: PlacedParts, name?: JsonValue): PlacedMessage {
  const message: Message = { role, parts: placed.parts };
  if (typeof name === 'string') message.name = name;
  const { parts, places, others } = placed;
  return { parts, places, others, message };
}

/** Tool arguments for an API that expects an object. Arguments that are not a JSON object are wrapped as text. */
export function jsonObjectText(text: string): string {
  if (text.trim() === '') return '{}';
  return isJsonObject(parseJson(text)) ? text : JSON.stringify({ arguments: text });
}

/** Does the same and returns a value. */
export function* jsonObjectOf(text: string): Steps<JsonObject> {
  if (text.trim() === '') return {};
  const value = yield* parseJsonInSteps(text);
  return isJsonObject(value) ? value : { arguments: text };
}

/**
 * Throws for tool arguments that nest deeper than a body may: they are text in this API, but part of the body in
 * others.
 */
export function* refuseDeepArguments(placed: readonly PlacedParts[]): Steps {
  for (const [index, { parts, places }] of placed.entries()) {
    if (endsStep(index)) yield;
    let place = 0;
    for (const part of parts) {
      if (part.type === 'tool-call' && nestsTooDeep(part.arguments)) {
        const name = fieldName(stepsOf(places[place]!.path));
        refuse(name, `'${name}' ${overBound('depth', Number.POSITIVE_INFINITY)}.`);
      }
      place += textsOf([part]).length;
    }
  }
}

/** A path as clients write it: `messages[0].content[1]`. */
export function fieldName(path: Path): string {
  return path.reduce<string>((name, step) => {
    if (typeof step === 'number') return `${name}[${step}]`;
    return name === '' ? step : `${name}.${step}`;
  }, '');
}
