import type { Alarm } from '../core/load/alarm.js';
import { SegmentWriter } from './segment-writer.js';
import type { Segment, SpoolDirectory } from './spool-directory.js';

export interface ChainOptions {
  /** A segment is finished once it is this long. */
  segmentBytes: number;
  /** The longest time from a write to its fdatasync; 0 syncs as a part of the write. */
  syncMs: number;
}

/** The writing end of a directory: one segment after the other. Calls of `append` must not overlap. */
export class SegmentChain {
  readonly #directory: SpoolDirectory;
  #options: ChainOptions;
  readonly #alarm: Alarm;
  #active: { segment: Segment; writer: SegmentWriter } | undefined;
  #syncTimer: NodeJS.Timeout | undefined;

  constructor(directory: SpoolDirectory, options: ChainOptions, alarm: Alarm) {
    this.#directory = directory;
    this.#options = options;
    this.#alarm = alarm;
  }

  /** Holds from the next write on. */
  configure(options: ChainOptions): void {
    this.#options = options;
  }

  /** Writes all frames as one, or fails with none of them written. */
  async append(frames: readonly Buffer[], appendedAt: number): Promise<void> {
    this.#active ??= await this.#begin();
    const { segment, writer } = this.#active;
    const bytes = await writer.append(frames, this.#options.syncMs === 0);
    this.#directory.added(segment, bytes, frames.length, appendedAt);
    if (writer.unsynced) this.#syncTimer ??= setTimeout(() => this.#syncSoon(), this.#options.syncMs);
  }

  /** Finishes the segment where it is long enough. */
  async rollOver(): Promise<void> {
    if (this.#active !== undefined && this.#active.segment.bytes >= this.#options.segmentBytes) {
      await this.finish();
    }
  }

  /** Syncs and closes the segment; the shipper deletes it once all of it has landed. The next write begins a new one. */
  async finish(): Promise<void> {
    clearTimeout(this.#syncTimer);
    this.#syncTimer = undefined;
    const active = this.#active;
    if (active === undefined) return;
    this.#active = undefined;
    if (active.writer.unsynced) await this.#sync(active.writer);
    await active.writer.close().catch((err) => this.#tell(err));
    active.segment.open = false;
  }

  async #begin(): Promise<{ segment: Segment; writer: SegmentWriter }> {
    const segment = this.#directory.addSegment();
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

  /** A failed sync leaves the entries in the file: they are shipped, but a power loss now could take them. */
  async #sync(writer: SegmentWriter): Promise<void> {
    try {
      await writer.sync();
    } catch (err) {
      this.#tell(err);
    }
  }

  #tell(err: unknown): void {
    this.#alarm.raise({ err, directory: this.#directory.path }, 'spool could not be synced to the disk');
  }
}
