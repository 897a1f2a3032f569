import { BSON, type ClientSession, type Db } from 'mongodb';
import { DocumentSequence } from 'mongodb/lib/cmap/commands.js';
import type { LogDocument } from '../../mongodb/collections.js';
import { runWrites } from '../../mongodb/run-writes.js';
import type { FragmentBatch } from '../fragments/fragment-batch.js';
import { JsonToBson } from './json-to-bson.js';
import { type LogHead, LogTextWriter } from './log-text.js';

const FIRST_BYTES = 256 * 1024;
/** The largest document that MongoDB accepts. */
const MAX_DOCUMENT_BYTES = 16 * 1024 * 1024;
/** When a command has this many bytes, nothing more is added. MongoDB accepts 48 MB. */
const ENOUGH_BYTES = 16 * 1024 * 1024;

/** Documents that are sent without being copied together first. */
class WrittenDocuments extends DocumentSequence {
  readonly #section: Buffer;

  /** The header that the driver would write: a 1, the length, the field's name with a NUL; the documents follow. */
  constructor(field: string, section: Buffer) {
    super(field);
    section[0] = 1;
    section.writeInt32LE(section.length - 1, 1);
    section.write(`${field}\0`, 5, 'latin1');
    this.#section = section;
  }

  override toBin(): Uint8Array {
    return this.#section;
  }
}

const FIELD = 'documents';
const SECTION_START = 1 + 4 + FIELD.length + 1;

/**
 * Logs as BSON, one after the other. As bytes they cost the garbage collector nothing, and the driver sends them
 * unchanged.
 */
export class LogBatch {
  readonly #bson: JsonToBson;
  readonly #texts: LogTextWriter;
  /** Where the documents of each command begin, including its header. */
  readonly #sections: number[] = [];
  #startedAt = 0;

  /** `memory` is a buffer that no other batch uses. */
  constructor(fragments: FragmentBatch, memory: Buffer = Buffer.allocUnsafeSlow(FIRST_BYTES)) {
    this.#bson = new JsonToBson(memory);
    this.#texts = new LogTextWriter(this.#bson, fragments);
  }

  /** The buffer, for another batch when this one is finished. */
  get memory(): Buffer {
    return this.#bson.out;
  }

  /** Adds a log in the form of JSON. Undefined where the log must be parsed; nothing was added then. */
  addText(json: Buffer): LogHead | undefined {
    this.#begin();
    const head = this.#texts.write(json);
    if (head === undefined) this.removeLast();
    return head;
  }

  /** Adds a document. Throws the driver's error where it cannot be written. False where it is too large. */
  add(document: LogDocument): boolean {
    this.#begin();
    const bytes = BSON.serialize(document, { ignoreUndefined: true });
    if (bytes.length >= MAX_DOCUMENT_BYTES) return false;
    this.#bson.reserve(bytes.length);
    this.#bson.out.set(bytes, this.#bson.end);
    this.#bson.end += bytes.length;
    return true;
  }

  removeLast(): void {
    this.#bson.end = this.#startedAt;
  }

  async insert(database: Db, collection: string, session: ClientSession): Promise<void> {
    const { out, end } = this.#bson;
    for (const [index, start] of this.#sections.entries()) {
      const section = out.subarray(start, this.#sections[index + 1] ?? end);
      const documents = new WrittenDocuments(FIELD, section);
      await runWrites(database, { insert: collection, [FIELD]: documents }, session);
    }
  }

  #begin(): void {
    const last = this.#sections.at(-1);
    if (last === undefined || this.#bson.end - last > ENOUGH_BYTES) {
      this.#sections.push(this.#bson.end);
      this.#bson.reserve(SECTION_START);
      this.#bson.end += SECTION_START;
    }
    this.#startedAt = this.#bson.end;
  }
}
