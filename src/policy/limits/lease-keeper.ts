import type { Clock } from '../../core/clock.js';
import type { Logger } from '../../core/logger.js';
import type { Counter, Standing } from './counter.js';
import { type Answer, type Ask, LEASE_MS } from './lease.js';

/** A question to the store about one counter. */
export interface LeaseAsk extends Ask {
  key: string;
  /** The start of its window in epoch milliseconds; absent for limits on concurrency. */
  start?: number;
  end?: number;
}

/** The store, MongoDB, in which engines share what they used. Rejects where it is unreachable. */
export interface LeaseStore {
  /** Sends the questions of an engine. The answers are in the order of the questions. */
  exchange(engine: string, asks: readonly LeaseAsk[]): Promise<Answer[]>;
}

/** How often changes are reported while nothing runs out. */
const ROUND_MS = 500;
/** An engine that stops using a counter returns what it was granted in advance after this time. */
const IDLE_MS = 2_000;
const RENEW_MS = LEASE_MS / 3;
const MOST_AT_ONCE = 500;

/** What is known about a counter that is in use. Times are on the monotonic clock. */
interface Lease {
  changedAt: number;
  toldAt: number;
  /** Whether the grants in advance have been returned. */
  isReturned: boolean;
}

export interface LeaseKeeperOptions {
  /** Identifies this process among all that share limits. */
  engine: string;
  /** What identifies the processes of one engine together. They count even unshared limits together. */
  group: string;
  store: LeaseStore;
  clock: Clock;
  logger: Pick<Logger, 'warn' | 'info'>;
}

/**
 * Maintains the leases of an engine: asks for grants in advance, independent of requests, and returns what is not
 * needed.
 */
export class LeaseKeeper {
  /** The counters in use. Those that were reported last are at the end. */
  readonly #leases = new Map<Counter, Lease>();
  readonly #urgent = new Set<Counter>();
  #running: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  /**
   * The time on the monotonic clock since which the store has failed to answer. A question that still waits for its
   * answer does not count as a failure, because this process may have been stopped meanwhile.
   */
  #failingSince: number | undefined;
  #stopped = false;

  constructor(private readonly options: LeaseKeeperOptions) {}

  /**
   * Whether this engine is in contact with the others. Where the store has not answered for longer than a lease
   * lasts, each engine enforces its limits alone.
   */
  get standing(): Standing {
    const now = this.options.clock.monotonic();
    const since = this.#failingSince;
    if (since === undefined) return { state: 'together', now };
    return { state: now - since > LEASE_MS ? 'alone' : 'away', now };
  }

  get #isAway(): boolean {
    return this.#failingSince !== undefined;
  }

  /** Called with each change of a shared counter. Returns at once. */
  changed(counter: Counter): void {
    const now = this.options.clock.monotonic();
    const lease = this.#leases.get(counter);
    if (lease === undefined) {
      this.#leases.set(counter, { changedAt: now, toldAt: Number.NEGATIVE_INFINITY, isReturned: false });
    } else {
      lease.changedAt = now;
      lease.isReturned = false;
    }
    if (counter.isShort(now)) {
      this.#urgent.add(counter);
      if (!this.#isAway) this.#soon();
    }
    this.#timer ??= setInterval(() => this.#soon(), ROUND_MS).unref();
  }

  /** Reports the usage a last time and returns all grants. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearInterval(this.#timer);
    await this.#running;
    await this.#tell([...this.#leases], false);
  }

  #soon(): void {
    if (this.#running !== undefined || this.#stopped) return;
    let isFull = false;
    this.#running = new Promise<void>((resolve) => setImmediate(resolve))
      .then(async () => {
        isFull = await this.#round();
      })
      .finally(() => {
        this.#running = undefined;
        // What is left over, and urgent changes that arrived meanwhile, are sent without waiting for the timer.
        if ((isFull || this.#urgent.size > 0) && !this.#isAway) this.#soon();
      });
  }

  /** Sends one message. Returns whether more is due than fits into it. */
  async #round(): Promise<boolean> {
    const { clock } = this.options;
    const [now, wallTime] = [clock.monotonic(), clock.now()];
    const due: [Counter, Lease][] = [];
    for (const [counter, lease] of this.#leases) {
      const isIdle = lease.isReturned && counter.state.reserved === 0;
      if (counter.isReported && (isIdle || !counter.covers(wallTime))) this.#leases.delete(counter);
      else if (this.#urgent.has(counter) || isDue(counter, lease, now)) due.push([counter, lease]);
      if (due.length === MOST_AT_ONCE) break;
    }
    const isFull = due.length === MOST_AT_ONCE;
    if (isFull) for (const [counter] of due) this.#urgent.delete(counter);
    else this.#urgent.clear();
    await this.#tell(due, true);
    return isFull;
  }

  async #tell(due: readonly [Counter, Lease][], mayTake: boolean): Promise<void> {
    if (due.length === 0) return;
    const { engine, store, clock } = this.options;
    const now = clock.monotonic();
    const busy = due.map(([, { changedAt }]) => mayTake && now - changedAt < IDLE_MS);
    const asks = due.map(([counter], index) => this.#askOf(counter, busy[index]!));
    try {
      const answers = await store.exchange(engine, asks);
      for (const [index, [counter, lease]] of due.entries()) {
        counter.take(answers[index]!, now);
        lease.toldAt = now;
        if (lease.changedAt <= now) lease.isReturned = !busy[index];
        this.#leases.delete(counter);
        this.#leases.set(counter, lease);
      }
      this.#answered();
    } catch (err) {
      for (const [counter] of due) counter.failed();
      this.#failed(err);
    }
  }

  #askOf(counter: Counter, busy: boolean): LeaseAsk {
    const { key, span, limit } = counter;
    return {
      key: limit.limit.shared ? key : `${this.options.group}/${key}`,
      start: span?.start,
      end: span?.end,
      ...counter.ask(busy),
    };
  }

  #answered(): void {
    if (this.#isAway) {
      this.options.logger.info({}, 'shared limits are synchronised with the other engines again');
    }
    this.#failingSince = undefined;
  }

  #failed(err: unknown): void {
    if (!this.#isAway) {
      this.options.logger.warn(
        { err },
        'shared limits cannot be synchronised with the other engines; each engine enforces them on its own',
      );
    }
    this.#failingSince ??= this.options.clock.monotonic();
  }
}

function isDue(counter: Counter, { toldAt, changedAt, isReturned }: Lease, now: number): boolean {
  if (!counter.isReported) return true;
  if (isReturned) return counter.state.reserved > 0 && now - toldAt >= RENEW_MS;
  // A counter is reported again when it becomes idle, to return grants, and before the lease ends.
  return now - changedAt >= IDLE_MS || now - toldAt >= RENEW_MS;
}
