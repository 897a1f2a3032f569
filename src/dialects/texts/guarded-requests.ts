import type { JsonDocument, JsonObject } from '../../core/json.js';
import { append } from '../../core/lists/append.js';
import type { Message, Part } from '../../core/message.js';
import { isHeavy } from '../../core/pacing/heavy-work.js';
import { parseInSteps } from '../../core/pacing/json-in-pieces.js';
import type { Steps } from '../../core/pacing/steps.js';
import { textsOf } from '../../core/texts/part-texts.js';
import type { Dialect } from '../dialect.js';
import { type Edit, type Path, spliceInSteps } from '../wire/splice.js';
import { endsStep, jsonObjectText, type PlacedMessage, type PlacedParts } from './fields.js';

/*
 * Shows the texts of a request to plugins and puts changed ones back, in steps.
 */

/** A shortcut for requests whose messages are one text each. */
export interface PlainRequests {
  /** The messages; undefined for a request of any other form. */
  read(request: JsonObject): Steps<Message[] | undefined>;
  /** The place of a message's text. */
  pathOf(index: number): Path;
}

export function guardedRequests(
  guarded: (request: JsonObject) => Steps<PlacedMessage[]>,
  plain?: PlainRequests,
): Pick<Dialect, 'readMessages' | 'writeMessages'> {
  function* readMessages({ value }: JsonDocument): Steps<Message[]> {
    const read = plain === undefined ? undefined : yield* plain.read(value);
    return read ?? (yield* inSteps(yield* guarded(value), ({ message }) => message));
  }
  function* placedParts(request: JsonObject): Steps<Placed[]> {
    const read = plain === undefined ? undefined : yield* plain.read(request);
    if (plain === undefined || read === undefined) return yield* guarded(request);
    return yield* inSteps(read, ({ parts }, index) => ({ parts, places: [{ path: plain.pathOf(index) }] }));
  }
  function* writeMessages(document: JsonDocument, messages: Message[]): Steps<JsonDocument> {
    return yield* writeTexts(document, yield* placedParts(document.value), messages);
  }
  return { readMessages, writeMessages };
}

const MESSAGES_AT_ONCE = 500;

function* inSteps<Item, Made>(
  items: readonly Item[],
  make: (item: Item, index: number) => Made,
): Steps<Made[]> {
  const all: Made[] = [];
  for (const [index, item] of items.entries()) {
    all.push(make(item, index));
    if (index % MESSAGES_AT_ONCE === MESSAGES_AT_ONCE - 1) yield;
  }
  return all;
}

type Placed = Pick<PlacedParts, 'parts' | 'places'>;
type Changes = [before: readonly Placed[], after: readonly { parts: readonly Part[] }[]];

/** The document with the texts of `after`, where they differ from those that were read. */
export function* writeTexts(document: JsonDocument, ...texts: Changes): Steps<JsonDocument> {
  const text = yield* changedText(document.text, ...texts);
  if (text === undefined) return document;
  if (!isHeavy(text.length)) return { text, value: JSON.parse(text) as JsonObject };
  yield;
  return { text, value: (yield* parseInSteps(text)).value as JsonObject };
}

/** The changed text of the document; undefined where nothing differs. */
function* changedText(text: string, ...[before, after]: Changes): Steps<string | undefined> {
  const edits: Edit[] = [];
  for (const [index, placed] of before.entries()) {
    yield* addChanges(edits, placed, after[index]?.parts ?? []);
    if (endsStep(index)) yield;
  }
  return edits.length === 0 ? undefined : yield* spliceInSteps(text, edits);
}

const TEXTS_AT_ONCE = 500;
/** A text of this many characters is written in a step of its own. */
const LONG_TEXT = 100_000;

function* addChanges(edits: Edit[], placed: Placed, parts: readonly Part[]): Steps {
  const old = yield* textsInSteps(placed.parts);
  const texts = yield* textsInSteps(parts);
  if (texts.length !== old.length)
    throw new Error('Changed messages must keep the parts of the original messages.');
  for (const [index, place] of placed.places.entries()) {
    if (index % TEXTS_AT_ONCE === TEXTS_AT_ONCE - 1) yield;
    const text = texts[index]!;
    if (text === old[index]) continue;
    if (text.length > LONG_TEXT) yield;
    const written = place.json ? jsonObjectText(text) : JSON.stringify(place.encode?.(text) ?? text);
    const paths = place.again === undefined ? [place.path] : [place.path, place.again];
    for (const path of paths) edits.push({ path, write: () => written, ...(place.key ? { key: true } : {}) });
  }
}

function* textsInSteps(parts: readonly Part[]): Steps<string[]> {
  const texts: string[] = [];
  for (const [index, part] of parts.entries()) {
    append(texts, part.type === 'tool-result' ? yield* textsInSteps(part.parts) : textsOf([part]));
    if (index % TEXTS_AT_ONCE === TEXTS_AT_ONCE - 1) yield;
  }
  return texts;
}
