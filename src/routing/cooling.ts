import type { Clock } from '../core/clock.js';
import type { FallbackReason } from '../core/settings.js';
import { modelKey } from './plan.js';

/** After this many consecutive failures that together took this long, a model is left out of new chains. */
const FAILURES_BEFORE_COOLING = 10;
/**
 * How long the failures must have taken together. A model that fails immediately costs nobody time, so it keeps its
 * place in the chain.
 */
const LOST_BEFORE_COOLING_MS = 10_000;
const FIRST_COOLING_MS = 1_000;
const LONGEST_COOLING_MS = 60_000;
/** The longest `retry-after` of a provider that is respected. */
const LONGEST_RETRY_AFTER_MS = 300_000;
/** The longest pause that a provider's rate-limit headers can cause. */
const LONGEST_PAUSE_MS = 60_000;
/** How long a probe of a cooled model excludes it for others, if the result of the probe never arrives. */
const LONGEST_PROBE_MS = 60_000;

/** A model of a provider, with the names in the configuration. */
export interface Model {
  provider: string;
  model: string;
}

/** What a failed attempt cost. */
export interface FailureCost {
  /** Its duration in milliseconds. */
  lostMs: number;
  /** The `retry-after` of a rate limit, in milliseconds. */
  retryAfterMs?: number;
}

interface ModelState {
  failures: number;
  /** The total duration of these failures. */
  lostMs: number;
  /** Until when the model is left out, on the monotonic clock. */
  coolsUntil: number;
  coolings: number;
  /** When the one request that probes the model after its cooling began. */
  probedAt?: number;
}

/**
 * Leaves models that keep failing, and make clients wait, out of new chains. Envoy's outlier detection cannot do
 * that, because it sees only clusters. One success forgets all failures. State is kept per configured model, so the
 * configuration limits its size.
 */
export class Cooling {
  readonly #models = new Map<string, ModelState>();
  /** Until when models are left out because their provider reported an exhausted limit, on the monotonic clock. */
  readonly #pauses = new Map<string, number>();

  constructor(
    private readonly clock: Clock,
    private readonly onCooling: (model: Model, coolingMs: number) => void = () => {},
  ) {}

  isCooling(model: Model): boolean {
    const key = modelKey(model);
    const now = this.clock.monotonic();
    if ((this.#pauses.get(key) ?? 0) > now) return true;
    const state = this.#models.get(key);
    if (state === undefined) return false;
    if (state.coolsUntil > now) return true;
    // Half open: one request probes the model, and the others skip it until the result is known.
    return state.probedAt !== undefined && now - state.probedAt < LONGEST_PROBE_MS;
  }

  /** Called when an attempt at the model begins. */
  began(model: Model): void {
    const state = this.#models.get(modelKey(model));
    const now = this.clock.monotonic();
    if (state !== undefined && state.coolings > 0 && state.coolsUntil <= now) state.probedAt ??= now;
  }

  /** Called when an attempt ended in a way that says nothing about the model. */
  saidNothing(model: Model): void {
    const state = this.#models.get(modelKey(model));
    if (state !== undefined) state.probedAt = undefined;
  }

  /** Called when its provider announced that it will refuse requests for this long. Only new chains leave the model out. */
  pause(model: Model, pauseMs: number): void {
    this.#pauses.set(modelKey(model), this.clock.monotonic() + Math.min(pauseMs, LONGEST_PAUSE_MS));
  }

  succeeded(model: Model): void {
    this.#models.delete(modelKey(model));
  }

  failed(model: Model, reason: Exclude<FallbackReason, 'invalid_output'>, cost: FailureCost): void {
    const key = modelKey(model);
    const state = this.#models.get(key) ?? { failures: 0, lostMs: 0, coolsUntil: 0, coolings: 0 };
    this.#models.set(key, state);
    state.failures++;
    state.lostMs += cost.lostMs;
    state.probedAt = undefined;
    const asked = reason === 'rate_limited' ? Math.min(cost.retryAfterMs ?? 0, LONGEST_RETRY_AFTER_MS) : 0;
    if (state.failures < FAILURES_BEFORE_COOLING) return;
    if (asked === 0 && state.lostMs < LOST_BEFORE_COOLING_MS) return;
    const now = this.clock.monotonic();
    // Attempts that were already running when the cooling began bring no new information.
    if (state.coolsUntil > now) return;
    const coolingMs = Math.max(asked, Math.min(FIRST_COOLING_MS * 2 ** state.coolings, LONGEST_COOLING_MS));
    state.coolsUntil = now + coolingMs;
    state.coolings++;
    // After a cooling, a single failure is enough to cool the model again, for longer.
    state.failures = FAILURES_BEFORE_COOLING - 1;
    this.onCooling(model, coolingMs);
  }
}

/**
 * `retry-after` in milliseconds: seconds, or an HTTP date (RFC 9110, section 10.2.3). Undefined where it is not
 * readable.
 */
export function retryAfterMs(header: string | undefined, nowMs: number): number | undefined {
  if (header === undefined) return undefined;
  const seconds = Number(header);
  if (header.trim() !== '' && Number.isFinite(seconds)) return seconds >= 0 ? seconds * 1000 : undefined;
  const date = Date.parse(header);
  return Number.isNaN(date) ? undefined : Math.max(0, date - nowMs);
}
