import { Worker } from 'node:worker_threads';
import { assertNever } from '../../../core/assert-never.js';
import type { Called, PluginFunction } from './call-with-deadline.js';
import { type FromThread, isFromThread, type ThreadData } from './protocol.js';

/** A call that waits for its answer. `timeoutMs` counts from when the thread has received it. */
export interface IsolatedCall {
  name: PluginFunction;
  input: object;
  timeoutMs: number;
  /** Whether its earlier thread was terminated because of another call. */
  moved: boolean;
  resolve(called: Called): void;
  /** Removes the call when its client disconnects. The thread sets it. */
  leave?: () => void;
}

const START_TIMEOUT_MS = 30_000;
/**
 * The heap limit of a thread. A guard that needs more is faulty, and without a limit it would take down the engine.
 */
const HEAP_MEGABYTES = 512;

/**
 * One thread with one plugin. It ends when one of its calls exceeds the deadline, when it fails, or when nobody uses
 * it. `onEnd` gets its remaining calls, so that they can be repeated elsewhere.
 */
export class IsolatedThread {
  readonly #worker: Worker;
  readonly #calls = new Map<number, IsolatedCall>();
  readonly #timers = new Map<number, NodeJS.Timeout>();
  readonly #onEnd: (thread: IsolatedThread, left: IsolatedCall[]) => void;
  readonly #startTimer: NodeJS.Timeout;
  #ready = false;
  #ended = false;
  #nextId = 1;

  constructor(data: ThreadData, onEnd: (thread: IsolatedThread, left: IsolatedCall[]) => void) {
    this.#onEnd = onEnd;
    this.#worker = startWorker(data);
    this.#worker.on('message', (message: unknown) => {
      // The plugin's code may post messages of its own, which are ignored.
      if (isFromThread(message)) this.#take(message);
    });
    this.#worker.on('error', (error) => this.#fail(`its thread failed: ${error.message}`));
    this.#worker.on('exit', () => this.#fail('its thread ended'));
    this.#worker.unref();
    this.#startTimer = setTimeout(
      () => this.#fail(`its thread did not start within ${START_TIMEOUT_MS} ms`),
      START_TIMEOUT_MS,
    );
  }

  get load(): number {
    return this.#calls.size;
  }

  send(call: IsolatedCall): void {
    const id = this.#nextId++;
    this.#calls.set(id, call);
    call.leave = () => {
      this.#worker.postMessage({ kind: 'abort', id });
      this.#finish(id, { end: 'disconnected' });
    };
    if (this.#ready) this.#startDeadline(id, call);
    try {
      this.#worker.postMessage({ kind: 'call', id, name: call.name, input: call.input });
    } catch (error) {
      this.#finish(id, { end: 'error', reason: `its input cannot be sent to a thread: ${String(error)}` });
    }
  }

  /** Terminates the thread and passes its remaining calls to `onEnd`. */
  async end(): Promise<void> {
    if (this.#ended) return;
    this.#ended = true;
    clearTimeout(this.#startTimer);
    for (const timer of this.#timers.values()) clearTimeout(timer);
    const left = [...this.#calls.values()];
    this.#calls.clear();
    this.#onEnd(this, left);
    await this.#worker.terminate();
  }

  #take(message: FromThread): void {
    switch (message.kind) {
      case 'ready':
        clearTimeout(this.#startTimer);
        this.#ready = true;
        for (const [id, call] of this.#calls) this.#startDeadline(id, call);
        break;
      case 'unusable':
        this.#fail(message.reason);
        break;
      case 'returned':
        this.#finish(message.id, { end: 'returned', value: message.value });
        break;
      case 'threw':
        this.#finish(message.id, { end: 'error', reason: message.reason });
        break;
      default:
        assertNever(message);
    }
  }

  #startDeadline(id: number, call: IsolatedCall): void {
    const timer = setTimeout(() => {
      this.#finish(id, {
        end: 'timeout',
        reason: `gave no result within ${call.timeoutMs} ms; its thread was ended`,
      });
      void this.end();
    }, call.timeoutMs);
    this.#timers.set(id, timer);
  }

  #finish(id: number, called: Called): void {
    clearTimeout(this.#timers.get(id));
    this.#timers.delete(id);
    const call = this.#calls.get(id);
    this.#calls.delete(id);
    call?.resolve(called);
  }

  /** Nobody knows which call was the cause, so all of them end. */
  #fail(reason: string): void {
    for (const id of [...this.#calls.keys()]) this.#finish(id, { end: 'error', reason });
    void this.end();
  }
}

/**
 * The thread's module has the same extension as this one: `thread.js` in `dist`. From TypeScript sources, as in
 * tests, the thread first registers a TypeScript loader.
 */
function startWorker(data: ThreadData): Worker {
  const isSource = import.meta.url.endsWith('.ts');
  const loader = new URL('../../../../test/support/typescript-loader.mjs', import.meta.url);
  return new Worker(new URL(isSource ? './thread.ts' : './thread.js', import.meta.url), {
    workerData: data,
    execArgv: isSource ? ['--import', loader.href] : [],
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MEGABYTES },
  });
}
