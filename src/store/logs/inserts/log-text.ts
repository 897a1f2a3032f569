import { BSON } from 'mongodb';
import type { LogRecord } from '../../../core/log-record.js';
import { atOnce } from '../../../core/pacing/steps.js';
import { conversationMembers, turnMembers } from '../../../dialects/stored-texts.js';
import type { LogDocument } from '../../mongodb/collections.js';
import type { PackedRequest } from '../../mongodb/fragment-documents.js';
import { findFragments, LEAST_REQUEST_BYTES, type RequestMember } from '../fragments/find-fragments.js';
import type { FragmentBatch } from '../fragments/fragment-batch.js';
import { type JsonToBson, MOST_GROWTH } from './json-to-bson.js';
import { derivedFields, ownFields } from './log-document.js';
import { promptHashOf } from './prompt-hash.js';

/*
 * Creates a log's document from its text. The bodies, which are most of a log, are converted from JSON to BSON without being
 * parsed. Everything else is parsed, because it is counted. The result has exactly the bytes that `toLogDocument` would give.
 */

/** A log whose bodies are null, with what its document is counted by. */
export type LogHead = LogRecord & Pick<LogDocument, '_last_model'>;

const TYPE_OBJECT = 3;
const TYPE_DATE = 9;
const TYPE_NULL = 10;
const OBJECT_START = 0x7b;
const QUOTE = 0x22;
const UINT32 = 2 ** 32;

const BODIES = new Set(['request', 'response', 'client_response']);
/** Fields of a record that have another form in the document, or need work that is not done here. */
const UNUSUAL = new Set(['_search', '_large', '_log_phase_claim']);
/** Fields that are needed before the whole log is read. They stand before the request. */
const READ_AHEAD = new Set(['project_uid', 'api']);
/** The lengths of these names. A name of another length need not be read. */
const LENGTHS = new Set([...BODIES, ...UNUSUAL, ...READ_AHEAD, 'created_at'].map(({ length }) => length));
const DATE_LENGTH = new Date(0).toISOString().length;

export class LogTextWriter {
  readonly #bson: JsonToBson;
  readonly #fragments: FragmentBatch;
  #bodies: RequestMember[] = [];
  #requestMembers: RequestMember[] = [];
  #ahead = new Map<string, string>();
  #packed: PackedRequest | undefined;

  constructor(bson: JsonToBson, fragments: FragmentBatch) {
    this.#bson = bson;
    this.#fragments = fragments;
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
    this.#ahead.clear();
    this.#packed = undefined;
    bson.from = json;
    bson.at = 0;
    if (!bson.object(0, this.#field) || bson.at !== json.length) return undefined;
    const head = readHead(json, this.#bodies);
    if (head === undefined) return undefined;
    // Our own fields come after all others, so the end of the document is written once more.
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
    if (isRequest) bson.out[typeAt] = TYPE_OBJECT;
    const done = isRequest
      ? this.#inPieces(typeAt) || bson.object(1, this.#requestMember)
      : bson.value(typeAt, 1);
    if (!done) return false;
    if (BODIES.has(name)) this.#bodies.push({ name, start, end: bson.at });
    else if (READ_AHEAD.has(name)) this.#ahead.set(name, bson.from.toString('utf8', start + 1, bson.at - 1));
    return true;
  };

  /** Writes null for a request that is stored in pieces. False where the request itself must be written. */
  #inPieces(typeAt: number): boolean {
    const bson = this.#bson;
    const { from, at } = bson;
    const [project, api] = [this.#ahead.get('project_uid'), this.#ahead.get('api') as LogRecord['api']];
    if (project === undefined || api === undefined || isShort(from, at)) return false;
    const turns = turnMembers(api);
    const found = turns && atOnce(findFragments(from.toString('latin1', at), 0, turns));
    if (found === undefined || found.end < LEAST_REQUEST_BYTES) return false;
    const request = from.subarray(at, at + found.end);
    const packed = atOnce(this.#fragments.pack(project, request, { start: 0, ...found }));
    if (packed === undefined) return false;
    bson.out[typeAt] = TYPE_NULL;
    bson.at = at + found.end;
    this.#requestMembers = found.members.map(({ name, start, end }) => ({
      name,
      start: at + start,
      end: at + end,
    }));
    this.#packed = packed;
    return true;
  }

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
    const derived = derivedFields(head);
    if (derived._last_model !== undefined) head._last_model = derived._last_model;
    const fields: Partial<LogDocument> = Object.assign(ownFields(head, prompt, false), derived);
    if (this.#packed !== undefined) fields._packed = { request: this.#packed };
    const document = BSON.serialize(fields);
    bson.reserve(document.length);
    // The document without the length at its start and the NUL at its end.
    bson.out.set(document.subarray(4, -1), bson.end);
    bson.end += document.length - 5;
  }
}

/** Whether the request that begins there is too short for fragments, as far as a quick look shows. */
function isShort(json: Buffer, at: number): boolean {
  const next = json.subarray(at, at + LEAST_REQUEST_BYTES).indexOf(BEHIND_REQUEST);
  return next !== -1 || json.length - at < LEAST_REQUEST_BYTES;
}

/** The fields except bodies. Undefined where the text turns out not to be JSON. */
function readHead(json: Buffer, bodies: readonly RequestMember[]): LogHead | undefined {
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

/** Does the same as `promptHash`, from the text of the members. */
function promptOf(json: Buffer, { api }: LogHead, members: readonly RequestMember[]): string | null {
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

const BEHIND_REQUEST = Buffer.from(',"response":');
const NULL = Buffer.from('null');
const START = Buffer.from('[');
const SEPARATOR = Buffer.from(',');
const END = Buffer.from(']');
