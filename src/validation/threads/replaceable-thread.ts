import type { Worker } from 'node:worker_threads';
import type { Job } from '../thread-protocol.js';
import { LivingThread, type Outcome } from './living-thread.js';

const IDLE_MS = 60_000;

/**
 * Keeps one thread at a time. One that exceeded a deadline or died is replaced by a new one. One without a job for a minute
 * is ended, which frees its memory.
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
      // A thread that cannot start is started again with the next job, and not in a loop.
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
