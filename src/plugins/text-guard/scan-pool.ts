import { availableParallelism } from 'node:os';
import { type Found, NotSeen, type ScannerSpec } from './found.js';
import { PoolThread } from './pool-thread.js';

const MOST_THREADS = 4;
/** The most text that is being scanned: 32 Mi UTF-16 units, which is less than a minute of work. */
const MOST_UNITS = 33_554_432;
const IDLE_MS = 60_000;

export interface ScanWork {
  /** Identifies the scanner for the threads. */
  scanner: number;
  spec: ScannerSpec;
  texts: readonly string[];
  /** The total length of the texts in UTF-16 units. */
  units: number;
  budgetMs: number;
  signal: AbortSignal;
}

/**
 * How many threads each of several engines on this machine may start. One core is left for the thread that answers
 * Envoy.
 */
export function threadsFor(processors: number, engines: number): number {
  return Math.max(1, Math.min(MOST_THREADS, Math.floor(processors / engines) - 1));
}

let nextScanner = 1;

export function newScannerId(): number {
  return nextScanner++;
}

/**
 * The threads that scan texts which are too long for the thread that answers Envoy. They start when first needed, and
 * end after an idle minute.
 */
export class ScanPool {
  readonly #threads = new Map<PoolThread, NodeJS.Timeout | undefined>();
  #units = 0;
  #mostThreads: number;

  constructor(
    private readonly mostUnits = MOST_UNITS,
    private readonly processors = availableParallelism(),
  ) {
    this.#mostThreads = threadsFor(processors, 1);
  }

  /** The number of engines that share the machine. */
  shareWith(engines: number): void {
    this.#mostThreads = threadsFor(this.processors, engines);
  }

  /** The findings in each text. Throws `NotSeen`, or the reason of an aborted signal. */
  async scan(work: ScanWork): Promise<(readonly Found[])[]> {
    const { signal, units, budgetMs } = work;
    signal.throwIfAborted();
    if (this.#units + units > this.mostUnits) {
      throw new NotSeen(`${this.#units} characters of other texts are waiting to be looked at`);
    }
    this.#units += units;
    try {
      const end = await this.#run(work);
      signal.throwIfAborted();
      if (end.kind === 'found') return end.found;
      if (end.kind === 'late') {
        throw new NotSeen(`gave no result within ${budgetMs} ms of work on ${units} characters`);
      }
      throw new NotSeen(end.reason);
    } finally {
      this.#units -= units;
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.#threads.keys()].map((thread) => thread.end()));
  }

  async #run({ scanner, spec, texts, units, budgetMs, signal }: ScanWork) {
    const thread = this.#thread();
    clearTimeout(this.#threads.get(thread));
    let leave = () => {};
    try {
      return await new Promise<Parameters<Parameters<PoolThread['run']>[0]['resolve']>[0]>((resolve) => {
        leave = thread.run({ scanner, spec, texts, units, budgetMs, resolve });
        signal.addEventListener('abort', leave, { once: true });
      });
    } finally {
      signal.removeEventListener('abort', leave);
      if (thread.jobs === 0 && this.#threads.has(thread)) {
        const timer = setTimeout(() => void thread.end(), IDLE_MS).unref();
        this.#threads.set(thread, timer);
      }
    }
  }

  /** An idle thread, else a new one, else the one with the least text to scan. */
  #thread(): PoolThread {
    const least = [...this.#threads.keys()].sort((a, b) => a.units - b.units)[0];
    if (least?.jobs === 0 || (least !== undefined && this.#threads.size >= this.#mostThreads)) return least;
    const thread = new PoolThread((ended) => {
      clearTimeout(this.#threads.get(ended));
      this.#threads.delete(ended);
    });
    this.#threads.set(thread, undefined);
    return thread;
  }
}

/** The pool that the whole process shares, because its limits depend on the machine. */
export const scanPool = new ScanPool();
