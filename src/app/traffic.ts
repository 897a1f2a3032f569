import { setTimeout as sleep } from 'node:timers/promises';
import { systemClock } from '../core/clock.js';
import type { LogRecord } from '../core/log-record.js';
import type { Logger } from '../core/logger.js';
import { LeaseKeeper } from '../policy/limits/lease-keeper.js';
import type { RestoredFrom } from '../policy/limits/ledger.js';
import { type UsedOfCounter, usedByLogs } from '../policy/limits/rebuild.js';
import { type LimitedProject, type LimitObserver, TrafficLimits } from '../policy/limits/traffic-limits.js';
import { readPending } from '../spool/pending.js';
import type { Store } from '../store/store.js';

/** One process's part of the spool: its id, and the folder with its logs that were not shipped yet. */
export interface SpoolPart {
  id: string;
  path: string;
}

export interface TrafficOptions {
  spool: SpoolPart;
  /** What identifies the processes of one engine together, where there are several. */
  group?: string;
  /**
   * The spool parts of processes that this engine had in an earlier run with another number of workers. This process
   * continues their local counts.
   */
  former?: readonly SpoolPart[];
  /**
   * MongoDB; absent in an engine that uses an admin service. All its limits, also shared ones, are then counted by it alone.
   */
  store?: Pick<Store, 'leases' | 'usedByEngines'>;
  observer?: LimitObserver;
  /** The projects. Counters exist for those with limits; counters of removed limits are dropped. */
  projects: () => readonly LimitedProject[];
  logger: Logger;
}

const RETRY_MS = 5_000;
/** How often counters of limits that are no longer configured are dropped. */
const TIDY_MS = 60_000;
/** The most logs of the spool that are read when the engine starts. */
const MOST_PENDING = 100_000;

/** The limits of an engine and their sources: leases in MongoDB, and the logs of an earlier run. */
export class Traffic {
  readonly limits: TrafficLimits;
  readonly #keeper?: LeaseKeeper;
  readonly #tidying: NodeJS.Timeout;
  readonly #stopping = new AbortController();

  constructor(private readonly options: TrafficOptions) {
    const { spool, group = spool.id, store, observer, logger } = options;
    this.#keeper =
      store && new LeaseKeeper({ engine: spool.id, group, store: store.leases, clock: systemClock, logger });
    this.limits = new TrafficLimits({
      engine: spool.id,
      parted: options.group !== undefined,
      leases: this.#keeper,
      observer,
    });
    this.#tidying = setInterval(() => this.limits.keepOnly(options.projects()), TIDY_MS).unref();
  }

  /**
   * Adds up what this engine used before it started, from the logs in its spool and then from those in MongoDB.
   * Resolves once the spool was read, which must happen before shipping starts. Requests do not wait for MongoDB.
   */
  async restore(): Promise<void> {
    const { store, spool, former = [], logger } = this.options;
    const now = systemClock.now();
    const own = await this.#restorePending([spool], now, 'ofOwn');
    const others = await this.#restorePending(former, now, 'ofOthers');
    if (store === undefined) return;
    const restoreLanded = async () => {
      await this.#restoreLanded(store, [spool], own, now, 'ofOwn');
      if (former.length > 0) await this.#restoreLanded(store, former, others, now, 'ofOthers');
    };
    void restoreLanded().catch((err) => {
      if (!this.#stopping.signal.aborted)
        logger.error({ err }, 'usage that limits counted before this start could not be restored');
    });
  }

  /** The ids of the logs that were counted from the spool. */
  async #restorePending(parts: readonly SpoolPart[], now: number, by: RestoredFrom): Promise<string[]> {
    const pending: LogRecord[] = [];
    for (const { path } of parts) {
      for await (const { entry } of readPending(path)) {
        const record = entry.kind === 'log' ? entry.record : undefined;
        if (record?.limits !== undefined) pending.push(record);
        if (pending.length >= MOST_PENDING) break;
      }
    }
    this.#restore(usedByLogs(pending, now), now, by);
    return pending.map(({ _id }) => _id);
  }

  async #restoreLanded(
    store: NonNullable<TrafficOptions['store']>,
    parts: readonly SpoolPart[],
    without: readonly string[],
    now: number,
    by: RestoredFrom,
  ): Promise<void> {
    const { signal } = this.#stopping;
    const ids = parts.map(({ id }) => id);
    for (;;) {
      const used = await store.usedByEngines(ids, now, without).catch((err: unknown): undefined => {
        this.options.logger.warn({ err }, 'usage that limits counted before this start cannot be read yet');
      });
      if (used !== undefined) return this.#restore(used, now, by);
      await sleep(RETRY_MS, undefined, { signal });
    }
  }

  #restore(used: readonly UsedOfCounter[], now: number, by: RestoredFrom): void {
    this.limits.ledger.restore(used, now, by);
    // From now on other workers count these too, even where this worker gets no further request for them.
    if (by === 'ofOthers' && this.options.group !== undefined) {
      this.limits.open(
        this.options.projects(),
        used.map(({ key }) => key),
        now,
      );
    }
  }

  async stop(): Promise<void> {
    clearInterval(this.#tidying);
    this.#stopping.abort();
    await this.#keeper?.stop();
  }
}
