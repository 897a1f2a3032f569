import type { Clock } from '../../core/clock.js';
import type { Logger } from '../../core/logger.js';
import type { Counter } from './counter.js';
import { type Answer, type Ask, LEASE_MS } from './lease.js';

/** One counter in a question to the store. */
export interface LeaseAsk extends Ask {
  key: string;
  /** The start of its window in epoch milliseconds; absent for limits on concurrency. */
  start?: number;
  end?: number;
}

/** Where engines share what they used; MongoDB. Rejects where it is unreachable. */
export interface LeaseStore {
  /** Answers in the order of the questions. */
  exchange(engine: string, asks: readonly LeaseAsk[]): Promise<Answer[]>;
}

/** How often changes are reported while nothing runs out. */
const ROUND_MS = 500;
/** An engine that stops using a counter returns what it was granted in advance after this time. */
const IDLE_MS = 2_000;
const RENEW_MS = LEASE_MS / 3;
const MOST_AT_ONCE = 500;

/**
 * Maintains the leases of an engine: asks for grants in advance, independent of requests, and returns what is not
 * needed.
 */
export class LeaseKeeper {
  readonly #known = new Map<Counter, { toldAt: number; idle: boolean }>();
  readonly #urgent = new Set<Counter>();
  #running: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isAway = false;
  #stopped = false;

  constructor(
    private readonly engine: string,
    private readonly store: LeaseStore,
    private readonly clock: Clock,
    private readonly logger: Pick<Logger, 'warn' | 'info'>,
  ) {}

  /** Called with each change of a shared counter; returns at once. */
  changed(counter: Counter): void {
    const entry = this.#known.get(counter);
    if (entry === undefined) this.#known.set(counter, { toldAt: 0, idle: false });
    else entry.idle = false;
    if (counter.isShort(this.clock.now())) {
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
    await this.#tell([...this.#known.keys()], false).catch(() => undefined);
  }

  #soon(): void {
    if (this.#running !== undefined || this.#stopped) return;
    this.#running = new Promise<void>((resolve) => setImmediate(resolve))
      .then(() => this.#round())
      .finally(() => {
        this.#running = undefined;
        // Urgent changes that arrived meanwhile are sent without waiting for the timer.
        if (this.#urgent.size > 0 && !this.#isAway) this.#soon();
      });
  }

  async #round(): Promise<void> {
    const now = this.clock.now();
    const due: Counter[] = [];
    for (const [counter, entry] of this.#known) {
      if (counter.hasPassed(now) && counter.isTold) this.#known.delete(counter);
      else if (this.#urgent.has(counter) || isDue(counter, entry, now)) due.push(counter);
      if (due.length === MOST_AT_ONCE) break;
    }
    for (const counter of due) this.#urgent.delete(counter);
    if (due.length > 0) await this.#tell(due, true);
  }

  async #tell(counters: readonly Counter[], mayTake: boolean): Promise<void> {
    const now = this.clock.now();
    const asks = counters.map((counter): LeaseAsk => {
      const busy = mayTake && now - counter.touchedAt < IDLE_MS;
      return { key: counter.key, start: counter.span?.start, end: counter.span?.end, ...counter.ask(busy) };
    });
    try {
      const answers = await this.store.exchange(this.engine, asks);
      for (const [index, counter] of counters.entries()) {
        counter.take(answers[index]!, now);
        const idle = now - counter.touchedAt >= IDLE_MS;
        this.#known.set(counter, { toldAt: now, idle });
      }
      if (this.#isAway) this.logger.info({}, 'shared limits are synchronised with the other engines again');
      this.#isAway = false;
    } catch (err) {
      for (const counter of counters) counter.failed();
      if (!this.#isAway) {
        this.logger.warn(
          { err },
          'shared limits cannot be synchronised with the other engines; each engine enforces them on its own',
        );
      }
      this.#isAway = true;
    }
  }
}

function isDue(counter: Counter, { toldAt, idle }: { toldAt: number; idle: boolean }, now: number): boolean {
  if (!counter.isTold) return true;
  if (idle) return counter.state.reserved > 0 && now - toldAt >= RENEW_MS;
  // Sent again after the counter becomes idle, to return grants, and before the lease ends.
  return now - counter.touchedAt >= IDLE_MS || now - toldAt >= RENEW_MS;
}
