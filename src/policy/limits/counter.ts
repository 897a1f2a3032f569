import { admits, type CounterState, NOTHING_COUNTED, reserve, settle } from './counter-state.js';
import { type Answer, type Ask, LEASE_MS, sliceOf } from './lease.js';
import type { PreparedLimit } from './limit.js';
import { type WindowSpan, windowAt } from './windows.js';

/** How this engine stands to those that it shares limits with. */
export interface Standing {
  /** `away`: the store does not answer. `alone`: it has not answered for longer than a lease lasts. */
  state: 'together' | 'away' | 'alone';
  /** On the monotonic clock. */
  now: number;
}

/** How long a caller is asked to wait where others are about to release reservations. */
const SOON_MS = 1_000;

/** How often the store is asked again about an exhausted limit, at most. */
const EXHAUSTED_MS = 200;

/** A clock that was this far ahead when the window was opened has been set back since. */
const CLOCK_STEP_MS = 60_000;

/** The counter of one limit, for one subject, in one window. Usage of a past window never counts in another. */
export class Counter {
  state: CounterState = NOTHING_COUNTED;
  /** Absent for limits on concurrency, which have no window. */
  readonly span?: WindowSpan;
  /** The store's last answer, and when it came on the monotonic clock; absent until there was one. */
  #answer?: Answer & { at: number };
  /** The largest request since the last question to the store that was refused for lack of a grant. */
  #missed = 0;
  /** `used` and `reserved` at the last question to the store. */
  #reported?: CounterState;
  /**
   * What this engine has used according to the store, and does not know of: it was restarted, and its logs have not
   * been added up yet.
   */
  #forgotten = 0;
  /** What was added from logs since the last question to the store. */
  #restored = 0;
  /** How much of the amount a webhook was told of, in percent. */
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

  /** The configuration can change within a window. Another amount is a budget of its own for those who are told. */
  configure(limit: PreparedLimit): void {
    if (limit.amount !== this.#limit.amount) this.reportedPercent = 0;
    this.#limit = limit;
  }

  get isShared(): boolean {
    return this.limit.isShared;
  }

  /** Whether its window contains `now`, in epoch milliseconds, or is the next one for a clock that was corrected. */
  covers(now: number): boolean {
    return this.span === undefined || (now < this.span.end && now >= this.span.start - CLOCK_STEP_MS);
  }

  admits(estimate: number, standing: Standing): boolean {
    if (admits(this.state, estimate, this.allowed(standing))) return true;
    this.#missed = Math.max(this.#missed, estimate);
    return false;
  }

  /**
   * What this engine may use: everything where the limit is not shared, else what it was granted and a slice. An old
   * answer is no reason to use more, because the other engines may have used what was left then.
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

  /** After a lease has ended, as in a process that was stopped for a while, others may have what was granted. */
  #granted({ state, now }: Standing): number {
    if (this.#answer === undefined) return 0;
    const { granted, used, at } = this.#answer;
    return state === 'together' && now - at > LEASE_MS ? Math.min(granted, used) : granted;
  }

  get slice(): number {
    return sliceOf(this.limit.amount, this.limit.kind !== 'cost_usd');
  }

  /** What all engines together have left, as far as it is known here. */
  remaining(): number {
    const { used, reserved } = this.state;
    return Math.max(0, this.limit.amount - used - reserved - this.#usedElsewhere);
  }

  /** What all engines together have used. */
  usedByAll(): number {
    const used = this.limit.kind === 'concurrent' ? this.state.reserved : this.state.used;
    return used + this.#usedElsewhere;
  }

  /** By other engines, and by this one before it was restarted. */
  get #usedElsewhere(): number {
    return this.#forgotten + (this.#answer?.usedByOthers ?? 0);
  }

  retryAfterMs(estimate: number, now: number): number {
    // Of requests under way it is certain that they will count.
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

  /** Whether the store knows all that was counted here. */
  get isReported(): boolean {
    const { used, reserved } = this.state;
    return this.#missed === 0 && this.#reported?.used === used && this.#reported.reserved === reserved;
  }

  /** What to ask the store for. Without `busy`, what was granted in advance is returned. */
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
   * The store may grant what is returned to another engine before its answer arrives here, so it is not used from the
   * moment of the question on. If the question is lost, the store keeps it for this engine until the next one.
   */
  #giveBackAbove(wanted: number): void {
    const answer = this.#answer;
    if (answer !== undefined && answer.granted > wanted) this.#answer = { ...answer, granted: wanted };
  }

  /** Asks for half of what is left: busy engines get the most of it, and something stays for the others. */
  #ahead(): number {
    const left = this.#answer?.left ?? this.limit.amount;
    const half = this.limit.kind === 'cost_usd' ? left / 2 : Math.floor(left / 2);
    return Math.max(this.slice, this.#missed, half);
  }

  /** `at` is on the monotonic clock. */
  take(answer: Answer, at: number): void {
    this.#answer = { ...answer, at };
    if (this.limit.kind === 'concurrent') return;
    this.#forgotten = Math.max(0, answer.used - (this.#reported?.used ?? 0) - this.#restored);
  }

  /** The store did not answer; the same is asked again. */
  failed(): void {
    this.#reported = undefined;
  }
}
