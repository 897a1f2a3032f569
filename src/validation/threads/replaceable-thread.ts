import type { Worker } from 'node:worker_threads';
import type { Job } from '../thread-protocol.js';
import { LivingThread, type Outcome } from './living-thread.js';

const IDLE_MS = 60_000;

/**
 * One thread at a time. A thread that ran into a deadline or died is replaced by a new one. A thread that had nothing to
 * do for a minute is ended, which frees its memory.
 */
export class ReplaceableThread {
  readonly #start: () => Worker;
  readonly #idleMs: number;
  #living: LivingThread | undefined;
  #idle: NodeJS.Timeout | undefined;
  #working = false;
  #closed = false;

  constructor(start: () => Worker, idleMs = IDLE_MS) {
    this.#start = start;
    this.#idleMs = idleMs;
  }

  /** Starts a thread before it is needed. */
  warm(): void {
    this.#thread();
    if (!this.#working) this.#rest();
  }

  async run(job: Job, deadlineMs: number): Promise<Outcome> {
    if (this.#closed) return { kind: 'failed', cause: new Error('The validation was closed.') };
    clearTimeout(this.#idle);
    this.#working = true;
    const thread = this.#thread();
    const outcome = await thread.ask(job, deadlineMs);
    this.#working = false;
    if (outcome.kind !== 'replied') {
      const { started } = thread;
      void thread.end();
      // A thread that cannot start is retried with the next job, not in a loop.
      if (started && !this.#closed) this.warm();
    } else if (!this.#closed) {
      this.#rest();
    }
    return outcome;
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#idle);
    await this.#living?.end();
  }

  #rest(): void {
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => void this.#living?.end(), this.#idleMs).unref();
  }

  #thread(): LivingThread {
    if (this.#living === undefined || this.#living.ended) this.#living = new LivingThread(this.#start());
    return this.#living;
  }
}
