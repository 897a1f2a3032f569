import { availableParallelism } from 'node:os';
import { type Found, NotSeen, type ScannerSpec } from './found.js';
import { PoolThread } from './pool-thread.js';

const MOST_THREADS = 4;
/** 32 Mi units of text under way: less than a minute of work. */
const MOST_UNITS = 33_554_432;
const IDLE_MS = 60_000;

export interface ScanWork {
  /** Names the scanner for the threads; each spec has a number of its own. */
  scanner: number;
  spec: ScannerSpec;
  texts: readonly string[];
  /** How long they are together. */
  units: number;
  budgetMs: number;
  signal: AbortSignal;
}

/** What one of so many engines that share the processors may start: a core is left to the thread that answers Envoy. */
export function threadsFor(processors: number, engines: number): number {
  return Math.max(1, Math.min(MOST_THREADS, Math.floor(processors / engines) - 1));
}

let nextScanner = 1;

export function newScannerId(): number {
  return nextScanner++;
}

/**
 * The threads that look at texts which are too long for the one that answers Envoy. They start when they are
 * first needed, and end when they had nothing to do for a minute.
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

  /** So many engines share the machine. */
  shareWith(engines: number): void {
    this.#mostThreads = threadsFor(this.processors, engines);
  }

  /** What was found in each text. Throws `NotSeen`, or what the signal was aborted with. */
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

  /** One that is idle, else a new one, else the one that has least to read. */
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

/** One for the whole process: its bounds are those of the machine. */
export const scanPool = new ScanPool();
