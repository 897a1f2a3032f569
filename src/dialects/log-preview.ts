import { isJsonObject, type JsonObject, type JsonValue } from '../core/json.js';
import type { LogPreview, LogRecord } from '../core/log-record.js';
import { dialectById } from './index.js';

/*
 * One line of the question and one of the answer, for lists of logs. They are created once, when a log is written, and only
 * from the end of a conversation, so that a request with ten thousand messages costs no more than one with three.
 */

const MOST_UNITS = 140;
/** The end of a line that was cut. A character beyond Latin-1 would double the memory of the log's whole text. */
const CUT = '...';
const SOME_BLANKS = 20;
/** How much of a text is read: white space at its start may be longer than the preview. */
const MOST_READ_UNITS = 1_000;
const MOST_TURNS = 40;
const MOST_PARTS = 40;

type Bodies = Pick<LogRecord, 'api' | 'request' | 'response' | 'client_response'>;

/** A client that got no answer, such as the error of a rejected one, gives way to what the model said. */
export function previewOf(
  { api, request, response, client_response = null }: Bodies,
  input = inputLine(api, request),
): LogPreview {
  return { input, output: outputLine(client_response) ?? outputLine(response) };
}

/** The line of the question: the text of the last user message; without one, that of the last message with a text. */
export function inputLine(api: LogRecord['api'], request: JsonValue): string | null {
  if (!isJsonObject(request)) return null;
  let fallback: string | null = null;
  for (const key of dialectById(api).conversation.turns) {
    const turns = request[key];
    if (!Array.isArray(turns)) {
      if (turns !== undefined) return lineOf(textOf(turns));
      continue;
    }
    for (const turn of turns.slice(-MOST_TURNS).reverse()) {
      const isUsers = isOfUser(turn);
      if (!isUsers && fallback !== null) continue;
      const line = lineOf(textOf(turn));
      if (line === null) continue;
      if (isUsers) return line;
      fallback = line;
    }
  }
  return fallback;
}

/** A text without a role is the client's, such as an input of embeddings. */
function isOfUser(turn: JsonValue): boolean {
  return !isJsonObject(turn) || turn.role === 'user' || (turn.role === undefined && turn.type === undefined);
}

/** The members that hold an answer's pieces in each API, the first choice first. */
function outputLine(response: JsonValue): string | null {
  if (!isJsonObject(response)) return null;
  const { choices, output, content, candidates } = response;
  for (const pieces of [choices, output, content, candidates]) {
    if (!Array.isArray(pieces)) continue;
    const line = lineOf(joined(pieces)) ?? callLine(pieces);
    if (line !== null) return line;
  }
  return null;
}

/** The texts of a message, a part, or a list of either that people should see. Results of tools are left out. */
function textOf(value: JsonValue | undefined): string {
  if (typeof value === 'string') return value.slice(0, MOST_READ_UNITS);
  if (Array.isArray(value)) return joined(value);
  if (!isJsonObject(value) || value.thought === true || value.role === 'tool') return '';
  const { text, content, parts, message, refusal } = value;
  if (typeof text === 'string') return text.slice(0, MOST_READ_UNITS);
  for (const inner of [message, content, parts, refusal]) {
    // A tool's result has its text in `content` too. Its `type` distinguishes it.
    if (inner === undefined || inner === null || isResult(value)) continue;
    const found = textOf(inner);
    if (found !== '') return found;
  }
  return '';
}

function isResult({ type }: JsonObject): boolean {
  return (
    type === 'tool_result' || type === 'function_call_output' || type === 'reasoning' || type === 'thinking'
  );
}

function joined(values: readonly JsonValue[]): string {
  let text = '';
  for (const value of values.slice(0, MOST_PARTS)) {
    const next = textOf(value);
    if (next === '') continue;
    text = text === '' ? next : `${text} ${next}`;
    if (text.length >= MOST_READ_UNITS) break;
  }
  return text;
}

/** For an answer that only calls tools, the names of these tools. */
function callLine(pieces: readonly JsonValue[]): string | null {
  for (const name of namesOfCalls(pieces, 0)) return `${name}(...)`.slice(0, MOST_UNITS);
  return null;
}

const DEEPEST_CALL = 4;

function* namesOfCalls(values: readonly JsonValue[], depth: number): Generator<string> {
  if (depth > DEEPEST_CALL) return;
  for (const value of values.slice(0, MOST_PARTS)) {
    if (!isJsonObject(value)) continue;
    const called = value.function ?? value.functionCall ?? value.function_call;
    if (isJsonObject(called) && typeof called.name === 'string') yield called.name;
    else if ((value.type === 'tool_use' || value.type === 'function_call') && typeof value.name === 'string')
      yield value.name;
    for (const inner of [value.message, value.content, value.parts, value.tool_calls]) {
      if (Array.isArray(inner)) yield* namesOfCalls(inner, depth + 1);
      else if (isJsonObject(inner)) yield* namesOfCalls([inner], depth + 1);
    }
  }
}

/** White space and control characters that are not one space already: replacing each space would cost much more. */
const BLANKS = /[\s\x00-\x1f\x7f-\x9f]{2,}|(?! )[\s\x00-\x1f\x7f-\x9f]/g;

/** White space and control characters become one space. A surrogate pair is not cut in two. */
function lineOf(text: string): string | null {
  // Most texts begin with a word, so that little more than the preview has to be read.
  const line = withoutBlanks(text.slice(0, MOST_UNITS + SOME_BLANKS));
  const isEnough = line.length > MOST_UNITS || text.length <= MOST_UNITS + SOME_BLANKS;
  return cutLine(isEnough ? line : withoutBlanks(text.slice(0, MOST_READ_UNITS)));
}

function withoutBlanks(text: string): string {
  return (mayHoldBlanks(text) ? text.replace(BLANKS, ' ') : text).trim();
}

/** Whether a text may hold something that `BLANKS` matches. A loop takes a tenth of the pattern's time. */
function mayHoldBlanks(text: string): boolean {
  let before = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    const isUsual = code === SPACE ? before !== SPACE : code > SPACE && (code < 0x7f || isLetter(code));
    if (!isUsual) return true;
    before = code;
  }
  return false;
}

const SPACE = 0x20;

/** Between these two there are letters and marks only. */
function isLetter(code: number): boolean {
  return code > 0xa0 && code < 0x1680;
}

function cutLine(line: string): string | null {
  if (line === '') return null;
  if (line.length <= MOST_UNITS) return line.toWellFormed();
  const last = line.charCodeAt(MOST_UNITS - CUT.length - 1);
  const isPairParted = last >= 0xd800 && last <= 0xdbff;
  return line.slice(0, MOST_UNITS - CUT.length - (isPairParted ? 1 : 0)).toWellFormed() + CUT;
}
