import type { Binary } from 'mongodb';
import { backgroundPace } from '../../../core/pacing/background-work.js';
import type { Collections, LogDocument } from '../../mongodb/collections.js';
import type { PackedRequest } from '../../mongodb/fragment-documents.js';
import { measure } from '../../mongodb/packing.js';
import { idOf } from './fragment-batch.js';

/** The bytes of bodies that are put together in one group where many logs are read. */
const GROUP_BYTES = 4 * 1024 * 1024;
const GROUP_LOGS = 50;
/** The UTF-16 units of fragments that are kept in memory for the next logs. */
const KEPT_UNITS = 4 * 1024 * 1024;

/** The fields of a log that are needed to put its request together. */
type Readable = Pick<LogDocument, '_id' | 'project_uid' | '_packed'> &
  Partial<Pick<LogDocument, 'request' | 'response' | 'client_response'>>;

/**
 * Puts requests together from their fragments. Keeps fragments in memory, because logs that are read one after the other
 * share most of them.
 */
export class FragmentReader {
  #kept = new Map<string, string>();
  #units = 0;

  constructor(private readonly collections: Pick<Collections, 'fragments'>) {}

  /** Loads the fragments that these logs need, in one query. */
  async load(documents: readonly Readable[]): Promise<void> {
    const needed = new Map<string, Binary>();
    for (const { _packed } of documents) {
      for (const id of fragmentsOf(_packed?.request)) needed.set(idOf(id), id);
    }
    if (needed.size === 0) return;
    if (this.#units > KEPT_UNITS) this.#keep(needed);
    const missing = [...needed].filter(([id]) => !this.#kept.has(id)).map(([, id]) => id);
    if (missing.length === 0) return;
    const project_uid = { $in: [...new Set(documents.map((document) => document.project_uid))] };
    const found = this.collections.fragments.find({ project_uid, _id: { $in: missing } });
    const pace = backgroundPace();
    for await (const { _id, text } of found) {
      this.#kept.set(idOf(_id), text);
      this.#units += text.length;
      const rest = pace.pause();
      if (rest !== undefined) await rest;
    }
  }

  /** The JSON text of a request. Throws where a fragment is missing, because nobody must take a part for the whole. */
  async textOf(document: Readable, packed: PackedRequest): Promise<string> {
    await this.load([document]);
    let missing = 0;
    const texts = packed.pieces.map((piece) => {
      const text = typeof piece === 'string' ? piece : this.#kept.get(idOf(piece));
      if (text === undefined) missing++;
      return text;
    });
    if (missing === 0) return texts.join('');
    const all = fragmentsOf(packed).length;
    throw new Error(
      `the request of log ${document._id} cannot be put together: ${missing} of its ${all} fragments are missing from log_fragments`,
    );
  }

  #keep(needed: ReadonlyMap<string, unknown>): void {
    this.#kept = new Map([...this.#kept].filter(([id]) => needed.has(id)));
    this.#units = [...this.#kept.values()].reduce((units, text) => units + text.length, 0);
  }
}

/** Logs in order, in groups whose bodies take little memory together. A large one is a group of its own. */
export async function* inGroups<Document extends Readable>(
  documents: Iterable<Document> | AsyncIterable<Document>,
): AsyncGenerator<Document[]> {
  let group: Document[] = [];
  let bytes = 0;
  for await (const document of documents) {
    const more = sizeOf(document);
    const isFull = group.length === GROUP_LOGS || bytes + more > GROUP_BYTES;
    if (group.length > 0 && isFull) {
      yield group;
      group = [];
      bytes = 0;
    }
    group.push(document);
    bytes += more;
  }
  if (group.length > 0) yield group;
}

type Packed = NonNullable<LogDocument['_packed']>['request'];

function isInPieces(packed: Packed): packed is PackedRequest {
  return packed !== undefined && 'pieces' in packed;
}

/** The approximate size of a log's bodies in bytes. */
function sizeOf({ _packed, request = null, response = null, client_response = null }: Readable): number {
  const inPieces = isInPieces(_packed?.request) ? _packed.request.bytes : 0;
  return inPieces + measure([request, response, client_response]).size;
}

function fragmentsOf(packed: Packed): Binary[] {
  return isInPieces(packed) ? packed.pieces.filter((piece) => typeof piece !== 'string') : [];
}
