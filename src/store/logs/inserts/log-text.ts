import { BSON } from 'mongodb';
import type { LogRecord } from '../../../core/log-record.js';
import { conversationMembers } from '../../../dialects/stored-texts.js';
import { type JsonToBson, MOST_GROWTH } from './json-to-bson.js';
import { derivedFields, ownFields } from './log-document.js';
import { promptHashOf } from './prompt-hash.js';

/*
 * Makes a log's document from its text: bodies, which are most of a log, are converted from JSON to BSON without
 * being parsed. Everything else is parsed, because it is counted. The result has the same bytes as that of
 * `toLogDocument`.
 */

/** A log whose bodies are null. */
export type LogHead = LogRecord;

const TYPE_DATE = 9;
const OBJECT_START = 0x7b;
const QUOTE = 0x22;
const UINT32 = 2 ** 32;

const BODIES = new Set(['request', 'response', 'client_response']);
/** Fields of a record that have another form in the document, or need more than is done here. */
const UNUSUAL = new Set(['_search', '_large', '_log_phase_claim']);
/** Names of other lengths are none of these and need not be read. */
const LENGTHS = new Set([...BODIES, ...UNUSUAL, 'created_at'].map(({ length }) => length));
const DATE_LENGTH = new Date(0).toISOString().length;

/** Where a value stands in the text. */
interface Span {
  name: string;
  start: number;
  end: number;
}

export class LogTextWriter {
  readonly #bson: JsonToBson;
  #bodies: Span[] = [];
  #requestMembers: Span[] = [];

  constructor(bson: JsonToBson) {
    this.#bson = bson;
  }

  /**
   * Writes the document at the end of the BSON, and returns the fields except bodies. Where the result is undefined,
   * the written bytes are discarded and the log has to be parsed.
   */
  write(json: Buffer): LogHead | undefined {
    const bson = this.#bson;
    bson.reserve(MOST_GROWTH * json.length);
    const startedAt = bson.end;
    this.#bodies = [];
    this.#requestMembers = [];
    bson.from = json;
    bson.at = 0;
    if (!bson.object(0, this.#field) || bson.at !== json.length) return undefined;
    const head = readHead(json, this.#bodies);
    if (head === undefined) return undefined;
    // Our own fields come after all others, so the end of the document is written again.
    bson.end--;
    this.#append(head, promptOf(json, head, this.#requestMembers));
    bson.close(startedAt);
    return head;
  }

  readonly #field = (typeAt: number, nameAt: number): boolean => {
    const bson = this.#bson;
    const name = LENGTHS.has(bson.end - 1 - nameAt) ? bson.nameAt(nameAt) : '';
    if (name === 'created_at') return this.#date(typeAt);
    if (UNUSUAL.has(name)) return false;
    const start = bson.at;
    const isRequest = name === 'request' && bson.from[start] === OBJECT_START;
    if (isRequest) bson.out[typeAt] = 3;
    const done = isRequest ? bson.object(1, this.#requestMember) : bson.value(typeAt, 1);
    if (done && BODIES.has(name)) this.#bodies.push({ name, start, end: bson.at });
    return done;
  };

  readonly #requestMember = (typeAt: number, nameAt: number): boolean => {
    const bson = this.#bson;
    const name = bson.nameAt(nameAt);
    const start = bson.at;
    if (!bson.member(typeAt, nameAt, 2)) return false;
    this.#requestMembers.push({ name, start, end: bson.at });
    return true;
  };

  #date(typeAt: number): boolean {
    const bson = this.#bson;
    const { from, at } = bson;
    const end = at + 1 + DATE_LENGTH;
    const time =
      from[at] === QUOTE && from[end] === QUOTE ? Date.parse(from.toString('latin1', at + 1, end)) : NaN;
    if (Number.isNaN(time)) return false;
    bson.out[typeAt] = TYPE_DATE;
    bson.int32(time % UINT32, bson.end);
    bson.int32(Math.floor(time / UINT32), bson.end + 4);
    bson.end += 8;
    bson.at = end + 1;
    return true;
  }

  #append(head: LogHead, prompt: string | null): void {
    const bson = this.#bson;
    const document = BSON.serialize({ ...ownFields(head, prompt, false), ...derivedFields(head) });
    bson.reserve(document.length);
    // Without the length in front and the NUL at the end.
    bson.out.set(document.subarray(4, -1), bson.end);
    bson.end += document.length - 5;
  }
}

/** Undefined where it turns out not to be JSON. */
function readHead(json: Buffer, bodies: readonly Span[]): LogHead | undefined {
  let text = '';
  let at = 0;
  for (const { start, end } of bodies) {
    text += `${json.toString('utf8', at, start)}null`;
    at = end;
  }
  try {
    const head = JSON.parse(text + json.toString('utf8', at)) as LogHead;
    head.created_at = new Date(head.created_at);
    return head;
  } catch {
    return undefined;
  }
}

/** As `promptHash`, from the text of the members. */
function promptOf(json: Buffer, { api }: LogHead, members: readonly Span[]): string | null {
  const wanted = conversationMembers(api);
  if (wanted === undefined || members.length === 0) return null;
  let found = false;
  const parts: Buffer[] = [];
  for (const name of wanted) {
    const member = members.find((one) => one.name === name);
    const part = member === undefined ? NULL : json.subarray(member.start, member.end);
    found ||= !part.equals(NULL);
    parts.push(parts.length === 0 ? START : SEPARATOR, part);
  }
  if (!found) return null;
  return promptHashOf(Buffer.concat([...parts, END]));
}

const NULL = Buffer.from('null');
const START = Buffer.from('[');
const SEPARATOR = Buffer.from(',');
const END = Buffer.from(']');
