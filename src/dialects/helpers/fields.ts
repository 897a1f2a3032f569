import { append } from '../../core/append.js';
import {
  isJsonObject,
  type JsonDocument,
  type JsonObject,
  type JsonValue,
  parseJson,
} from '../../core/json.js';
import { nestsTooDeep, overBound } from '../../core/json-scan.js';
import type { Message, Part } from '../../core/message.js';
import { textsOf } from '../../core/part-texts.js';
import {
  type DeepPath,
  type Edit,
  lastStep,
  type Path,
  spliceValues,
  stepsOf,
  ValueFinder,
} from '../wire/splice.js';
import { refuse } from './check.js';
import { type FoundText, findTexts, type Skipped, saysNothingBeside } from './find-texts.js';
import type { Known, Members } from './members.js';
import { refuseTranslation } from './unsupported.js';

/*
 * Parts as they are read, together with the places of their texts in the document. That is how changed texts
 * find their way back into the original without printing it anew.
 */

/** Where one text stands. With `json` the text is the JSON of the value there, not a string. */
export interface Place {
  path: DeepPath;
  json?: true;
  /** Where the same text stands once more. */
  again?: Path;
  /** The text is the name of the member there. */
  key?: true;
  /** How the text is written there, where it is that of a file. */
  encode?: FoundText['encode'];
}

/** `places` has one entry for each text of `parts`, in the order of `textsOf`. */
export interface PlacedParts {
  parts: Part[];
  places: Place[];
  /** Where parts stand that only this dialect knows. */
  others: Path[];
}

export interface PlacedMessage extends PlacedParts {
  message: Message;
}

export function emptyParts(): PlacedParts {
  return { parts: [], places: [], others: [] };
}

export function addPart(placed: PlacedParts, part: Part, ...places: Place[]): void {
  placed.parts.push(part);
  append(placed.places, places);
}

/**
 * A part that cannot be told in neutral form. Its texts follow as those of a tool's result, so that what guards
 * texts guards them too, and nobody takes them for what was said.
 */
export function addOther(placed: PlacedParts, value: JsonValue, path: Path, known: Known): void {
  placed.parts.push({ type: 'other', value });
  placed.others.push(path);
  // Names of members come with what stands beside the parts.
  const texts = findTexts(value, path, known).filter(({ key }) => !key);
  addTexts(placed, texts);
}

/**
 * What stands beside the parts that are read, such as titles, citations and members that nobody knows: whoever speaks
 * the same API gets it too, so it is guarded. `repeats` are texts that are read already; who changes one of them
 * changes it wherever it stands.
 */
export function addBeside(
  placed: PlacedParts,
  value: JsonObject,
  path: Path,
  known: Known,
  repeats: readonly string[] = [],
): void {
  const texts = findTexts(value, path, known, readPlaces([placed], value, path));
  addTexts(placed, repeats.length === 0 ? texts : texts.filter(({ text }) => !repeats.includes(text)));
}

const CONTENT = ['content'];

/** A message of a request with what is said in it beside the parts that are read. */
export function withBeside(
  placed: PlacedMessage,
  value: JsonObject,
  path: Path,
  known: Members,
): PlacedMessage {
  // Most messages are who speaks, and one string.
  if (typeof value.content === 'string' && saysNothingBeside(CONTENT, value, known)) return placed;
  addBeside(placed, value, path, known);
  return placed;
}

/**
 * The messages with what a request says beside them, such as descriptions of tools, in front: models read it with the
 * system prompt. `read` are the members that the messages stand in.
 */
export function withRequest(
  placed: readonly PlacedMessage[],
  request: JsonObject,
  known: Members,
  read: readonly string[],
): PlacedMessage[] {
  if (saysNothingBeside(read, request, known)) return [...placed];
  const beside = toMessage('system', emptyParts());
  addTexts(beside, findTexts(request, [], known, new Map([[request, new Set(read)]])));
  return beside.parts.length === 0 ? [...placed] : [beside, ...placed];
}

/** The places of what is read, by the object or array that holds it. `value` stands at `path`. */
function readPlaces(placed: readonly PlacedParts[], value: JsonValue, path: Path): Skipped {
  const read = new Map<object, Set<string | number>>();
  const values = new ValueFinder(value, path);
  for (const { path: at, again, json, key } of placed.flatMap(({ places }) => places)) {
    for (const place of again === undefined ? [at] : [at, again]) {
      const holder = values.holderOf(place);
      if (key || typeof holder !== 'object' || holder === null) continue;
      // What should be a text and is none was not read as one.
      if (!json && typeof (holder as JsonObject)[lastStep(place)!] === 'object') continue;
      const steps = read.get(holder);
      if (steps === undefined) read.set(holder, new Set([lastStep(place)!]));
      else steps.add(lastStep(place)!);
    }
  }
  return read;
}

/** Texts as those of a tool's result, which nobody takes for what was said. */
export function addTexts(placed: PlacedParts, texts: readonly FoundText[]): void {
  if (texts.length === 0) return;
  const parts = texts.map(({ text }): Part => ({ type: 'text', text }));
  placed.parts.push({ type: 'tool-result', callId: '', parts });
  append(placed.places, texts);
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

/** The document with the texts of `after` where they differ from what was read. */
export function writeTexts(
  document: JsonDocument,
  before: readonly PlacedParts[],
  after: readonly { parts: readonly Part[] }[],
): JsonDocument {
  const edits = before.flatMap((placed, index) => changedTexts(placed, after[index]?.parts ?? []));
  if (edits.length === 0) return document;
  const text = spliceValues(document.text, edits);
  return { text, value: JSON.parse(text) as JsonObject };
}

function changedTexts(placed: PlacedParts, parts: readonly Part[]): Edit[] {
  const old = textsOf(placed.parts);
  const texts = textsOf(parts);
  if (texts.length !== old.length) throw new Error('Changed messages must keep the parts that were read.');
  return placed.places.flatMap((place, index) => {
    const text = texts[index]!;
    if (text === old[index]) return [];
    const written = place.json ? jsonObjectText(text) : JSON.stringify(place.encode?.(text) ?? text);
    const paths = place.again === undefined ? [place.path] : [place.path, place.again];
    return paths.map((path) => ({ path, write: () => written, ...(place.key ? { key: true } : {}) }));
  });
}

/** Arguments as an API wants them that takes an object: what is no object's JSON goes in as a text. */
export function jsonObjectText(text: string): string {
  if (text.trim() === '') return '{}';
  return isJsonObject(parseJson(text)) ? text : JSON.stringify({ arguments: text });
}

/** A document of text that holds a JSON object, else undefined. */
export function parseDocument(text: string): JsonDocument | undefined {
  const value = parseJson(text);
  return isJsonObject(value) ? { text, value } : undefined;
}

export function asObject(value: JsonValue | undefined): JsonObject | undefined {
  return isJsonObject(value) ? value : undefined;
}

export function asArray(value: JsonValue | undefined): JsonValue[] {
  return Array.isArray(value) ? value : [];
}

/** The objects of an array; what else stands in it is left out. */
export function asObjects(value: JsonValue | undefined): JsonObject[] {
  return asArray(value).filter(isJsonObject);
}

export function asString(value: JsonValue | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

export function asNumber(value: JsonValue | undefined): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

export function asBoolean(value: JsonValue | undefined): boolean | undefined {
  return typeof value === 'boolean' ? value : undefined;
}

/** The object without members that are undefined. */
export function dropUndefined<T extends object>(value: { [K in keyof T]: T[K] | undefined }): T {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as T;
}

/** The same for JSON. */
export function withoutUndefined(value: Record<string, JsonValue | undefined>): JsonObject {
  return dropUndefined<JsonObject>(value as JsonObject);
}

/** Throws for the first part that only its own dialect knows. */
export function refuseOthers(placed: readonly PlacedParts[]): void {
  const path = placed.flatMap(({ others }) => others)[0];
  if (path !== undefined) refuseTranslation(fieldName(path), 'its type is not known to every API');
}

/**
 * Throws for arguments of a call that nest deeper than a body may: they are a text in this API, and part of the body
 * in others.
 */
export function refuseDeepArguments(placed: readonly PlacedParts[]): void {
  for (const { parts, places } of placed) {
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

/** A path as clients know it: `messages[0].content[1]`. */
function fieldName(path: Path): string {
  return path.reduce<string>((name, step) => {
    if (typeof step === 'number') return `${name}[${step}]`;
    return name === '' ? step : `${name}.${step}`;
  }, '');
}
