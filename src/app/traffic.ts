import { setTimeout as sleep } from 'node:timers/promises';
import { systemClock } from '../core/clock.js';
import type { LogRecord } from '../core/log-record.js';
import type { Logger } from '../core/logger.js';
import { LeaseKeeper } from '../policy/limits/lease-keeper.js';
import { type UsedOfCounter, usedByLogs } from '../policy/limits/rebuild.js';
import { type LimitObserver, TrafficLimits } from '../policy/limits/traffic-limits.js';
import { readPending } from '../spool/pending.js';
import type { Store } from '../store/store.js';

export interface TrafficOptions {
  /** The engine's part of the spool: its name, and the logs that have not been shipped. */
  spool: { id: string; path: string };
  /** What the processes of this engine have in common, where there are several. */
  group?: string;
  /** Absent in an engine that uses an admin service; its limits, also shared ones, are then its own. */
  store?: Pick<Store, 'leases' | 'usedByEngine'>;
  observer?: LimitObserver;
  logger: Logger;
}

const RETRY_MS = 5_000;
/** Logs of the spool that are read when the engine starts. */
const MOST_PENDING = 100_000;

/** The limits of an engine and their sources: leases in MongoDB, and the logs of an earlier run. */
export class Traffic {
  readonly limits: TrafficLimits;
  readonly #keeper?: LeaseKeeper;
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
  }

  /**
   * Adds up what this engine used before it started, from the logs in its spool and then from those in MongoDB.
   * Resolves once the spool was read, which must happen before shipping starts. Requests do not wait for MongoDB.
   */
  async restore(): Promise<void> {
    const { store, spool, logger } = this.options;
    const now = systemClock.now();
    const pending: LogRecord[] = [];
    for await (const { entry } of readPending(spool.path)) {
      const record = entry.kind === 'log' ? entry.record : undefined;
      if (record?.limits !== undefined) pending.push(record);
      if (pending.length === MOST_PENDING) break;
    }
    const fromSpool = usedByLogs(pending, now);
    this.limits.ledger.restore(fromSpool, now);
    if (store === undefined) return;
    const ids = pending.map(({ _id }) => _id);
    void this.#restoreLanded(store, ids, now).catch((err) => {
      if (!this.#stopping.signal.aborted)
        logger.error({ err }, 'usage that limits counted before this start could not be restored');
    });
  }

  async #restoreLanded(
    store: NonNullable<TrafficOptions['store']>,
    without: readonly string[],
    now: number,
  ): Promise<void> {
    const { signal } = this.#stopping;
    for (;;) {
      const used = await store
        .usedByEngine(this.options.spool.id, now, without)
        .catch((err: unknown): undefined => {
          this.options.logger.warn({ err }, 'usage that limits counted before this start cannot be read yet');
        });
      if (used !== undefined) return this.#add(used, now);
      await sleep(RETRY_MS, undefined, { signal });
    }
  }

  #add(used: readonly UsedOfCounter[], now: number): void {
    this.limits.ledger.restore(used, now);
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#keeper?.stop();
  }
}
