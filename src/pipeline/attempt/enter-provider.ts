import { SluiceError } from '../../core/errors.js';
import type { Exchange } from '../exchange/exchange.js';
import type { Services } from '../exchange/ports.js';
import { providerOf } from './prepare-attempt.js';

/**
 * Takes a place at the provider of the next try, where that has a bound, and waits for it as long as its queue lasts. Gives
 * false where there is none. Nothing is waited for, and undefined is given, where the provider has no bound.
 */
export function enterProvider(exchange: Exchange, services: Services): undefined | Promise<boolean> {
  const choice = exchange.plan?.models[exchange.attempts.length];
  const provider = choice && providerOf(exchange, choice, services);
  const entered = provider && services.gates.enter(provider, () => exchange.signal);
  if (entered === undefined) return undefined;
  return Promise.resolve(entered.place).then((release) => {
    // Its client may have left while a place became free.
    if (exchange.ended) release?.();
    else exchange.place = release;
    return release !== undefined;
  });
}

/** The same before the first try: models whose providers have no place are left out. Throws `overloaded` where none has. */
export async function enterFirstProvider(exchange: Exchange, services: Services): Promise<void> {
  for (;;) {
    const entering = enterProvider(exchange, services);
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
    'The provider of the model has as many requests as it may have at a time. Try again later.',
  );
}
