import { type FileHandle, mkdir, open, rm, stat, truncate } from 'node:fs/promises';
import type { Logger } from '../core/logger.js';
import { type BatchEntry, entriesOf } from './batch-entries.js';
import { appendDeadLetter, type DeadLetter } from './dead-letters.js';
import { folderId } from './folder-id.js';
import { type FolderLock, lockFolder } from './folder-lock.js';
import {
  listSegments,
  type Position,
  readCheckpoint,
  segmentPath,
  writeCheckpoint,
} from './segment-files.js';
import { type Damage, type ReadLimit, ReadMemory, readRecords } from './segment-reader.js';
import { setAside } from './set-aside.js';

const SCAN_LIMIT: ReadLimit = { records: Number.POSITIVE_INFINITY, bytes: 1 << 20 };

export interface Segment {
  readonly sequence: number;
  readonly path: string;
  /** The length of its complete records. A write in progress does not count yet. */
  bytes: number;
  /** Whether it is still being written to. */
  open: boolean;
}

/** Counts since the start of this process, for all folders that it works in. */
export interface SpoolCounters {
  /** Logs that were stored in MongoDB. */
  written: number;
  /** Logs that found no room on the disk, and damaged places. */
  lost: number;
  deadLetters: number;
}

/** The next entries to ship, all of one segment. */
export interface Batch {
  segment: Segment;
  entries: BatchEntry[];
}

/**
 * One worker's folder: its segments, the position of shipping, and the counts. The writer adds at one end and the shipper
 * takes at the other. Both are in the process that holds the folder's lock.
 */
export class SpoolFolder {
  readonly path: string;
  /** The folder's permanent id, which stays the same where the folder is moved. */
  readonly id: string;
  readonly #lock: FolderLock;
  readonly #logger: Logger;
  readonly #counters: SpoolCounters;
  readonly #segments: Segment[] = [];
  #position: Position;
  #reading: { segment: Segment; file: FileHandle } | undefined;
  /** The memory of the batch that is being shipped. */
  readonly #memory = new ReadMemory();
  #lastSequence: number;
  /** The number of entries that were not shipped yet. */
  records = 0;
  /** The number of entries that were appended since the start. */
  appended = 0;
  /** The size of all segments on the disk. */
  bytes = 0;
  /** When the oldest unshipped entry was appended, in epoch milliseconds. */
  oldestAt: number | undefined;

  private constructor(
    path: string,
    id: string,
    lock: FolderLock,
    logger: Logger,
    counters: SpoolCounters,
    position: Position,
  ) {
    this.path = path;
    this.id = id;
    this.#lock = lock;
    this.#logger = logger;
    this.#counters = counters;
    this.#position = position;
    this.#lastSequence = position.segment;
  }

  /** Opens a folder and reads what an earlier run left. Undefined where a live process holds it. */
  static async open(path: string, logger: Logger, counters: SpoolCounters): Promise<SpoolFolder | undefined> {
    await mkdir(path, { recursive: true, mode: 0o700 });
    const lock = await lockFolder(path);
    if (lock === undefined) return undefined;
    const [id, position] = await Promise.all([folderId(path), readCheckpoint(path)]);
    const folder = new SpoolFolder(path, id, lock, logger, counters, position);
    try {
      for (const sequence of await listSegments(path)) await folder.#takeOver(sequence);
      return folder;
    } catch (error) {
      await folder.close();
      throw error;
    }
  }

  /** A new segment for the writer, which creates the file. */
  addSegment(): Segment {
    const sequence = ++this.#lastSequence;
    const segment = { sequence, path: segmentPath(this.path, sequence), bytes: 0, open: true };
    this.#segments.push(segment);
    return segment;
  }

  /** Tells the shipper that something was appended to a segment. */
  added(segment: Segment, bytes: number, records: number, appendedAt: number): void {
    segment.bytes += bytes;
    this.bytes += bytes;
    this.records += records;
    this.appended += records;
    this.oldestAt ??= appendedAt;
  }

  /**
   * The next entries to ship, all of one segment; the same ones again until `advance` is called. Undefined where there are
   * none. Their bytes are valid until the next call.
   */
  async next(limit: ReadLimit): Promise<Batch | undefined> {
    for (;;) {
      const segment = this.#current();
      if (segment === undefined || (segment.open && this.#position.offset >= segment.bytes)) {
        this.oldestAt = undefined;
        this.records = 0;
        return undefined;
      }
      const batch = await this.#batchOf(segment, limit);
      if (batch !== undefined) return batch;
    }
  }

  /** Records that the first `count` entries of a batch are finished: stored, or moved to the dead letters. */
  async advance(batch: Batch, count: number): Promise<void> {
    const { segment, entries } = batch;
    this.records -= count;
    if (this.records === 0) this.oldestAt = undefined;
    this.#position = { segment: segment.sequence, offset: entries[count - 1]!.end };
    if (!segment.open && this.#position.offset >= segment.bytes) await this.#remove(segment);
    else await this.#saveCheckpoint();
  }

  async bury(letter: DeadLetter): Promise<void> {
    await appendDeadLetter(this.path, letter);
    this.#counters.deadLetters++;
    const { log_id, reason } = letter;
    this.#logger.error({ log_id, reason, folder: this.path }, 'log put into the dead-letter file');
  }

  /** Closes the folder. Segments that are completely shipped are deleted. */
  async close(): Promise<void> {
    let segment = this.#current();
    while (segment !== undefined && !segment.open && this.#position.offset >= segment.bytes) {
      await this.#remove(segment);
      segment = this.#current();
    }
    await this.#closeReading();
    await this.#lock.release();
  }

  #current(): Segment | undefined {
    const segment = this.#segments.find(({ sequence }) => sequence >= this.#position.segment);
    if (segment !== undefined && segment.sequence > this.#position.segment) {
      this.#position = { segment: segment.sequence, offset: 0 };
    }
    return segment;
  }

  /** The next entries of a segment. Undefined where its next piece must not be shipped; the position has then moved on. */
  async #batchOf(segment: Segment, limit: ReadLimit): Promise<Batch | undefined> {
    const start = this.#position.offset;
    if (start >= segment.bytes) {
      await this.#remove(segment);
      return undefined;
    }
    const file = await this.#open(segment);
    const { records, damage } = await readRecords(file, start, segment.bytes, limit, this.#memory);
    const first = records[0];
    const entries = await entriesOf(records);
    if (first !== undefined && entries.length > 0) {
      this.oldestAt = first.appendedAt;
      return { segment, entries };
    }
    const end = damage?.end ?? first!.end;
    await this.#setAside(segment, { start, end, torn: false });
    if (damage === undefined) this.records--;
    this.#position = { segment: segment.sequence, offset: end };
    return undefined;
  }

  /**
   * Takes over a segment of an earlier run: counts its entries, cuts off an incomplete end and copies damaged parts aside.
   */
  async #takeOver(sequence: number): Promise<void> {
    const path = segmentPath(this.path, sequence);
    const { segment: shipping, offset } = this.#position;
    if (sequence < shipping) return rm(path, { force: true }); // A power failure can bring a deleted file back.
    const { size } = await stat(path);
    const segment: Segment = { sequence, path, bytes: size, open: false };
    this.#segments.push(segment);
    this.#lastSequence = Math.max(this.#lastSequence, sequence);
    const file = await this.#open(segment);
    let at = sequence === shipping ? offset : 0;
    while (at < segment.bytes) {
      const { records, damage } = await readRecords(file, at, segment.bytes, SCAN_LIMIT, this.#memory);
      this.records += records.length;
      this.oldestAt ??= records[0]?.appendedAt;
      at = damage?.end ?? records.at(-1)!.end;
      if (damage === undefined) continue;
      await this.#setAside(segment, damage);
      if (!damage.torn) continue;
      await truncate(path, damage.start);
      segment.bytes = damage.start;
    }
    this.bytes += segment.bytes;
  }

  async #setAside(segment: Segment, damage: Damage): Promise<void> {
    const found = await setAside(await this.#open(segment), segment.path, damage, this.#logger);
    if (found && !damage.torn) this.#counters.lost++;
  }

  async #open(segment: Segment): Promise<FileHandle> {
    if (this.#reading?.segment !== segment) {
      await this.#closeReading();
      this.#reading = { segment, file: await open(segment.path, 'r') };
    }
    return this.#reading.file;
  }

  async #closeReading(): Promise<void> {
    const reading = this.#reading;
    this.#reading = undefined;
    await reading?.file.close();
  }

  /** Removes a shipped segment. Its absence is as good as a checkpoint, so a full disk does not stop shipping. */
  async #remove(segment: Segment): Promise<void> {
    await this.#closeReading();
    await rm(segment.path, { force: true });
    this.#segments.splice(this.#segments.indexOf(segment), 1);
    this.bytes -= segment.bytes;
    this.#position = { segment: segment.sequence + 1, offset: 0 };
  }

  async #saveCheckpoint(): Promise<void> {
    try {
      await writeCheckpoint(this.path, this.#position);
    } catch (err) {
      // Without a checkpoint a restart ships some entries again, which changes nothing.
      this.#logger.warn({ err, folder: this.path }, 'spool checkpoint could not be written');
    }
  }
}
