import type { LimitedKind } from '../../core/settings.js';
import type { Counter, Standing } from './counter.js';
import { Counters } from './counters.js';
import { counterKey, limitsOf, type PreparedLimit, type RequestFacts } from './limit.js';
import type { UsedOfCounter } from './rebuild.js';

/** The expected usage of an exchange. */
export type Estimate = Record<LimitedKind, number>;

/** The actual usage of an exchange that has ended. */
export interface Actual {
  requests: number;
  tokens: number;
  cost_usd: number;
}

/** A limit that counted an exchange, and its decision. */
export interface CountedLimit {
  limit: PreparedLimit;
  counter: Counter;
  outcome: 'passed' | 'warned' | 'fallback' | 'rejected';
}

export interface Decision {
  /** All limits that count this request, in the order of the configuration. */
  met: readonly CountedLimit[];
  /** Of the limits that refuse the request, the one with the longest wait. Nothing is reserved then. */
  refusal?: CountedLimit & { retryAfterMs: number };
  /** Whether the chain must skip its first model. */
  skipsFirst: boolean;
}

export interface LedgerOptions {
  /** Called when a shared counter has changed. */
  onShared?: (counter: Counter) => void;
  /** The contact with other engines. Without it, this engine enforces shared limits alone. */
  standing?: () => Standing;
  /** The most counters whose subjects clients can choose. */
  mostChosen?: number;
}

const ALONE: Standing = { state: 'alone', now: 0 };

/** Whose earlier usage is restored (see `restore`). */
export type RestoredFrom = 'ofOwn' | 'ofOthers';

/** Counts usage in memory, so every question is answered at once. */
export class Ledger {
  readonly #counters: Counters;
  readonly #onShared: (counter: Counter) => void;
  readonly #standing: () => Standing;
  /** Usage from before this process started, for counters that have not been used yet. */
  readonly #restored = {
    ofOwn: new Map<string, UsedOfCounter>(),
    ofOthers: new Map<string, UsedOfCounter>(),
  };
  #restoredAt = 0;

  constructor({ onShared = () => {}, standing = () => ALONE, mostChosen }: LedgerOptions = {}) {
    this.#counters = new Counters(mostChosen);
    this.#onShared = onShared;
    this.#standing = standing;
  }

  /**
   * Asks the limits whether a request may continue, and reserves the estimate if it may. `hasNext`: the chain has
   * another model. Without one, the action `fallback` refuses the request.
   */
  admit(
    limits: readonly PreparedLimit[],
    facts: RequestFacts,
    estimate: Estimate,
    options: { hasNext: boolean; now: number },
  ): Decision {
    const { hasNext, now } = options;
    const standing = this.#standing();
    const met: CountedLimit[] = [];
    let refusal: Decision['refusal'];
    let skipsFirst = false;
    for (const { limit, subject } of limitsOf(limits, facts)) {
      const counter = this.counter(counterKey(limit, subject), limit, now);
      const fits = counter.admits(estimate[limit.kind], standing);
      const outcome = fits ? 'passed' : outcomeOf(limit, hasNext);
      const counted: CountedLimit = { limit, counter, outcome };
      met.push(counted);
      skipsFirst ||= outcome === 'fallback';
      if (outcome !== 'rejected') continue;
      const retryAfterMs = counter.retryAfterMs(estimate[limit.kind], now);
      if (refusal === undefined || retryAfterMs > refusal.retryAfterMs)
        refusal = { retryAfterMs, ...counted };
    }
    if (refusal !== undefined) {
      // Grants that were missing are now requested from the store.
      for (const { counter } of met) if (counter.isShared) this.#onShared(counter);
      return { met, refusal, skipsFirst: false };
    }
    for (const { limit, counter } of met) {
      counter.reserve(estimate[limit.kind]);
      if (counter.isShared) this.#onShared(counter);
    }
    return { met, skipsFirst };
  }

  /** Called when the exchange has ended, once for each decision that did not refuse it. */
  settle(met: readonly CountedLimit[], estimate: Estimate, actual: Actual): void {
    for (const { limit, counter } of met) {
      counter.settle(estimate[limit.kind], limit.kind === 'concurrent' ? 0 : actual[limit.kind]);
      if (counter.isShared) this.#onShared(counter);
    }
  }

  /** The counter of the window that contains `now`. */
  counter(key: string, limit: PreparedLimit, now: number): Counter {
    return this.#counters.get(key, limit, now, this.#addRestored);
  }

  /**
   * Adds what was used before this start in the windows that contain `at`, which is the same in each call. `ofOwn`:
   * by this process in an earlier run. `ofOthers`: by processes that this engine no longer has. The store still has
   * their shares of shared limits, so those are left out.
   */
  restore(used: readonly UsedOfCounter[], at: number, by: RestoredFrom = 'ofOwn'): void {
    this.#restoredAt = at;
    const restored = this.#restored[by];
    for (const entry of used) {
      const { key, requests, tokens, cost_usd } = entry;
      const known = restored.get(key) ?? { requests: 0, tokens: 0, cost_usd: 0 };
      restored.set(key, {
        key,
        requests: known.requests + requests,
        tokens: known.tokens + tokens,
        cost_usd: known.cost_usd + cost_usd,
      });
    }
    for (const counter of this.#counters.all()) this.#addRestored(counter);
  }

  readonly #addRestored = (counter: Counter): void => {
    const { ofOwn, ofOthers } = this.#restored;
    this.#addFrom(ofOwn, counter);
    if (!counter.limit.limit.shared) this.#addFrom(ofOthers, counter);
  };

  #addFrom(restored: Map<string, UsedOfCounter>, counter: Counter): void {
    const entry = restored.get(counter.key);
    if (entry === undefined || counter.span === undefined) return;
    restored.delete(counter.key);
    const { start, end } = counter.span;
    if (this.#restoredAt < start || this.#restoredAt >= end) return;
    const { kind } = counter.limit;
    if (kind === 'concurrent') return;
    counter.restore(entry[kind]);
    if (counter.isShared) this.#onShared(counter);
  }

  /**
   * Drops the counters of all limits except those with these ids. Running exchanges settle with the counters they began with.
   */
  keepOnly(ids: ReadonlySet<string>): void {
    this.#counters.keepOnly(ids);
  }

  /** The counters of windows that are still open. */
  *counters(now: number): Generator<Counter> {
    for (const counter of this.#counters.all()) if (counter.covers(now)) yield counter;
  }

  get size(): number {
    return this.#counters.size;
  }
}

function outcomeOf({ limit }: PreparedLimit, hasNext: boolean): CountedLimit['outcome'] {
  if (limit.action === 'warn') return 'warned';
  return limit.action === 'fallback' && hasNext ? 'fallback' : 'rejected';
}
