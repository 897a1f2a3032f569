import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { Binary } from 'mongodb';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../core/json.js';
import { skipSpace } from '../../../core/json-scan.js';
import type { LogRecord, PluginRun } from '../../../core/log-record.js';
import { decodeText, readJson } from '../../../core/pacing/heavy-json.js';
import { heavyWork } from '../../../core/pacing/heavy-work.js';
import { runSteps } from '../../../core/pacing/steps.js';
import { turnMembers } from '../../../dialects/stored-texts.js';
import type {
  BodyPart,
  LogDocument,
  Packed,
  PackedField,
  StoredPluginRun,
} from '../../mongodb/collections.js';
import type { PackedRequest } from '../../mongodb/fragment-documents.js';
import { measure } from '../../mongodb/packing.js';
import { findFragments, LEAST_REQUEST_BYTES, MOST_REQUEST_BYTES } from '../fragments/find-fragments.js';
import type { FragmentBatch } from '../fragments/fragment-batch.js';
import { claimOfNewLog } from '../log-phase-claims.js';
import { termsBesideTags } from '../search/metadata-terms.js';
import { searchWords } from '../search/words.js';
import { promptHash } from './prompt-hash.js';

/** A larger field is stored in parts beside the log, so that a log stays under 16 MiB and lists stay fast. */
const MAX_INLINE_SIZE = 2 * 1024 * 1024;
const PART_BYTES = 8 * 1024 * 1024;
/** The most bytes of one escaped UTF-16 unit. */
const MOST_BYTES_OF_UNIT = 6;

const compress = promisify(gzip);
const decompress = promisify(gunzip);

export interface StorableLog {
  document: LogDocument;
  parts: BodyPart[];
}

/** The document of a log. The fragments that it refers to are added to `fragments`, which must be written first. */
export async function toLogDocument(record: LogRecord, fragments: FragmentBatch): Promise<StorableLog> {
  const { _id, _search, _large = {}, _log_phase_claim, ...stored } = record;
  const { metadata } = record;
  const request = await bodyOf(_large.request, record.request);
  const response = await bodyOf(_large.response, record.response);
  const read = { ...record, request, response };
  const packed: NonNullable<LogDocument['_packed']> = {};
  const inPieces = await packRequest(record, fragments);
  if (inPieces !== undefined) packed.request = inPieces;
  const parts: BodyPart[] = [];
  const place = async (
    field: PackedField,
    value: JsonValue,
    text?: string | Uint8Array,
  ): Promise<boolean> => {
    const packing =
      text === undefined ? await pack(record, field, value) : await packText(record, field, text);
    if (packing === undefined) return true;
    packed[field] = packing.packed;
    parts.push(...packing.parts);
    return false;
  };
  const document: LogDocument = {
    _id,
    ...stored,
    request: inPieces === undefined && (await place('request', request, _large.request)) ? request : null,
    response: (await place('response', response, _large.response)) ? response : null,
    metadata: (await place('metadata', metadata)) ? metadata : {},
    plugin_runs: record.plugin_runs.map(toStoredRun),
    ...(_search === 'words' ? { _words: searchWords(read) } : {}),
    ...ownFields(record, await promptHash(read), packed.metadata !== undefined),
  };
  if (record.client_response !== undefined && !(await place('client_response', record.client_response))) {
    document.client_response = null;
  }
  Object.assign(document, derivedFields(record));
  if (Object.keys(packed).length > 0) document._packed = packed;
  return { document, parts };
}

/** The fields of every document in addition to those of its record. */
export function ownFields(record: Omit<LogRecord, 'preview'>, prompt: string | null, isPacked: boolean) {
  const terms = termsBesideTags(record.metadata, record.tags, isPacked);
  const { usage } = record;
  return {
    _prompt: prompt,
    _signals: [],
    ...(terms.length > 0 ? { _metadata_terms: terms } : {}),
    ...(usage === null ? {} : { _tokens: usage.input_tokens + usage.output_tokens }),
    ...claimOfNewLog(record),
  } satisfies Partial<LogDocument>;
}

/** The fields of logs with a failure, a fallback or a rejection. */
export function derivedFields({
  attempts,
  model,
  plugin_runs,
}: Pick<LogRecord, 'attempts' | 'model' | 'plugin_runs'>): Partial<LogDocument> {
  const fields: Partial<LogDocument> = {};
  const last = attempts.at(-1);
  if (model === null && last !== undefined) fields._last_model = `${last.provider}/${last.model}`;
  if (attempts.length > 1) {
    fields._fallbacks = [...new Set(attempts.slice(0, -1).map(({ status }) => status))];
  }
  if (plugin_runs.length === 0) return fields;
  const rejecting = plugin_runs.filter(({ outcome, observed }) => outcome === 'rejected' && !observed);
  if (rejecting.length > 0) fields._rejected_by = [...new Set(rejecting.map(({ plugin }) => plugin))];
  const found = findingTypes(plugin_runs);
  if (found.length > 0) fields._findings = found;
  return fields;
}

/** The most types of findings of a log that can be searched for. */
const MOST_TYPES = 64;

/** The types of all findings, each once. */
export function findingTypes(runs: readonly Pick<PluginRun, 'findings'>[]): string[] {
  const types = new Set<string>();
  for (const { findings } of runs) {
    for (const { type } of findings) {
      if (types.size < MOST_TYPES) types.add(type);
    }
  }
  return [...types];
}

/** A body that was kept as text is parsed in pieces, for its words and its prompt. */
async function bodyOf(text: string | Uint8Array | undefined, body: JsonValue): Promise<JsonValue> {
  if (text === undefined) return body;
  await heavyWork.next();
  const { value } = await readJson(
    typeof text === 'string'
      ? text
      : await decodeText(Buffer.from(text.buffer, text.byteOffset, text.byteLength)),
  );
  await heavyWork.next();
  return value;
}

/** Reads the bodies that are not in their document. */
export interface KeptApart {
  readParts(field: PackedField, count: number): Promise<Buffer>;
  readPieces(packed: PackedRequest): Promise<string>;
}

/** The original log, from its document and the bodies that are stored apart from it. */
export async function fromLogDocument(
  document: LogDocument,
  { readParts, readPieces }: KeptApart,
): Promise<LogRecord> {
  // Everything that was added for the database has been removed.
  const record = withoutInternals(document) as unknown as LogRecord;
  record.plugin_runs = document.plugin_runs.map(fromStoredRun);
  for (const [field, packed] of Object.entries(document._packed ?? {}) as [
    PackedField,
    Packed | PackedRequest,
  ][]) {
    // Lists leave out the bodies, so their fields are absent.
    if (!Object.hasOwn(document, field)) continue;
    const text = await ('pieces' in packed
      ? readPieces(packed)
      : 'json' in packed
        ? packed.json
        : readParts(field, packed.parts).then(unpack));
    Object.assign(record, { [field]: (await readJson(text)).value });
  }
  return record;
}

function withoutInternals(document: LogDocument): object {
  const record: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(document)) {
    if (key === '_id' || !key.startsWith('_')) record[key] = value;
  }
  return record;
}

/** The stored form of a metadata object that replaces a log's. */
export function packMetadata(metadata: JsonObject): { metadata: JsonObject; packed?: Packed } {
  const { faithful } = measure(metadata);
  return faithful ? { metadata } : { metadata: {}, packed: { json: JSON.stringify(metadata) } };
}

/** The metadata of a document that was read with `metadata` and `_packed.metadata`. */
export function unpackMetadata(document: Pick<LogDocument, 'metadata' | '_packed'>): JsonObject {
  const packed = document._packed?.metadata;
  return packed !== undefined && 'json' in packed
    ? (JSON.parse(packed.json) as JsonObject)
    : document.metadata;
}

async function pack(
  record: LogRecord,
  field: PackedField,
  value: JsonValue,
): Promise<{ packed: Packed; parts: BodyPart[] } | undefined> {
  const { faithful, size } = measure(value);
  if (faithful && size <= MAX_INLINE_SIZE) return undefined;
  await heavyWork.turn(size);
  const json = JSON.stringify(value);
  // Metadata stays inside the document, where it can be edited; its limit keeps it small.
  if (size <= MAX_INLINE_SIZE || field === 'metadata') return { packed: { json }, parts: [] };
  return packText(record, field, json);
}

/** The request with its fragments taken out. Undefined where that would save nothing. */
async function packRequest(
  { api, project_uid, request, _large }: LogRecord,
  fragments: FragmentBatch,
): Promise<PackedRequest | undefined> {
  const turns = turnMembers(api);
  const json = turns === undefined ? undefined : jsonOf(request, _large?.request);
  if (turns === undefined || json === undefined) return undefined;
  if (json.length < LEAST_REQUEST_BYTES || json.length > MOST_REQUEST_BYTES) return undefined;
  await heavyWork.turn(json.length);
  const text = json.toString('latin1');
  const found = await runSteps(findFragments(text, skipSpace(text, 0), turns));
  if (found === undefined) return undefined;
  const packed = await runSteps(fragments.pack(project_uid, json, { start: 0, ...found, end: json.length }));
  const inLog = packed?.pieces.filter((piece) => typeof piece === 'string') ?? [];
  return inLog.reduce((size, piece) => size + piece.length, 0) > MAX_INLINE_SIZE ? undefined : packed;
}

/** The JSON of a request. Undefined where it is not an object, or certainly small. */
function jsonOf(request: JsonValue, large: string | Uint8Array | undefined): Buffer | undefined {
  if (typeof large === 'string') return Buffer.from(large);
  if (large !== undefined) return Buffer.from(large.buffer, large.byteOffset, large.byteLength);
  if (!isJsonObject(request)) return undefined;
  const mostBytes = measure(request).size * MOST_BYTES_OF_UNIT;
  return mostBytes < LEAST_REQUEST_BYTES ? undefined : Buffer.from(JSON.stringify(request));
}

async function unpack(bytes: Buffer): Promise<string> {
  return (await decompress(bytes)).toString('utf8');
}

/** Stores JSON text in parts beside the log. */
async function packText(
  record: LogRecord,
  field: PackedField,
  text: string | Uint8Array,
): Promise<{ packed: Packed; parts: BodyPart[] }> {
  // The fastest level: large bodies must not delay the logs after them.
  const bytes = await compress(text, { level: 1 });
  const parts: BodyPart[] = [];
  for (let start = 0; start < bytes.length; start += PART_BYTES) {
    parts.push({
      _id: partId(record._id, field, parts.length),
      project_uid: record.project_uid,
      log_id: record._id,
      data: new Binary(bytes.subarray(start, start + PART_BYTES)),
    });
  }
  return { packed: { parts: parts.length }, parts };
}

export function partId(logId: string, field: PackedField, index: number): string {
  return `${logId}/${field}/${index}`;
}

export function toStoredRun(run: PluginRun): StoredPluginRun {
  // A run is JSON, which its interface without an index signature does not say.
  const { faithful } = measure(run as unknown as JsonValue);
  if (faithful) return run;
  const { debug, annotations, ...plain } = run;
  return { ...plain, _json: JSON.stringify(run) };
}

function fromStoredRun(run: StoredPluginRun): PluginRun {
  return run._json === undefined ? run : (JSON.parse(run._json) as PluginRun);
}
