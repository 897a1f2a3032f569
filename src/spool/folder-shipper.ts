import { Backoff } from '../core/backoff.js';
import { Alarm } from '../core/pacing/alarm.js';
import { deadLetterOf } from './dead-letters.js';
import { type Deliver, NotReached } from './deliver.js';
import type { Entry } from './entry.js';
import type { FileSpool } from './spool.js';
import type { Batch, SpoolFolder } from './spool-folder.js';

/** The most logs in one call. A call costs as much as about twenty of its logs. */
export const BATCH_RECORDS = 256;
const BATCH_BYTES = 1 << 20;
/** At least this many entries are read, so that there are others with which a failing one can be compared. */
const FEWEST_RECORDS = 8;
/**
 * An entry is moved to the dead letters after it failed this often on its own, each time while another entry
 * succeeded.
 */
const STRIKES = 3;

export interface ShipperTimes {
  firstRetryMs: number;
  longestRetryMs: number;
}

/**
 * Ships one folder, in order. Most errors do not say whether MongoDB is unreachable or an entry is at fault. So a
 * batch that fails is halved at each try. When a single entry is left, another one is tried for comparison: only if
 * that succeeds is the first one at fault.
 */
export class FolderShipper {
  readonly #spool: FileSpool;
  readonly #folder: SpoolFolder;
  readonly #deliver: Deliver;
  readonly #backoff: Backoff;
  readonly #alarm: Alarm;
  #size = BATCH_RECORDS;
  #strikes = 0;
  #witness = 0;

  constructor(
    spool: FileSpool,
    folder: SpoolFolder,
    deliver: Deliver,
    times: ShipperTimes,
    random: () => number,
  ) {
    this.#spool = spool;
    this.#folder = folder;
    this.#deliver = deliver;
    this.#backoff = new Backoff(times.firstRetryMs, times.longestRetryMs, random);
    this.#alarm = new Alarm(spool.logger, spool.clock);
  }

  /** Ships one batch. Returns how long to wait before the next, or undefined where nothing is left to ship. */
  async step(): Promise<number | undefined> {
    try {
      const records = Math.max(FEWEST_RECORDS, this.#size);
      const batch = await this.#folder.next({ records, bytes: BATCH_BYTES });
      if (batch === undefined) return undefined;
      return await this.#ship(batch);
    } catch (err) {
      this.#alarm.raise({ err, folder: this.#folder.path }, 'spool could not be read or written');
      return this.#backoff.next();
    }
  }

  async #ship(batch: Batch): Promise<number> {
    const count = Math.min(this.#size, batch.entries.length);
    const entries = batch.entries.slice(0, count).map(({ entry }) => entry);
    try {
      const { stored, refused } = await this.#deliver(entries);
      for (const { index, reason } of refused) await this.#bury(entries[index]!, reason);
      this.#spool.counters.written += stored;
    } catch (error) {
      return this.#failed(batch, count, error);
    }
    await this.#done(batch, count);
    return 0;
  }

  async #done(batch: Batch, count: number): Promise<void> {
    await this.#folder.advance(batch, count);
    this.#size = Math.min(BATCH_RECORDS, this.#size * 2);
    this.#strikes = 0;
    this.#backoff.reset();
  }

  async #failed(batch: Batch, count: number, error: unknown): Promise<number> {
    this.#alarm.raise(
      { err: error, ...this.#spool.stats() },
      'logs could not be written to MongoDB; trying again',
    );
    if (count > 1) {
      this.#size = Math.ceil(count / 2);
    } else if (!(error instanceof NotReached) && (await this.#witnessLands(batch))) {
      this.#strikes++;
      this.#backoff.reset();
    }
    if (this.#strikes < STRIKES) return this.#backoff.next();
    const message = error instanceof Error ? error.message : String(error);
    await this.#bury(
      batch.entries[0]!.entry,
      `failed ${STRIKES} times on its own while other entries succeeded: ${message}`,
    );
    await this.#done(batch, 1);
    return 0;
  }

  /**
   * Ships another entry for comparison, a different one at each call, because it can be faulty too. It is shipped again
   * later, which changes nothing.
   */
  async #witnessLands(batch: Batch): Promise<boolean> {
    const others = batch.entries.slice(1);
    if (others.length === 0) return false;
    const { entry } = others[this.#witness++ % others.length]!;
    try {
      await this.#deliver([entry]);
      return true;
    } catch {
      return false; // Nothing is known about this entry; it is tried again when its turn comes.
    }
  }

  #bury(entry: Entry, reason: string): Promise<void> {
    return this.#folder.bury(deadLetterOf(entry, reason, this.#spool.clock.now()));
  }
}
