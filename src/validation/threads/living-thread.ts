import { setImmediate } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import { ThreadClock } from '../../threads/thread-clock.js';
import type { Job, Ready, Reply, TextPiece } from '../thread-protocol.js';

type CheckJob = Extract<Job, { kind: 'check' }>;

const PIECE_CHARACTERS = 1_048_576;

/** The longest wait for a thread that gets no processor, as a multiple of the time that it may work. */
const MAX_WAIT_FACTOR = 20;

/** How a job ended: with its reply, at its deadline, or with the death of the thread (out of memory, or a bug). */
export type Outcome =
  | { kind: 'replied'; reply: Reply }
  | { kind: 'late' }
  | { kind: 'failed'; cause: unknown };

/** Whether the thread died because it ran out of memory, which its job caused. Any other death is a bug. */
export function ranOutOfMemory(cause: unknown): boolean {
  return (cause as NodeJS.ErrnoException | undefined)?.code === 'ERR_WORKER_OUT_OF_MEMORY';
}

/** One thread from its start to its end. It has one job at a time. */
export class LivingThread {
  readonly #worker: Worker;
  readonly #ready: Promise<void>;
  #clock: ThreadClock | undefined;
  #finish: ((outcome: Outcome) => void) | undefined;
  #ended = false;

  constructor(worker: Worker) {
    this.#worker = worker;
    this.#ready = new Promise((resolve, reject) => {
      const lose = (cause: unknown) => {
        reject(cause);
        this.#lose(cause);
      };
      worker.on('message', (message: Reply | Ready) => {
        if (message.kind !== 'ready') return this.#finish?.({ kind: 'replied', reply: message });
        this.#clock = new ThreadClock(message.threadId);
        resolve();
      });
      worker.on('error', lose);
      worker.on('exit', (code) => lose(new Error(`A validation thread ended with code ${code}.`)));
    });
    // The caller learns why there is no thread; a failed start in advance must not end the process.
    this.#ready.catch(() => undefined);
    worker.unref();
  }

  get ended(): boolean {
    return this.#ended;
  }

  /** Whether the thread was ever ready. */
  get started(): boolean {
    return this.#clock !== undefined;
  }

  /**
   * Runs a job. The deadline starts when the thread is ready. After any outcome other than a reply, the thread must be
   * terminated.
   */
  async ask(job: Job, deadlineMs: number): Promise<Outcome> {
    // A waiting caller keeps the process running; an idle thread does not.
    this.#worker.ref();
    try {
      await this.#ready;
    } catch (cause) {
      return { kind: 'failed', cause };
    }
    const message = job.kind === 'check' ? await this.#sendPieces(job) : job;
    const outcome = await new Promise<Outcome>((resolve) => {
      if (this.#ended) return resolve({ kind: 'failed', cause: new Error('A validation thread has ended.') });
      this.#worker.postMessage(message);
      const cancel = this.#atDeadline(deadlineMs, () => resolve({ kind: 'late' }));
      this.#finish = (outcome) => {
        cancel();
        resolve(outcome);
      };
    });
    this.#finish = undefined;
    this.#worker.unref();
    return outcome;
  }

  async end(): Promise<void> {
    this.#lose(new Error('A validation thread was ended.'));
    await this.#worker.terminate();
  }

  /** Calls `late` once the thread has worked this long, or has waited for a processor many times longer. */
  #atDeadline(deadlineMs: number, late: () => void): () => void {
    const clock = this.#clock as ThreadClock;
    const workEnd = clock.now() + deadlineMs;
    const waitEnd = performance.now() + deadlineMs * MAX_WAIT_FACTOR;
    const look = () => {
      const left = Math.min(workEnd - clock.now(), waitEnd - performance.now());
      if (left > 0) timer = setTimeout(look, left);
      // Where this thread itself was blocked, a reply may be waiting that is handled only after the timer, so it is read
      // first.
      else void setImmediate().then(late);
    };
    let timer = setTimeout(look, deadlineMs);
    return () => clearTimeout(timer);
  }

  /** Sends a long text in advance, except its end. After each piece other work gets its turn. */
  async #sendPieces(job: CheckJob): Promise<CheckJob> {
    let { text } = job;
    for (; text.length > PIECE_CHARACTERS; text = text.slice(PIECE_CHARACTERS)) {
      this.#worker.postMessage({ kind: 'piece', text: text.slice(0, PIECE_CHARACTERS) } satisfies TextPiece);
      await setImmediate();
    }
    return { ...job, text };
  }

  #lose(cause: unknown): void {
    if (!this.#ended) this.#clock?.close();
    this.#ended = true;
    this.#finish?.({ kind: 'failed', cause });
  }
}
