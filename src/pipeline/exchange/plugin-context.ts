import type { JsonObject } from '../../core/json.js';
import type { HostContext } from '../../plugins/runtime/host.js';
import type { StandIns } from '../../plugins/stand-ins/stand-ins.js';
import type { Exchange } from './exchange.js';

/**
 * The most texts that plugins are shown. Each takes some objects, and so many block the event loop for a tenth of a second.
 */
export const MOST_SHOWN_TEXTS = 200_000;

const NO_METADATA: JsonObject = {};

/** What the plugins of an exchange may know about it. `standIns`: an observer has stand-ins of its own. */
export function hostContext(exchange: Exchange, standIns: StandIns = exchange.standIns): HostContext {
  return new ExchangeContext(exchange, standIns);
}

/** A context whose signal is created only where somebody uses it. */
class ExchangeContext implements HostContext {
  readonly #exchange: Exchange;

  constructor(
    exchange: Exchange,
    readonly standIns: StandIns,
  ) {
    this.#exchange = exchange;
  }

  get requestId(): string {
    return this.#exchange.id;
  }

  get endpoint(): string {
    return this.#exchange.endpoint?.name ?? '';
  }

  get metadata(): JsonObject {
    return this.#exchange.received?.metadata ?? NO_METADATA;
  }

  get headers(): Readonly<Record<string, string>> {
    return this.#exchange.headers;
  }

  get exchange(): object {
    return this.#exchange.token;
  }

  get signal(): AbortSignal {
    return this.#exchange.signal;
  }

  get disconnected(): boolean {
    return this.#exchange.isCancelled;
  }
}
