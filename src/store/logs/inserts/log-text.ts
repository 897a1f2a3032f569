import { BSON } from 'mongodb';
import { DIALECT_IDS } from '../../../core/dialect-ids.js';
import type { Span } from '../../../core/json-scan.js';
import type { LogRecord } from '../../../core/log-record.js';
import { atOnce } from '../../../core/pacing/steps.js';
import { conversationMembers, turnMembers } from '../../../dialects/stored-texts.js';
import type { LogDocument } from '../../mongodb/collections.js';
import type { PackedRequest } from '../../mongodb/fragment-documents.js';
import { findFragments, LEAST_REQUEST_BYTES, type RequestMember } from '../fragments/find-fragments.js';
import type { FragmentBatch } from '../fragments/fragment-batch.js';
import { TYPE } from './bson-writer.js';
import { type JsonToBson, MOST_GROWTH } from './json-to-bson.js';
import { derivedFields, ownFields } from './log-document.js';
import { promptHashOfParts } from './prompt-hash.js';

/*
 * Creates a log's document from its text. The bodies, which are most of a log, are converted from JSON to BSON without being
 * parsed, and so is their preview. Everything else is parsed, because it is counted. The result has exactly the bytes that `toLogDocument` would give.
 */

/** A log whose bodies and preview are null, with what its document is counted by. */
export type LogHead = Omit<LogRecord, 'preview'> & Pick<LogDocument, '_last_model'>;

const OBJECT_START = 0x7b;
const QUOTE = 0x22;
const UINT32 = 2 ** 32;

/** The fields that are not read. */
const UNREAD = ['request', 'response', 'client_response', 'preview'];
/** Fields of a record that have another form in the document, or need work that is not done here. */
const UNUSUAL = ['_search', '_large', '_log_phase_claim'];
/** Fields that are needed before the whole log is read. They stand before the request. */
const READ_AHEAD = ['project_uid', 'api'];
const FIELDS = byLength([...UNREAD, ...UNUSUAL, ...READ_AHEAD, 'created_at']);
/** The members of requests that a prompt's hash may need. */
const CONVERSATION = byLength(DIALECT_IDS.flatMap((id) => conversationMembers(id) ?? []));
const DATE_LENGTH = new Date(0).toISOString().length;

/** Names by their length, because most of the names that are compared with them have another one. */
function byLength(names: readonly string[]): string[][] {
  const lists: string[][] = [];
  for (const name of new Set(names)) lists[name.length] = [...(lists[name.length] ?? []), name];
  return Array.from(lists, (list = []) => list);
}

export class LogTextWriter {
  readonly #bson: JsonToBson;
  readonly #fragments: FragmentBatch;
  #unread: Span[] = [];
  #requestMembers: RequestMember[] = [];
  #ahead = new Map<string, Span>();
  #packed: PackedRequest | undefined;
  #createdMs = Number.NaN;

  constructor(bson: JsonToBson, fragments: FragmentBatch) {
    this.#bson = bson;
    this.#fragments = fragments;
  }

  /**
   * Writes the document at the end of the BSON, and returns the fields that are read. Where the result is undefined,
   * the written bytes are discarded and the log has to be parsed.
   */
  write(json: Buffer): LogHead | undefined {
    const bson = this.#bson;
    bson.reserve(MOST_GROWTH * json.length);
    const startedAt = bson.end;
    this.#unread = [];
    this.#requestMembers = [];
    this.#ahead.clear();
    this.#packed = undefined;
    this.#createdMs = Number.NaN;
    bson.from = json;
    bson.at = 0;
    if (!bson.object(0, this.#field) || bson.at !== json.length) return undefined;
    const head = readHead(json, this.#unread);
    if (head === undefined) return undefined;
    head.created_at = new Date(this.#createdMs);
    // Our own fields come after all others, so the end of the document is written once more.
    bson.end--;
    this.#append(head, promptOf(json, head, this.#requestMembers));
    bson.close(startedAt);
    return head;
  }

  readonly #field = (typeAt: number, nameAt: number): boolean => {
    const bson = this.#bson;
    const name = this.#nameAmong(nameAt, FIELDS);
    if (name === undefined) return bson.value(typeAt, 1);
    if (name === 'created_at') return this.#date(typeAt);
    if (UNUSUAL.includes(name)) return false;
    const start = bson.at;
    const isRequest = name === 'request' && bson.from[start] === OBJECT_START;
    if (isRequest) bson.out[typeAt] = TYPE.object;
    const done = isRequest
      ? this.#inPieces(typeAt) || bson.object(1, this.#requestMember)
      : bson.value(typeAt, 1);
    if (!done) return false;
    if (READ_AHEAD.includes(name)) this.#ahead.set(name, { start, end: bson.at });
    else this.#unread.push({ start, end: bson.at });
    return true;
  };

  /** The one of these names that was written last. Undefined where it is none of them. */
  #nameAmong(nameAt: number, names: readonly string[][]): string | undefined {
    const bson = this.#bson;
    for (const name of names[bson.end - 1 - nameAt] ?? []) if (bson.isNamed(nameAt, name)) return name;
    return undefined;
  }

  /** A text of a field that was read ahead. */
  #textAhead(name: string): string | undefined {
    const span = this.#ahead.get(name);
    return span && this.#bson.from.toString('utf8', span.start + 1, span.end - 1);
  }

  /** Writes null for a request that is stored in pieces. False where the request itself must be written. */
  #inPieces(typeAt: number): boolean {
    const bson = this.#bson;
    const { from, at } = bson;
    if (isShort(from, at)) return false;
    const [project, api] = [this.#textAhead('project_uid'), this.#textAhead('api') as LogRecord['api']];
    if (project === undefined || api === undefined) return false;
    const turns = turnMembers(api);
    const found = turns && atOnce(findFragments(from.toString('latin1', at), 0, turns));
    if (found === undefined || found.end < LEAST_REQUEST_BYTES) return false;
    const request = from.subarray(at, at + found.end);
    const packed = atOnce(this.#fragments.pack(project, request, { start: 0, ...found }));
    if (packed === undefined) return false;
    bson.out[typeAt] = TYPE.null;
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
    const name = this.#nameAmong(nameAt, CONVERSATION);
    const start = bson.at;
    if (!bson.member(typeAt, nameAt, 2)) return false;
    if (name !== undefined) this.#requestMembers.push({ name, start, end: bson.at });
    return true;
  };

  #date(typeAt: number): boolean {
    const bson = this.#bson;
    const { from, at } = bson;
    const end = at + 1 + DATE_LENGTH;
    const time =
      from[at] === QUOTE && from[end] === QUOTE ? Date.parse(from.toString('latin1', at + 1, end)) : NaN;
    if (Number.isNaN(time)) return false;
    bson.out[typeAt] = TYPE.date;
    bson.int32(time % UINT32, bson.end);
    bson.int32(Math.floor(time / UINT32), bson.end + 4);
    bson.end += 8;
    bson.at = end + 1;
    this.#createdMs = time;
    this.#unread.push({ start: at, end: bson.at });
    return true;
  }

  #append(head: LogHead, prompt: string | null): void {
    const bson = this.#bson;
    const derived = derivedFields(head);
    if (derived._last_model !== undefined) head._last_model = derived._last_model;
    const fields: Partial<LogDocument> = Object.assign(ownFields(head, prompt, false), derived);
    if (this.#packed !== undefined) fields._packed = { request: this.#packed };
    else if (bson.plainMembers(fields)) return;
    const document = BSON.serialize(fields);
    bson.reserve(document.length);
    // The document without the length at its start and the NUL at its end.
    bson.out.set(document.subarray(4, -1), bson.end);
    bson.end += document.length - 5;
  }
}

/** Whether the request that begins there is too short for fragments, as far as a quick look shows. */
function isShort(json: Buffer, at: number): boolean {
  if (json.length - at < LEAST_REQUEST_BYTES) return true;
  const next = json.indexOf(BEHIND_REQUEST, at);
  return next !== -1 && next - at < LEAST_REQUEST_BYTES;
}

/** The fields that are read; null for all others. Undefined where the text turns out not to be JSON. */
function readHead(json: Buffer, unread: readonly Span[]): LogHead | undefined {
  let text = '';
  let at = 0;
  for (const { start, end } of unread) {
    text += `${json.toString('utf8', at, start)}null`;
    at = end;
  }
  try {
    return JSON.parse(text + json.toString('utf8', at)) as LogHead;
  } catch {
    return undefined;
  }
}

/** Does the same as `promptHash`, from the text of the members. */
function promptOf(json: Buffer, { api }: LogHead, members: readonly RequestMember[]): string | null {
  const wanted = conversationMembers(api);
  if (wanted === undefined || members.length === 0) return null;
  const parts = wanted.map((name) => members.find((one) => one.name === name));
  const isThere = (part: Span | undefined) => part !== undefined && json[part.start] !== NULL_START;
  return parts.some(isThere) ? promptHashOfParts(json, parts) : null;
}

const BEHIND_REQUEST = Buffer.from(',"response":');
const NULL_START = 0x6e;
