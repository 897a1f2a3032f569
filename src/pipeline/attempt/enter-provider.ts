import { SluiceError } from '../../core/errors.js';
import type { Exchange } from '../exchange/exchange.js';
import type { Services } from '../exchange/ports.js';
import { providerOf } from './prepare-attempt.js';

/**
 * Takes a place at the provider of the next attempt, and waits up to its `queue_ms` for one, but no longer than the
 * request may take. Resolves to false where no place became free. Returns undefined at once where the provider has no
 * `max_concurrent`.
 */
export function enterProvider(exchange: Exchange, services: Services): undefined | Promise<boolean> {
  const choice = exchange.plan?.models[exchange.attempts.length];
  const provider = choice && providerOf(exchange, choice, services);
  const mostMs = () => timeLeft(exchange, services);
  const entered = provider && services.gates.enter(provider, () => exchange.signal, mostMs);
  if (entered === undefined) return undefined;
  return Promise.resolve(entered.place).then((release) => {
    // The client may have disconnected while the attempt waited.
    if (exchange.ended) release?.();
    else exchange.place = release;
    return release !== undefined;
  });
}

/** Milliseconds that are left for all attempts. */
function timeLeft({ startedMonotonic, endpoint }: Exchange, { clock }: Services): number {
  return startedMonotonic + endpoint!.total_timeout_ms - clock.monotonic();
}

/**
 * Does the same before the first attempt, and skips models whose providers have no free place. Rejects with
 * `overloaded` where none has one. Undefined where the first provider has no `max_concurrent`.
 */
export function enterFirstProvider(exchange: Exchange, services: Services): Promise<void> | undefined {
  const entering = enterProvider(exchange, services);
  return entering && enterOrSkip(exchange, services, entering);
}

async function enterOrSkip(exchange: Exchange, services: Services, first: Promise<boolean>): Promise<void> {
  for (let entering: Promise<boolean> | undefined = first; ; entering = enterProvider(exchange, services)) {
    if (entering === undefined || (await entering) || exchange.ended) return;
    const plan = exchange.plan!;
    const [, ...rest] = plan.models;
    if (rest.length === 0 || !exchange.endpoint!.fallback_on.includes('rate_limited')) throw noPlace();
    exchange.plan = { ...plan, models: rest };
  }
}

export function noPlace(): SluiceError {
  return new SluiceError(
    'overloaded',
    'The provider of the model is at its limit of concurrent requests. Try again later.',
  );
}
