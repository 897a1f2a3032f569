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
import { type ChainOptions, SegmentChain } from './segment-chain.js';
import { encodeRecord, type Payload } from './segment-record.js';
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

interface Waiting {
  kind: Entry['kind'];
  record: Buffer;
  appendedAt: number;
  resolve(): void;
  reject(error: Error): void;
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
  #waiting: Waiting[] = [];
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

  async #take(entry: Entry): Promise<void> {
    if (this.#closed) throw new Error('the spool is closed');
    const { kind } = entry;
    const appendedAt = this.clock.now();
    const payload = payloadOf(entry);
    if (isAtHand(payload)) return this.#queue(kind, payload, appendedAt);
    const large = payload.then((pieces) => this.#queue(kind, pieces, appendedAt));
    this.#large.add(large);
    return large.finally(() => this.#large.delete(large));
  }

  async #queue(kind: Entry['kind'], payload: Payload, appendedAt: number): Promise<void> {
    const record = encodeRecord(kind, payload, appendedAt);
    const full = this.#whyFull(record.length);
    if (full !== undefined) {
      this.#wanted = Math.min(record.length, this.#settings.max_bytes / 8);
      this.#giveUp(kind, full);
      return;
    }
    await new Promise<void>((resolve, reject) => {
      this.#waiting.push({ kind, record, appendedAt, resolve, reject });
      this.#waitingBytes += record.length;
      if (kind === 'log') this.#flushing ??= this.#flush();
      else this.#amendmentTimer ??= setTimeout(() => this.#flushNow(), AMENDMENT_WAIT_MS);
    });
  }

  #whyFull(bytes: number): string | undefined {
    if (this.#failing) return 'the disk accepts no writes';
    if (!this.#hasRoom(bytes)) return 'spool.max_bytes is reached';
    return this.#waitingBytes + bytes > QUEUE_BYTES ? 'the disk is too slow' : undefined;
  }

  #hasRoom(bytes: number): boolean {
    return this.own.bytes + this.#waitingBytes + bytes <= this.#settings.max_bytes;
  }

  /** Gives up an entry. Returns where logs may be lost, and throws where they may not. */
  #giveUp(kind: Entry['kind'], reason: string, err?: unknown): void {
    const lose = this.#settings.on_full === 'lose';
    if (lose && kind === 'log') this.counters.lost++;
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
    if (this.#waiting.length > 0) this.#flushing ??= this.#flush();
  }

  async #flush(): Promise<void> {
    clearTimeout(this.#amendmentTimer);
    this.#amendmentTimer = undefined;
    await new Promise((resolve) => setImmediate(resolve));
    while (this.#waiting.length > 0) {
      const group = this.#waiting;
      this.#waiting = [];
      await this.#write(group);
    }
    this.#flushing = undefined;
  }

  async #write(group: readonly Waiting[]): Promise<void> {
    const records = group.map(({ record }) => record);
    try {
      const pending = this.#chain.append(records, group[0]!.appendedAt);
      if (pending !== undefined) await pending;
    } catch (error) {
      await this.#failed(group, error);
      return;
    } finally {
      this.#waitingBytes -= records.reduce((sum, { length }) => sum + length, 0);
    }
    for (const { resolve } of group) resolve();
    if (this.#chain.isFull) await this.#chain.finish();
    this.#listener();
  }

  async #failed(group: readonly Waiting[], error: unknown): Promise<void> {
    this.#failing = true;
    const largest = Math.max(...group.map(({ record }) => record.length));
    this.#probe.start(2 * largest, () => {
      this.#failing = false;
      this.logger.info({ folder: this.own.path }, 'logs can be written to the disk again');
    });
    // The segment is closed, so that shipping it frees space. A failed sync can also hide what was really written to it.
    await this.#chain.finish();
    this.#listener();
    for (const { kind, resolve, reject } of group) {
      try {
        this.#giveUp(kind, 'the disk accepts no writes', error);
        resolve();
      } catch (refusal) {
        reject(refusal as Error);
      }
    }
  }
}

function chainOptions({ max_bytes, sync_ms }: SpoolSettings): ChainOptions {
  return { segmentBytes: Math.min(SEGMENT_BYTES, max_bytes / 8), syncMs: sync_ms };
}
