import { join } from 'node:path';
import { type Clock, systemClock } from '../core/clock.js';
import { SluiceError } from '../core/errors.js';
import type { LogRecord } from '../core/log-record.js';
import type { LogAmendment, LogSink } from '../core/log-sink.js';
import type { Logger } from '../core/logger.js';
import { Alarm } from '../core/pacing/alarm.js';
import type { SpoolSettings } from '../core/settings.js';
import { DiskProbe } from './disk-probe.js';
import { type Entry, isAtHand, payloadOf } from './entry.js';
import { EntryGroup } from './entry-group.js';
import { type ChainOptions, SegmentChain } from './segment-chain.js';
import { bytesOfRecord, type EntryKind, mostBytesOfRecord, type Payload } from './segment-record.js';
import { type SpoolCounters, SpoolFolder } from './spool-folder.js';
import { type SpoolStats, statsOf } from './spool-stats.js';

/** The greatest size of a segment. It is smaller where `max_bytes` is small, so that shipping frees space early enough. */
const SEGMENT_BYTES = 16 << 20;
/** The most bytes that may wait in memory for a slow disk. */
const QUEUE_BYTES = 64 << 20;

/**
 * How long an amendment may wait to be written with a log: a write costs more than the LOG phase of most plugins.
 * Where a crash loses amendments, their LOG phases run again after the next start, because their logs are marked.
 */
const AMENDMENT_WAIT_MS = 20;

export interface SpoolOptions {
  /** The folder of all workers; each has a folder of its own in it. */
  folder: string;
  /** The name of this worker: letters, digits, `.`, `_` and `-`. */
  worker: string;
  settings: SpoolSettings;
  clock?: Clock;
  logger: Logger;
}

/**
 * Opens the worker's folder and reads what an earlier run left. Where another live process has it, the next free one
 * of `<worker>.2`, `<worker>.3`, … is taken.
 */
export async function openSpool(options: SpoolOptions): Promise<FileSpool> {
  const { folder, worker, settings, logger, clock = systemClock } = options;
  if (!/^[\w-][\w.-]*$/.test(worker)) throw new Error(`"${worker}" cannot name a spool folder`);
  const counters: SpoolCounters = { written: 0, lost: 0, deadLetters: 0 };
  for (let number = 1; ; number++) {
    const name = number === 1 ? worker : `${worker}.${number}`;
    const own = await SpoolFolder.open(join(folder, name), logger, counters);
    if (own !== undefined) return new FileSpool(folder, own, counters, settings, clock, logger);
  }
}

/** The durable queue of one worker. All `append` and `amend` calls of one turn of the event loop become one write. */
export class FileSpool implements LogSink {
  readonly root: string;
  readonly own: SpoolFolder;
  /** Folders of dead workers that this worker ships. The numbers include them. */
  readonly adopted = new Set<SpoolFolder>();
  readonly counters: SpoolCounters;
  readonly clock: Clock;
  readonly logger: Logger;
  #settings: SpoolSettings;
  readonly #alarm: Alarm;
  readonly #chain: SegmentChain;
  readonly #probe: DiskProbe;
  /** The entries of this turn. Those of an earlier one may be on their way to the disk. */
  #waiting = new EntryGroup();
  #spare: EntryGroup | undefined;
  #waitingBytes = 0;
  /** Entries with large bodies that are being written to JSON, in turns, before they wait for the disk. */
  readonly #large = new Set<Promise<void>>();
  #flushing: Promise<void> | undefined;
  #amendmentTimer: NodeJS.Timeout | undefined;
  /** Whether the disk accepts nothing at the moment. */
  #failing = false;
  /** How many bytes the last entry without room needed. While less space is free, no request is accepted. */
  #wanted = 1;
  #closed = false;
  #listener: () => void = () => undefined;

  constructor(
    root: string,
    own: SpoolFolder,
    counters: SpoolCounters,
    settings: SpoolSettings,
    clock: Clock,
    logger: Logger,
  ) {
    this.root = root;
    this.own = own;
    this.counters = counters;
    this.#settings = settings;
    this.clock = clock;
    this.logger = logger;
    this.#alarm = new Alarm(logger, clock);
    this.#chain = new SegmentChain(own, chainOptions(settings), this.#alarm);
    this.#probe = new DiskProbe(own.path);
  }

  /** Changes the settings. They apply from the next log on. */
  configure(settings: SpoolSettings): void {
    this.#settings = settings;
    this.#wanted = 1;
    this.#chain.configure(chainOptions(settings));
  }

  append(record: LogRecord): Promise<void> {
    return this.#take({ kind: 'log', record });
  }

  amend(amendment: LogAmendment): Promise<void> {
    return this.#take({ kind: 'amendment', amendment });
  }

  accepts(): boolean {
    return this.#settings.on_full === 'lose' || (!this.#failing && this.#hasRoom(this.#wanted));
  }

  stats(): SpoolStats {
    return statsOf([this.own, ...this.adopted], this.counters, this.#settings.max_bytes, this.clock.now());
  }

  /** Sets the one listener, which is called after each write and wakes the shipper. */
  onWritten(listener: () => void): void {
    this.#listener = listener;
  }

  /** Writes and syncs what is waiting. Afterwards `append` and `amend` reject. */
  async close(): Promise<void> {
    this.#closed = true;
    await Promise.allSettled(this.#large);
    this.#flushNow();
    await this.#flushing;
    this.#probe.stop();
    await this.#chain.finish();
    await this.own.close();
  }

  #take(entry: Entry): Promise<void> {
    try {
      if (this.#closed) throw new Error('the spool is closed');
      const { kind } = entry;
      const appendedAt = this.clock.now();
      const payload = payloadOf(entry);
      if (isAtHand(payload)) return this.#queue(kind, payload, appendedAt);
      const large = payload.then((pieces) => this.#queue(kind, pieces, appendedAt));
      this.#large.add(large);
      return large.finally(() => this.#large.delete(large));
    } catch (error) {
      return Promise.reject(error);
    }
  }

  /** Adds an entry to those of this turn, which share a promise. */
  #queue(kind: EntryKind, payload: Payload, appendedAt: number): Promise<void> {
    // The bytes are counted only where it is not certain that there is room.
    if (this.#whyFull(mostBytesOfRecord(payload)) !== undefined) {
      const bytes = bytesOfRecord(payload);
      const full = this.#whyFull(bytes);
      if (full !== undefined) {
        this.#wanted = Math.min(bytes, this.#settings.max_bytes / 8);
        this.#giveUp(kind === 'log' ? 1 : 0, full);
        return Promise.resolve();
      }
    }
    this.#waitingBytes += this.#waiting.add(kind, payload, appendedAt);
    const { written } = this.#waiting;
    if (kind === 'log') this.#flushing ??= this.#flush();
    else this.#amendmentTimer ??= setTimeout(() => this.#flushNow(), AMENDMENT_WAIT_MS);
    return written;
  }

  #whyFull(bytes: number): string | undefined {
    if (this.#failing) return 'the disk accepts no writes';
    if (!this.#hasRoom(bytes)) return 'spool.max_bytes is reached';
    return this.#waitingBytes + bytes > QUEUE_BYTES ? 'the disk is too slow' : undefined;
  }

  #hasRoom(bytes: number): boolean {
    return this.own.bytes + this.#waitingBytes + bytes <= this.#settings.max_bytes;
  }

  /** Gives up entries, of which so many are logs. Returns where logs may be lost, and throws where they may not. */
  #giveUp(logs: number, reason: string, err?: unknown): void {
    const lose = this.#settings.on_full === 'lose';
    if (lose) this.counters.lost += logs;
    this.#alarm.raise(
      { err, reason, lost: this.counters.lost, folder: this.own.path },
      lose ? 'logs are lost: no room in the spool' : 'requests are refused: no room in the spool',
    );
    if (!lose)
      throw new SluiceError('spool_full', 'The log of this request cannot be stored. Try again later.');
  }

  #flushNow(): void {
    clearTimeout(this.#amendmentTimer);
    this.#amendmentTimer = undefined;
    if (this.#waiting.entries > 0) this.#flushing ??= this.#flush();
  }

  async #flush(): Promise<void> {
    clearTimeout(this.#amendmentTimer);
    this.#amendmentTimer = undefined;
    await new Promise((resolve) => setImmediate(resolve));
    while (this.#waiting.entries > 0) {
      const group = this.#waiting;
      this.#waiting = this.#spare ?? new EntryGroup();
      this.#spare = undefined;
      await this.#write(group);
      group.clear();
      this.#spare = group;
    }
    this.#flushing = undefined;
  }

  async #write(group: EntryGroup): Promise<void> {
    try {
      const pending = this.#chain.append(group.buffers, group.entries, group.appendedAt);
      if (pending !== undefined) await pending;
    } catch (error) {
      await this.#failed(group, error);
      return;
    } finally {
      this.#waitingBytes -= group.bytes;
    }
    group.resolve();
    if (this.#chain.isFull) await this.#chain.finish();
    this.#listener();
  }

  async #failed(group: EntryGroup, error: unknown): Promise<void> {
    this.#failing = true;
    this.#probe.start(2 * group.longest, () => {
      this.#failing = false;
      this.logger.info({ folder: this.own.path }, 'logs can be written to the disk again');
    });
    // The segment is closed, so that shipping it frees space. A failed sync can also hide what was really written to it.
    await this.#chain.finish();
    this.#listener();
    try {
      this.#giveUp(group.logs, 'the disk accepts no writes', error);
      group.resolve();
    } catch (refusal) {
      group.reject(refusal as Error);
    }
  }
}

function chainOptions({ max_bytes, sync_ms }: SpoolSettings): ChainOptions {
  return { segmentBytes: Math.min(SEGMENT_BYTES, max_bytes / 8), syncMs: sync_ms };
}
