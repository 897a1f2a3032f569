import { append } from '../../core/append.js';
import {
  isJsonObject,
  type JsonDocument,
  type JsonObject,
  type JsonValue,
  parseJson,
} from '../../core/json.js';
import type { Message, Part } from '../../core/message.js';
import { type DeepPath, type Edit, lastStep, type Path, spliceValues, ValueFinder } from '../wire/splice.js';
import { findTexts, holdsNoText, type Skipped } from './find-texts.js';
import { cannotCarry } from './unsupported.js';

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
}

/** `places` has one entry for each text of `parts`, in the order of `textsOf`. */
export interface Reading {
  parts: Part[];
  places: Place[];
  /** Where parts stand that only this dialect knows. */
  others: Path[];
}

export interface MessageReading extends Reading {
  message: Message;
}

export function emptyReading(): Reading {
  return { parts: [], places: [], others: [] };
}

export function addPart(reading: Reading, part: Part, ...places: Place[]): void {
  reading.parts.push(part);
  append(reading.places, places);
}

/**
 * A part that cannot be told in neutral form. Its texts follow as those of a tool's result, so that what guards
 * texts guards them too, and nobody takes them for what was said.
 */
export function addOther(reading: Reading, value: JsonValue, path: Path): void {
  reading.parts.push({ type: 'other', value });
  reading.others.push(path);
  addTexts(reading, findTexts(value, path));
}

/**
 * What an answer says beside its parts, such as citations or the transcript of its sound: guarded in the same way.
 * `repeats` are texts that are read already; who changes one of them changes it wherever it stands.
 */
export function addBeside(
  reading: Reading,
  value: JsonValue,
  path: Path,
  repeats: readonly string[] = [],
): void {
  addTexts(
    reading,
    findTexts(value, path).filter(({ text }) => !repeats.includes(text)),
  );
}

/**
 * A message of a request with what is said in it beside the parts that are read, such as titles, citations and members
 * that nobody knows: a provider of the same API gets them too, so they are guarded.
 */
export function withBeside(reading: MessageReading, value: JsonObject, path: Path): MessageReading {
  if (isPlain(value)) return reading;
  const held = new Set(reading.parts.flatMap(settingsOf));
  const texts = findTexts(value, path, readPlaces(reading, value, path));
  addTexts(
    reading,
    texts.filter(({ text, path: at }) => !held.has(text) && !MEDIA.test(String(lastStep(at)))),
  );
  return reading;
}

/** Most messages: who speaks, and one string. */
function isPlain(message: JsonObject): boolean {
  return (
    typeof message.content === 'string' &&
    Object.keys(message).every((key) => key === 'content' || holdsNoText(key))
  );
}

/** Members that hold no words: where a picture or a file is, or what is in it. */
const MEDIA = /^(url|image_url|file_url|file_data|data)$/;

/** What a part says of a picture or a file goes on with it, in every API. */
function settingsOf(part: Part): (string | undefined)[] {
  if (part.type === 'image') return [part.detail];
  return part.type === 'document' ? [part.title, part.filename] : [];
}

/** The places of what is read, by the object or array that holds it. `value` stands at `path`. */
function readPlaces(reading: Reading, value: JsonValue, path: Path): Skipped {
  const read = new Map<object, Set<string | number>>();
  const values = new ValueFinder(value, path);
  for (const { path: at, again } of reading.places) {
    for (const place of again === undefined ? [at] : [at, again]) {
      const holder = values.holderOf(place);
      if (typeof holder !== 'object' || holder === null) continue;
      const steps = read.get(holder);
      if (steps === undefined) read.set(holder, new Set([lastStep(place)!]));
      else steps.add(lastStep(place)!);
    }
  }
  return read;
}

function addTexts(reading: Reading, texts: readonly { text: string; path: DeepPath }[]): void {
  if (texts.length === 0) return;
  const parts = texts.map(({ text }): Part => ({ type: 'text', text }));
  reading.parts.push({ type: 'tool-result', callId: '', parts });
  append(reading.places, texts);
}

export function addAll(reading: Reading, more: Reading): void {
  append(reading.parts, more.parts);
  append(reading.places, more.places);
  append(reading.others, more.others);
}

export function toMessage(role: Message['role'], reading: Reading, name?: JsonValue): MessageReading {
  const message: Message = { role, parts: reading.parts };
  if (typeof name === 'string') message.name = name;
  return { ...reading, message };
}

/** The texts of parts that a plugin can change. */
export function textsOf(parts: readonly Part[]): string[] {
  return parts.flatMap((part) => {
    switch (part.type) {
      case 'text':
      case 'reasoning':
      case 'refusal':
        return [part.text];
      case 'tool-call':
        return [part.arguments];
      case 'tool-result':
        return textsOf(part.parts);
      case 'document':
        return part.source.kind === 'text' ? [part.source.text] : [];
      default:
        return [];
    }
  });
}

/** The document with the texts of `after` where they differ from what was read. */
export function writeTexts(
  document: JsonDocument,
  before: readonly Reading[],
  after: readonly { parts: readonly Part[] }[],
): JsonDocument {
  const edits = before.flatMap((reading, index) => changedTexts(reading, after[index]?.parts ?? []));
  if (edits.length === 0) return document;
  const text = spliceValues(document.text, edits);
  return { text, value: JSON.parse(text) as JsonObject };
}

function changedTexts(reading: Reading, parts: readonly Part[]): Edit[] {
  const old = textsOf(reading.parts);
  const texts = textsOf(parts);
  if (texts.length !== old.length) throw new Error('Changed messages must keep the parts that were read.');
  return reading.places.flatMap((place, index) => {
    const text = texts[index]!;
    if (text === old[index]) return [];
    const written = place.json ? jsonObjectText(text) : JSON.stringify(text);
    const paths = place.again === undefined ? [place.path] : [place.path, place.again];
    return paths.map((path) => ({ path, write: () => written }));
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
export function refuseOthers(readings: readonly Reading[]): void {
  const path = readings.flatMap((reading) => reading.others)[0];
  if (path !== undefined) cannotCarry(fieldName(path), 'its type is not known to every API');
}

/** A path as clients know it: `messages[0].content[1]`. */
function fieldName(path: Path): string {
  return path.reduce<string>((name, step) => {
    if (typeof step === 'number') return `${name}[${step}]`;
    return name === '' ? step : `${name}.${step}`;
  }, '');
}
