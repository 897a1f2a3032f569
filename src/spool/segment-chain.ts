import type { Alarm } from '../core/pacing/alarm.js';
import type { MaybePromise } from '../core/pacing/maybe-promise.js';
import { SegmentWriter } from './segment-writer.js';
import type { Segment, SpoolFolder } from './spool-folder.js';

export interface ChainOptions {
  /** A segment is closed once it has this length. */
  segmentBytes: number;
  /** The longest time from a write to its fdatasync; 0 syncs within the write. */
  syncMs: number;
}

interface Active {
  segment: Segment;
  writer: SegmentWriter;
}

/** The writing end of a spool folder, which writes one segment after the other. Calls of `append` must not overlap. */
export class SegmentChain {
  readonly #folder: SpoolFolder;
  #options: ChainOptions;
  readonly #alarm: Alarm;
  #active: Active | undefined;
  #syncTimer: NodeJS.Timeout | undefined;

  constructor(folder: SpoolFolder, options: ChainOptions, alarm: Alarm) {
    this.#folder = folder;
    this.#options = options;
    this.#alarm = alarm;
  }

  /** Changes the options. They apply from the next write on. */
  configure(options: ChainOptions): void {
    this.#options = options;
  }

  /**
   * Writes all buffers in one write, or fails without writing any; synchronous where possible. `records` is the number of the
   * records in them.
   */
  append(buffers: readonly Buffer[], records: number, appendedAt: number): MaybePromise<void> {
    if (this.#active === undefined) return this.#appendFirst(buffers, records, appendedAt);
    const active = this.#active;
    const written = active.writer.append(buffers, this.#options.syncMs === 0);
    if (typeof written === 'number') return this.#added(active, written, records, appendedAt);
    return written.then((bytes) => this.#added(active, bytes, records, appendedAt));
  }

  async #appendFirst(buffers: readonly Buffer[], records: number, appendedAt: number): Promise<void> {
    this.#active = await this.#begin();
    await this.append(buffers, records, appendedAt);
  }

  #added({ segment, writer }: Active, bytes: number, records: number, appendedAt: number): void {
    this.#folder.added(segment, bytes, records, appendedAt);
    if (writer.unsynced) this.#syncTimer ??= setTimeout(() => this.#syncSoon(), this.#options.syncMs);
  }

  /** Whether the segment is long enough to be closed. */
  get isFull(): boolean {
    return this.#active !== undefined && this.#active.segment.bytes >= this.#options.segmentBytes;
  }

  /**
   * Syncs and closes the segment; the shipper deletes it once all of it is shipped. The next write starts a new one.
   */
  async finish(): Promise<void> {
    clearTimeout(this.#syncTimer);
    this.#syncTimer = undefined;
    const active = this.#active;
    if (active === undefined) return;
    this.#active = undefined;
    if (active.writer.unsynced) await this.#sync(active.writer);
    await active.writer.close().catch((err) => this.#report(err));
    active.segment.open = false;
  }

  async #begin(): Promise<Active> {
    const segment = this.#folder.addSegment();
    try {
      return { segment, writer: await SegmentWriter.create(segment.path) };
    } catch (error) {
      segment.open = false;
      throw error;
    }
  }

  #syncSoon(): void {
    this.#syncTimer = undefined;
    if (this.#active?.writer.unsynced) void this.#sync(this.#active.writer);
  }

  /** After a failed sync the entries are still in the file and are shipped, but a power failure could lose them. */
  async #sync(writer: SegmentWriter): Promise<void> {
    try {
      await writer.sync();
    } catch (err) {
      this.#report(err);
    }
  }

  #report(err: unknown): void {
    this.#alarm.raise({ err, folder: this.#folder.path }, 'spool could not be synced to the disk');
  }
}
