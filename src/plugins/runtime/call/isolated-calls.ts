import { sourceOf } from '../prepare/plugin-source.js';
import type { HostContext, PreparedPlugin } from '../prepare/prepared-plugin.js';
import type { Called, PluginFunction } from './call-with-deadline.js';
import { type IsolatedCall, IsolatedThread } from './isolated-thread.js';

const THREADS_PER_ENTRY = 4;
const MOST_THREADS = 16;
const MOST_CALLS_PER_THREAD = 256;
const IDLE_MS = 60_000;

/** A thread, and the entry of the configuration that it works for. */
interface Seat {
  thread: IsolatedThread;
  prepared: PreparedPlugin;
  idleTimer?: NodeJS.Timeout;
}

/**
 * The threads of all entries with `isolate: true`. A call that finds no idle thread starts one, up to a few for each
 * entry. A thread that is idle for a minute ends, so threads of an old configuration disappear.
 */
export class IsolatedCalls {
  readonly #seats = new Set<Seat>();
  #closed = false;

  call(
    prepared: PreparedPlugin,
    name: PluginFunction,
    context: HostContext,
    content: object,
  ): Promise<Called> {
    const { signal, requestId, endpoint, metadata, headers } = context;
    if (signal.aborted) return Promise.resolve({ end: 'disconnected' });
    const timeoutMs = prepared.entry.timeout_ms;
    const input = { requestId, endpoint, metadata, headers, timeoutMs, ...content };
    return new Promise((resolve) => {
      const call: IsolatedCall = {
        name,
        input,
        timeoutMs,
        moved: false,
        resolve: (called) => {
          signal.removeEventListener('abort', onDisconnect);
          resolve(called);
        },
      };
      const onDisconnect = () => call.leave?.();
      signal.addEventListener('abort', onDisconnect, { once: true });
      this.#dispatch(prepared, call);
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all([...this.#seats].map((seat) => seat.thread.end()));
  }

  #dispatch(prepared: PreparedPlugin, call: IsolatedCall): void {
    const seat = this.#closed ? undefined : this.#seatFor(prepared);
    if (seat === undefined) {
      call.resolve({ end: 'error', reason: 'no thread was free for it' });
      return;
    }
    clearTimeout(seat.idleTimer);
    const { resolve } = call;
    call.resolve = (called) => {
      if (seat.thread.load === 0) this.#startIdleTimer(seat);
      resolve(called);
    };
    seat.thread.send(call);
  }

  /** An idle thread of the entry, else a new one, else the one with the fewest calls. */
  #seatFor(prepared: PreparedPlugin): Seat | undefined {
    const own = [...this.#seats].filter((seat) => seat.prepared === prepared);
    const leastBusy = own.sort((a, b) => a.thread.load - b.thread.load)[0];
    if (leastBusy?.thread.load === 0) return leastBusy;
    if (own.length < THREADS_PER_ENTRY && this.#makeRoom()) return this.#open(prepared);
    return leastBusy !== undefined && leastBusy.thread.load < MOST_CALLS_PER_THREAD ? leastBusy : undefined;
  }

  /** Whether another thread may start. Where the limit is reached, an idle thread is ended first. */
  #makeRoom(): boolean {
    if (this.#seats.size < MOST_THREADS) return true;
    const idle = [...this.#seats].find((seat) => seat.thread.load === 0);
    if (idle === undefined) return false;
    void idle.thread.end();
    return true;
  }

  #open(prepared: PreparedPlugin): Seat | undefined {
    const source = sourceOf(prepared.plugin);
    if (source === undefined) return undefined;
    const { plugin, config } = prepared.entry;
    const thread = new IsolatedThread({ source, plugin, config }, (_, left) => {
      clearTimeout(seat.idleTimer);
      this.#seats.delete(seat);
      for (const call of left) this.#moveOn(prepared, call);
    });
    const seat: Seat = { thread, prepared };
    this.#seats.add(seat);
    return seat;
  }

  /**
   * Repeats a call whose thread was terminated because of another call. It is repeated only once, because after a
   * second time the call itself may be the cause.
   */
  #moveOn(prepared: PreparedPlugin, call: IsolatedCall): void {
    if (call.moved) {
      call.resolve({ end: 'error', reason: 'its thread was ended twice for other calls' });
      return;
    }
    call.moved = true;
    this.#dispatch(prepared, call);
  }

  #startIdleTimer(seat: Seat): void {
    clearTimeout(seat.idleTimer);
    seat.idleTimer = setTimeout(() => void seat.thread.end(), IDLE_MS);
    seat.idleTimer.unref();
  }
}
