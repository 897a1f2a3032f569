import { type EntryKind, encodeInto, encodeRecord, type Payload } from './segment-record.js';

/** The memory of a group, of which the system only gives what is used. What does not fit gets memory of its own. */
const ROOM_BYTES = 256 * 1024;

/** Entries that are written together. They lie behind one another in memory that the next group uses again. */
export class EntryGroup {
  readonly #room = Buffer.allocUnsafeSlow(ROOM_BYTES);
  #buffers: Buffer[] = [];
  /** The entries in the room that are not in the list of buffers yet: where they begin and end. */
  #from = 0;
  #end = 0;
  /** The number of entries, and how many of them are logs. */
  entries = 0;
  logs = 0;
  bytes = 0;
  /** The length of the longest entry. */
  longest = 0;
  /** When the first entry was appended, in epoch milliseconds. */
  appendedAt = 0;
  /** Resolves when the group was written, or given up. */
  written!: Promise<void>;
  resolve!: () => void;
  reject!: (error: Error) => void;

  constructor() {
    this.#begin();
  }

  /** Adds an entry. Returns its length. */
  add(kind: EntryKind, payload: Payload, appendedAt: number): number {
    let bytes = encodeInto(this.#room, this.#end, kind, payload, appendedAt);
    if (bytes === undefined) {
      this.#closeRun();
      const record = encodeRecord(kind, payload, appendedAt);
      bytes = record.length;
      this.#buffers.push(record);
    } else this.#end += bytes;
    if (this.entries === 0) this.appendedAt = appendedAt;
    this.entries++;
    if (kind === 'log') this.logs++;
    this.bytes += bytes;
    this.longest = Math.max(this.longest, bytes);
    return bytes;
  }

  /** The entries, to be written in this order. */
  get buffers(): readonly Buffer[] {
    this.#closeRun();
    return this.#buffers;
  }

  /** Makes the group empty, so that it can be used again. */
  clear(): void {
    this.#buffers = [];
    this.#from = this.#end = 0;
    this.entries = this.logs = this.bytes = this.longest = this.appendedAt = 0;
    this.#begin();
  }

  #closeRun(): void {
    if (this.#end > this.#from) this.#buffers.push(this.#room.subarray(this.#from, this.#end));
    this.#from = this.#end;
  }

  #begin(): void {
    this.written = new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
  }
}
