import type { Clock } from '../core/clock.js';
import type { FallbackReason } from '../core/settings.js';
import { modelKey } from './plan.js';

/** After so many failures in a row a model is left out of new chains. */
const FAILURES_BEFORE_COOLING = 10;
/** The same where the provider itself asks for a pause, with `retry-after`. */
const ASKED_BEFORE_COOLING = 3;
const FIRST_COOLING_MS = 1_000;
const LONGEST_COOLING_MS = 60_000;
/** A provider's own `retry-after` is believed up to here. */
const LONGEST_RETRY_AFTER_MS = 300_000;

/** A model of a provider, as the configuration names both. */
export interface Model {
  provider: string;
  model: string;
}

interface ModelState {
  failures: number;
  /** On the monotonic clock. */
  coolsUntil: number;
  coolings: number;
}

/**
 * Leaves out of new chains the models that keep failing. Envoy's outlier detection cannot: it sees only
 * clusters, and counts a failed validation against the whole provider. One success forgets all failures.
 * State is per provider/model of the configuration, so its size is bounded by that.
 */
export class Cooling {
  readonly #models = new Map<string, ModelState>();

  constructor(
    private readonly clock: Clock,
    private readonly onCooling: (model: Model, coolingMs: number) => void = () => {},
  ) {}

  isCooling(model: Model): boolean {
    const state = this.#models.get(modelKey(model));
    return state !== undefined && state.coolsUntil > this.clock.monotonic();
  }

  succeeded(model: Model): void {
    this.#models.delete(modelKey(model));
  }

  /** `retryAfterMs` is what a rate limit asked for. */
  failed(model: Model, reason: Exclude<FallbackReason, 'invalid_output'>, retryAfterMs?: number): void {
    const key = modelKey(model);
    const state = this.#models.get(key) ?? { failures: 0, coolsUntil: 0, coolings: 0 };
    this.#models.set(key, state);
    state.failures++;
    const asked = reason === 'rate_limited' ? Math.min(retryAfterMs ?? 0, LONGEST_RETRY_AFTER_MS) : 0;
    if (state.failures < (asked > 0 ? ASKED_BEFORE_COOLING : FAILURES_BEFORE_COOLING)) return;
    const now = this.clock.monotonic();
    // Attempts that were under way when it began to cool say nothing new.
    if (state.coolsUntil > now) return;
    const coolingMs = Math.max(asked, Math.min(FIRST_COOLING_MS * 2 ** state.coolings, LONGEST_COOLING_MS));
    state.coolsUntil = now + coolingMs;
    state.coolings++;
    // The next failure after cooling is enough to cool again, for longer.
    state.failures = FAILURES_BEFORE_COOLING - 1;
    this.onCooling(model, coolingMs);
  }
}

/** `retry-after` in milliseconds: seconds, or an HTTP date (RFC 9110, section 10.2.3). Undefined where unreadable. */
export function retryAfterMs(header: string | undefined, nowMs: number): number | undefined {
  if (header === undefined) return undefined;
  const seconds = Number(header);
  if (header.trim() !== '' && Number.isFinite(seconds)) return seconds >= 0 ? seconds * 1000 : undefined;
  const date = Date.parse(header);
  return Number.isNaN(date) ? undefined : Math.max(0, date - nowMs);
}
