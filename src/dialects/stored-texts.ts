import type { DialectId } from '../core/dialect-ids.js';
import { isJsonObject, type JsonValue, pointerToken } from '../core/json.js';
import type { LogRecord } from '../core/log-record.js';
import type { Steps } from '../core/pacing/steps.js';
import { atOnce } from '../core/pacing/steps.js';
import type { Dialect } from './dialect.js';
import { dialectById } from './index.js';
import { findTexts, findTextsInSteps } from './members/find-texts.js';
import { type DeepPath, stepsOf } from './wire/splice.js';

/*
 * The texts of stored bodies, found by what their dialect knows about the members. For a request these are only the
 * texts of the conversation, because settings and tools are the same in many logs.
 */

export interface StoredText {
  /** A JSON pointer into the log, such as `/request/messages/0/content`. */
  readonly place: string;
  readonly text: string;
}

/** A text whose pointer is created only when somebody reads it. */
class LocatedText implements StoredText {
  constructor(
    readonly text: string,
    private readonly path: DeepPath,
  ) {}

  get place(): string {
    return pointerOf(this.path);
  }
}

const LOCATED_AT_ONCE = 1_000;

type Bodies = Readonly<Pick<LogRecord, 'api' | 'request' | 'response'>>;

/**
 * All texts of the conversation in a log, in order: those of the request, without its settings and tools, then those of
 * the answer. For the LOG phase, where `record` is `bodies`.
 *
 * @returns each text with its place, a JSON pointer into the log (RFC 6901). Empty where the log has no content.
 * @example
 * ```ts
 * const request = { model: 'support', messages: [{ role: 'user', content: 'Hi' }] };
 * recordTexts({ api: 'openai.chat', request, response: null }).map(({ place, text }) => [place, text]);
 * // => [['/request/messages/0/content', 'Hi']]
 * ```
 */
export function recordTexts(bodies: Bodies): StoredText[] {
  return atOnce(recordTextsInSteps(bodies));
}

/** The same in steps of some hundred values. */
export function* recordTextsInSteps({ api, request, response }: Bodies): Steps<StoredText[]> {
  const { conversation, members, plainLog } = dialectById(api);
  const plain = plainLog?.(request, response);
  if (plain !== undefined) return plain.map(({ text, path }) => new LocatedText(text, path));
  const texts: StoredText[] = [];
  if (isJsonObject(request)) {
    for (const key of [...conversation.standing, ...conversation.turns]) {
      const value = request[key];
      const at: DeepPath = { within: startOf('request'), step: key };
      if (value !== undefined) yield* locate(value, at, members.request.known.get(key), texts);
    }
  }
  yield* locate(response, startOf('response'), members.answer, texts);
  return texts;
}

function* locate(
  value: JsonValue,
  at: DeepPath,
  known: Parameters<typeof findTexts>[2],
  texts: StoredText[],
): Steps {
  for (const { key, text, path } of yield* findTextsInSteps(value, at, known)) {
    if (key) continue;
    texts.push(new LocatedText(text, path));
    if (texts.length % LOCATED_AT_ONCE === 0) yield;
  }
}

/**
 * The texts by which a log can be found, up to `units` UTF-16 units: the answer, then the request from its last turn
 * to its first, then texts that are the same in many requests.
 */
export function* searchTexts({ api, request, response }: Bodies, units: number): Generator<string> {
  let left = units;
  for (const text of lastFirst(dialectById(api), request, response)) {
    yield text.slice(0, left);
    left -= text.length;
    if (left <= 0) return;
  }
}

/** The members of a request that make up its conversation; undefined where its answers are not text. */
export function conversationMembers(api: DialectId): readonly string[] | undefined {
  const { conversation, answers } = dialectById(api);
  return answers === undefined ? [...conversation.standing, ...conversation.turns] : undefined;
}

/**
 * The members of a request that grow from one request of a conversation to the next; undefined where its answers are
 * not text.
 */
export function turnMembers(api: DialectId): readonly string[] | undefined {
  const { conversation, answers } = dialectById(api);
  return answers === undefined ? conversation.turns : undefined;
}

/**
 * The conversation of a request as one value. It is equal in requests that ask a model the same question. Undefined
 * where no request is stored.
 */
export function conversationOf(api: DialectId, request: JsonValue): JsonValue | undefined {
  const members = conversationMembers(api);
  if (!isJsonObject(request) || members === undefined) return undefined;
  const parts = members.map((key) => request[key] ?? null);
  return parts.every((part) => part === null) ? undefined : parts;
}

function* lastFirst(dialect: Dialect, request: JsonValue, response: JsonValue): Generator<string> {
  const { members, conversation } = dialect;
  yield* textsBackwards(response, members.answer);
  if (!isJsonObject(request)) return;
  for (const key of [...conversation.turns, ...conversation.standing].filter((name) => name in request)) {
    const known = members.request.known.get(key);
    const value = request[key]!;
    // The turns are read one by one, so that a long conversation is read only as far as needed.
    for (const turn of Array.isArray(value) ? value.toReversed() : [value])
      yield* textsBackwards(turn, known);
  }
}

function textsBackwards(value: JsonValue, known: Parameters<typeof findTexts>[2]): string[] {
  const found = findTexts(value, [], known).filter(({ key }) => !key);
  return found.map(({ text }) => text).reverse();
}

function startOf(body: string): DeepPath {
  return [body];
}

function pointerOf(path: DeepPath): string {
  return stepsOf(path)
    .map((step) => `/${pointerToken(String(step))}`)
    .join('');
}
