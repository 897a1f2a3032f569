import type { Provider } from '../../core/settings.js';

/** Frees a place among the concurrent requests of a provider. A second call does nothing. */
export type Release = () => void;

interface Waiting {
  enter(release: Release | undefined): void;
}

interface Gate {
  under: number;
  queue: Waiting[];
}

/** The most requests that wait for each place. More would only wait in vain. */
const WAITING_PER_PLACE = 4;

/**
 * Enforces `max_concurrent` of providers within this engine. A request without a place waits in a limited queue, for
 * a limited time.
 */
export class ProviderGates {
  readonly #gates = new Map<string, Gate>();

  /**
   * Takes a place, at once or later. Undefined where the provider has no limit. Resolves with undefined where
   * `queue_ms` or `mostMs` are over, the queue is full, or `signal` is aborted.
   */
  enter(
    provider: Provider,
    signal: () => AbortSignal,
    mostMs: () => number = () => Number.POSITIVE_INFINITY,
  ): { place: Release | undefined | Promise<Release | undefined> } | undefined {
    const { name, max_concurrent: most, queue_ms = 0 } = provider;
    if (most === undefined) return undefined;
    const gate = this.#gates.get(name) ?? { under: 0, queue: [] };
    this.#gates.set(name, gate);
    if (gate.under < most) return { place: this.#take(gate, most) };
    const patienceMs = queue_ms === 0 ? 0 : Math.min(queue_ms, mostMs());
    if (patienceMs <= 0 || gate.queue.length >= most * WAITING_PER_PLACE) return { place: undefined };
    return { place: this.#wait(gate, patienceMs, signal()) };
  }

  #take(gate: Gate, most: number): Release {
    gate.under++;
    let given = false;
    return () => {
      if (given) return;
      given = true;
      gate.under--;
      // The limit may have been lowered meanwhile.
      if (gate.under < most) gate.queue.shift()?.enter(this.#take(gate, most));
    };
  }

  #wait(gate: Gate, patienceMs: number, signal: AbortSignal): Promise<Release | undefined> {
    return new Promise((resolve) => {
      const waiting: Waiting = {
        enter: (release) => {
          clearTimeout(timer);
          signal.removeEventListener('abort', giveUp);
          resolve(release);
        },
      };
      const giveUp = () => {
        const at = gate.queue.indexOf(waiting);
        if (at !== -1) gate.queue.splice(at, 1);
        waiting.enter(undefined);
      };
      const timer = setTimeout(giveUp, patienceMs);
      signal.addEventListener('abort', giveUp);
      gate.queue.push(waiting);
      if (signal.aborted) giveUp();
    });
  }
}
