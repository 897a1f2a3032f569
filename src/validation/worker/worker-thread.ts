import type { Worker } from 'node:worker_threads';
import { LivingWorker, type Outcome } from './living-worker.js';
import type { Job } from './worker-protocol.js';

const IDLE_MS = 60_000;

/**
 * A place for one worker at a time. One that ran into a deadline, or died, is replaced; one that had nothing to do
 * for a minute gives its memory back.
 */
export class WorkerThread {
  readonly #start: () => Worker;
  readonly #idleMs: number;
  #living: LivingWorker | undefined;
  #idle: NodeJS.Timeout | undefined;
  #working = false;
  #closed = false;

  constructor(start: () => Worker, idleMs = IDLE_MS) {
    this.#start = start;
    this.#idleMs = idleMs;
  }

  /** Starts a worker ahead of need. */
  warm(): void {
    this.#worker();
    if (!this.#working) this.#rest();
  }

  async run(job: Job, deadlineMs: number): Promise<Outcome> {
    if (this.#closed) return { kind: 'failed', cause: new Error('The validation was closed.') };
    clearTimeout(this.#idle);
    this.#working = true;
    const worker = this.#worker();
    const outcome = await worker.ask(job, deadlineMs);
    this.#working = false;
    if (outcome.kind !== 'replied') {
      const { started } = worker;
      void worker.end();
      // One that cannot start is tried again with the next job, not in a loop.
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

  #worker(): LivingWorker {
    if (this.#living === undefined || this.#living.ended) this.#living = new LivingWorker(this.#start());
    return this.#living;
  }
}
