import type { Worker } from 'node:worker_threads';
import { LivingWorker, type Outcome } from './living-worker.js';
import type { Job } from './worker-protocol.js';

/** A place for one worker at a time. One that ran into a deadline, or died, is replaced. */
export class WorkerThread {
  readonly #start: () => Worker;
  #living: LivingWorker | undefined;
  #closed = false;

  constructor(start: () => Worker) {
    this.#start = start;
  }

  /** Starts a worker ahead of need. */
  warm(): void {
    this.#worker();
  }

  async run(job: Job, deadlineMs: number): Promise<Outcome> {
    if (this.#closed) return { kind: 'failed', cause: new Error('The validation was closed.') };
    const worker = this.#worker();
    const outcome = await worker.ask(job, deadlineMs);
    if (outcome.kind !== 'replied') {
      const { started } = worker;
      void worker.end();
      // One that cannot start is tried again with the next job, not in a loop.
      if (started && !this.#closed) this.warm();
    }
    return outcome;
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#living?.end();
  }

  #worker(): LivingWorker {
    if (this.#living === undefined || this.#living.ended) this.#living = new LivingWorker(this.#start());
    return this.#living;
  }
}
