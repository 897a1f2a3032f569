import type { Worker } from 'node:worker_threads';
import type { Job } from '../thread-protocol.js';
import type { Outcome } from './living-thread.js';
import { ReplaceableThread } from './replaceable-thread.js';

interface Waiting {
  job: Job;
  deadlineMs: number;
  resolve: (outcome: Outcome | { kind: 'full' }) => void;
}

/** A few threads with one queue. Threads start when they are first needed. */
export class Lane {
  readonly #idle: ReplaceableThread[];
  readonly #threads: readonly ReplaceableThread[];
  readonly #waiting: Waiting[] = [];
  readonly #maxWaiting: number;

  constructor(options: { threads: number; maxWaiting: number; start: () => Worker }) {
    this.#threads = Array.from({ length: options.threads }, () => new ReplaceableThread(options.start));
    this.#idle = [...this.#threads].reverse();
    this.#maxWaiting = options.maxWaiting;
  }

  warm(): void {
    this.#threads[0]?.warm();
  }

  /** Runs a job. The deadline starts when a thread takes the job. `full`: too many jobs are waiting. */
  run(job: Job, deadlineMs: number): Promise<Outcome | { kind: 'full' }> {
    return new Promise((resolve) => {
      const thread = this.#idle.pop();
      if (thread !== undefined) void this.#work(thread, { job, deadlineMs, resolve });
      else if (this.#waiting.length < this.#maxWaiting) this.#waiting.push({ job, deadlineMs, resolve });
      else resolve({ kind: 'full' });
    });
  }

  async close(): Promise<void> {
    for (const { resolve } of this.#waiting.splice(0))
      resolve({ kind: 'failed', cause: new Error('Closed.') });
    await Promise.all(this.#threads.map((thread) => thread.close()));
  }

  async #work(thread: ReplaceableThread, first: Waiting): Promise<void> {
    let next: Waiting | undefined = first;
    while (next !== undefined) {
      next.resolve(await thread.run(next.job, next.deadlineMs));
      next = this.#waiting.shift();
    }
    this.#idle.push(thread);
  }
}
