import { setImmediate } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import { type Job, READY, type Reply, type TextPiece } from './worker-protocol.js';

type CheckJob = Extract<Job, { kind: 'check' }>;

const PIECE_CHARACTERS = 1_048_576;

/** How a job ended: with its reply, at its deadline, or with the thread's death (out of memory, or a fault of ours). */
export type Outcome =
  | { kind: 'replied'; reply: Reply }
  | { kind: 'late' }
  | { kind: 'failed'; cause: unknown };

/** What a job is worth whose thread died under it: memory is the job's own fault, all else is ours. */
export function ranOutOfMemory(cause: unknown): boolean {
  return (cause as NodeJS.ErrnoException | undefined)?.code === 'ERR_WORKER_OUT_OF_MEMORY';
}

/** One worker, one job at a time. At a job's deadline the worker is ended and another one is started. */
export class WorkerThread {
  readonly #start: () => Worker;
  #worker: Worker | undefined;
  #ready: Promise<void> = Promise.resolve();
  #finish: ((outcome: Outcome) => void) | undefined;
  #closed = false;

  constructor(start: () => Worker) {
    this.#start = start;
  }

  /** Starts the worker if there is none. Rejects where it cannot be started. */
  warm(): Promise<void> {
    if (this.#worker === undefined) this.#replace();
    return this.#ready;
  }

  async run(job: Job, deadlineMs: number): Promise<Outcome> {
    if (this.#closed) return { kind: 'failed', cause: new Error('Closed.') };
    const ready = this.warm();
    const worker = this.#worker as Worker;
    // Whoever waits for a job keeps the process running; an idle thread does not.
    worker.ref();
    try {
      await ready;
    } catch (cause) {
      return { kind: 'failed', cause };
    }
    const last = job.kind === 'check' ? await sendPieces(worker, job) : job;
    const outcome = await new Promise<Outcome>((resolve) => {
      this.#finish = resolve;
      worker.postMessage(last);
      this.#setDeadline(deadlineMs, resolve);
    });
    this.#finish = undefined;
    if (outcome.kind === 'replied') worker.unref();
    else this.#end(worker);
    return outcome;
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#finish?.({ kind: 'failed', cause: new Error('Closed.') });
    await this.#worker?.terminate();
  }

  /** When this thread was held up itself, a reply may be waiting behind the timer; it gets its turn first. */
  #setDeadline(deadlineMs: number, resolve: (outcome: Outcome) => void): void {
    const finish = this.#finish;
    const timer = setTimeout(() => void setImmediate().then(() => resolve({ kind: 'late' })), deadlineMs);
    this.#finish = (outcome) => {
      clearTimeout(timer);
      finish?.(outcome);
    };
  }

  #end(worker: Worker): void {
    if (this.#worker === worker) this.#worker = undefined;
    void worker.terminate();
    if (!this.#closed) this.#replace();
  }

  #replace(): void {
    const worker = this.#start();
    this.#worker = worker;
    this.#ready = new Promise((resolve, reject) => {
      worker.on('message', (message: Reply | typeof READY) => {
        // An ended worker can still have a reply under way, to a question that is answered by now.
        if (this.#worker !== worker) return;
        if (message === READY) resolve();
        else this.#finish?.({ kind: 'replied', reply: message });
      });
      worker.on('error', (cause) => {
        reject(cause);
        this.#lose(worker, cause);
      });
      worker.on('exit', (code) => {
        const cause = new Error(`A validation thread ended with code ${code}.`);
        reject(cause);
        this.#lose(worker, cause);
      });
    });
    // Whoever runs a job sees why there is no thread; a start ahead of need must not end the process.
    this.#ready.catch(() => undefined);
    worker.unref();
  }

  /** An ended worker is forgotten. It is replaced when it is needed, so that one that cannot start does not spin. */
  #lose(worker: Worker, cause: unknown): void {
    if (this.#worker !== worker) return;
    this.#worker = undefined;
    this.#finish?.({ kind: 'failed', cause });
  }
}

/** Sends all but the end of a long text ahead, letting others have their turn after each piece. */
async function sendPieces(worker: Worker, job: CheckJob): Promise<CheckJob> {
  let { text } = job;
  for (; text.length > PIECE_CHARACTERS; text = text.slice(PIECE_CHARACTERS)) {
    worker.postMessage({ kind: 'piece', text: text.slice(0, PIECE_CHARACTERS) } satisfies TextPiece);
    await setImmediate();
  }
  return { ...job, text };
}
