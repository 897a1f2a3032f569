import { admits, type CounterState, NOTHING_COUNTED, reserve, settle } from './counter-state.js';
import { type Answer, type Ask, LEASE_MS, sliceOf } from './lease.js';
import type { PreparedLimit } from './limit.js';
import { type WindowSpan, windowAt } from './windows.js';

/** Whether this engine is in contact with those with which it shares limits. */
export interface Standing {
  /**
   * `together`: the store answers. `away`: it does not answer. `alone`: it has not answered for longer than a lease lasts.
   */
  state: 'together' | 'away' | 'alone';
  /** The time on the monotonic clock. */
  now: number;
}

/** How long a caller should wait where others are about to release reservations. */
const SOON_MS = 1_000;

/** The shortest time between two questions to the store about an exhausted limit. */
const EXHAUSTED_MS = 200;

/**
 * Where the time is this much before the window, the clock was ahead when the window was opened and has been set back since.
 */
const CLOCK_STEP_MS = 60_000;

/** The counter of one limit, for one subject, in one window. Usage of a past window never counts in another. */
export class Counter {
  state: CounterState = NOTHING_COUNTED;
  /** Absent for limits on concurrency, which have no window. */
  readonly span?: WindowSpan;
  /** The store's last answer, with its time on the monotonic clock; absent until there is one. */
  #answer?: Answer & { at: number };
  /** The largest request that was refused since the last question to the store because no grant was left. */
  #missed = 0;
  /** The values of `used` and `reserved` at the last question to the store. */
  #reported?: CounterState;
  /**
   * What this engine has used according to the store but does not know itself: it was restarted, and its logs have
   * not been added up yet.
   */
  #forgotten = 0;
  /** What was added from logs since the last question to the store. */
  #restored = 0;
  /** The percentage of the amount that was last reported to a webhook. */
  reportedPercent = 0;
  #limit: PreparedLimit;

  constructor(
    readonly key: string,
    limit: PreparedLimit,
    now: number,
  ) {
    this.#limit = limit;
    const { window } = limit.limit;
    if (window !== undefined) this.span = windowAt(window, now);
  }

  get limit(): PreparedLimit {
    return this.#limit;
  }

  /** Applies a changed configuration, also within a window. A changed amount counts as another budget for reports. */
  configure(limit: PreparedLimit): void {
    if (limit.amount !== this.#limit.amount) this.reportedPercent = 0;
    this.#limit = limit;
  }

  get isShared(): boolean {
    return this.limit.isShared;
  }

  /**
   * Whether `now`, in epoch milliseconds, is in the counter's window, or so shortly before it that the clock was corrected.
   */
  covers(now: number): boolean {
    return this.span === undefined || (now < this.span.end && now >= this.span.start - CLOCK_STEP_MS);
  }

  admits(estimate: number, standing: Standing): boolean {
    if (admits(this.state, estimate, this.allowed(standing))) return true;
    this.#missed = Math.max(this.#missed, estimate);
    return false;
  }

  /**
   * How much this engine may use: all of it where the limit is not shared, else what it was granted and a small share. An old
   * answer of the store does not allow more, because the other engines may have used what was left then.
   */
  allowed(standing: Standing): number {
    const { amount } = this.limit;
    if (!this.isShared) return amount;
    const { left = amount, usedByOthers = 0 } = this.#answer ?? {};
    const granted = this.#granted(standing);
    const usable =
      standing.state === 'alone'
        ? Math.max(granted, amount - usedByOthers)
        : Math.min(amount, granted + Math.min(this.slice, left));
    return usable - this.#forgotten;
  }

  /** What is granted. After a lease has ended, as in a process that was stopped for a while, others may have the grant. */
  #granted({ state, now }: Standing): number {
    if (this.#answer === undefined) return 0;
    const { granted, used, at } = this.#answer;
    return state === 'together' && now - at > LEASE_MS ? Math.min(granted, used) : granted;
  }

  get slice(): number {
    return sliceOf(this.limit.amount, this.limit.kind !== 'cost_usd');
  }

  /** How much all engines together have left, as far as it is known here. */
  remaining(): number {
    const { used, reserved } = this.state;
    return Math.max(0, this.limit.amount - used - reserved - this.#usedElsewhere);
  }

  /** How much all engines together have used. */
  usedByAll(): number {
    const used = this.limit.kind === 'concurrent' ? this.state.reserved : this.state.used;
    return used + this.#usedElsewhere;
  }

  /** What other engines used, and this one before it was restarted. */
  get #usedElsewhere(): number {
    return this.#forgotten + (this.#answer?.usedByOthers ?? 0);
  }

  retryAfterMs(estimate: number, now: number): number {
    // Running requests are certain to count.
    const certain = this.usedByAll() + (this.limit.kind === 'requests' ? this.state.reserved : 0);
    const usedUp = certain + Math.min(estimate, this.slice) > this.limit.amount;
    return this.span !== undefined && usedUp ? Math.max(1, this.span.end - now) : SOON_MS;
  }

  /** Adds what logs say was used before this start. */
  restore(amount: number): void {
    this.state = { used: this.state.used + amount, reserved: this.state.reserved };
    this.#forgotten = Math.max(0, this.#forgotten - amount);
    this.#restored += amount;
  }

  reserve(estimate: number): void {
    this.state = reserve(this.state, estimate);
  }

  settle(estimate: number, actual: number): void {
    this.state = settle(this.state, estimate, actual);
  }

  /** Whether the store must be asked soon, because this engine may run out. `now` is on the monotonic clock. */
  isShort(now: number): boolean {
    const answer = this.#answer;
    if (answer === undefined) return true;
    // Nothing is left to grant, so asking at each refusal would be useless.
    if (answer.left === 0 && now - answer.at < EXHAUSTED_MS) return false;
    if (this.#missed > 0) return true;
    return this.allowed({ state: 'together', now }) - this.state.used - this.state.reserved <= this.slice;
  }

  /** Whether the store knows everything that was counted here. */
  get isReported(): boolean {
    const { used, reserved } = this.state;
    return this.#missed === 0 && this.#reported?.used === used && this.#reported.reserved === reserved;
  }

  /** What to ask the store for. Where `busy` is false, grants in advance are returned. */
  ask(busy: boolean): Ask {
    const { used, reserved } = this.state;
    const isLevel = this.limit.kind === 'concurrent';
    const forgotten = this.#forgotten;
    const wanted = used + forgotten + reserved + (busy ? this.#ahead() : 0);
    this.#reported = this.state;
    this.#restored = 0;
    this.#missed = 0;
    this.#giveBackAbove(wanted);
    return { used: isLevel ? reserved : used + forgotten, wanted, amount: this.limit.amount, isLevel };
  }

  /**
   * Returns a part of the grant. The store may grant it to another engine before its answer arrives here, so it is not used
   * from the moment of the question on. If the question is lost, the store keeps it for this engine until the next one.
   */
  #giveBackAbove(wanted: number): void {
    const answer = this.#answer;
    if (answer !== undefined && answer.granted > wanted) this.#answer = { ...answer, granted: wanted };
  }

  /**
   * How much to ask for in advance: half of what is left. So busy engines get most of it, and something stays for the others.
   */
  #ahead(): number {
    const left = this.#answer?.left ?? this.limit.amount;
    const half = this.limit.kind === 'cost_usd' ? left / 2 : Math.floor(left / 2);
    return Math.max(this.slice, this.#missed, half);
  }

  /** Takes the store's answer. `at` is on the monotonic clock. */
  take(answer: Answer, at: number): void {
    this.#answer = { at, ...answer };
    if (this.limit.kind === 'concurrent') return;
    this.#forgotten = Math.max(0, answer.used - (this.#reported?.used ?? 0) - this.#restored);
  }

  /** Called where the store did not answer. The next question asks for the same. */
  failed(): void {
    this.#reported = undefined;
  }
}
