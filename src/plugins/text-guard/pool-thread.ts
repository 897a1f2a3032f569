import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { Pace } from '../../core/pacing/pace.js';
import type { ScannerSpec } from './found.js';
import { unpack } from './packed-found.js';
import type { JobEnd } from './scan-jobs.js';
import type { FromScanThread, ToScanThread } from './scan-protocol.js';

/** How a job ended. `lost` means that its thread ended first. */
export type ScanEnd = JobEnd | { kind: 'lost'; reason: string };

export interface ScanJob {
  scanner: number;
  spec: ScannerSpec;
  texts: readonly string[];
  units: number;
  budgetMs: number;
  resolve(end: ScanEnd): void;
}

/** The most text in one message, because a message is copied without a break. */
const PIECE_UNITS = 524_288;
/** The fixed cost of a text in a message, expressed in UTF-16 units. */
const UNITS_PER_TEXT = 32;
/** A thread that has work but sends nothing for this long is stuck, because the steps of a scanner are short. */
const SILENCE_MS = 30_000;
const MOST_SCANNERS = 64;
const HEAP_MEGABYTES = 512;

/**
 * The engine's side of one scanning thread. The thread ends after an error, after a long silence, or when it is no
 * longer needed.
 */
export class PoolThread {
  readonly #worker: Worker;
  readonly #jobs = new Map<number, ScanJob>();
  readonly #known = new Set<number>();
  readonly #watch: NodeJS.Timeout;
  #heardAt = performance.now();
  #nextId = 1;
  #ended = false;

  constructor(private readonly onEnd: (thread: PoolThread) => void) {
    this.#worker = startWorker();
    this.#worker.on('message', (message: FromScanThread) => this.#hear(message));
    this.#worker.on('error', (error) => this.#end(`its thread failed: ${error.message}`));
    this.#worker.on('exit', () => this.#end('its thread ended'));
    this.#worker.unref();
    this.#watch = setInterval(() => this.#look(), SILENCE_MS / 4);
    this.#watch.unref();
  }

  get jobs(): number {
    return this.#jobs.size;
  }

  /** The amount of text that the thread is scanning, in UTF-16 units. */
  get units(): number {
    let units = 0;
    for (const job of this.#jobs.values()) units += job.units;
    return units;
  }

  /** Starts a job. Returns a function that cancels it. */
  run(job: ScanJob): () => void {
    const id = this.#nextId++;
    if (this.#jobs.size === 0) {
      this.#heardAt = performance.now();
      // A thread with a job keeps the process running; an idle one does not.
      this.#worker.ref();
    }
    this.#jobs.set(id, job);
    void this.#send(id, job);
    return () => {
      this.#post({ kind: 'drop', job: id });
      this.#finish(id, { kind: 'lost', reason: 'it was cancelled' });
    };
  }

  end(): Promise<unknown> {
    return this.#end('its thread was ended');
  }

  async #send(id: number, job: ScanJob): Promise<void> {
    this.#teach(job);
    const pace = new Pace();
    for (const { texts, joined } of piecesOf(job.texts)) {
      this.#post({ kind: 'texts', job: id, texts, joined });
      await pace.pause();
      if (!this.#jobs.has(id)) return this.#post({ kind: 'drop', job: id });
    }
    this.#post({ kind: 'start', job: id, scanner: job.scanner, budgetMs: job.budgetMs });
  }

  #teach({ scanner, spec }: ScanJob): void {
    // A scanner that is used again moves to the end.
    if (this.#known.delete(scanner)) {
      this.#known.add(scanner);
      return;
    }
    this.#known.add(scanner);
    this.#post({ kind: 'learn', scanner, spec });
    if (this.#known.size <= MOST_SCANNERS) return;
    const inUse = new Set([...this.#jobs.values()].map((job) => job.scanner));
    const oldest = [...this.#known].find((known) => !inUse.has(known));
    if (oldest === undefined) return;
    this.#known.delete(oldest);
    this.#post({ kind: 'forget', scanner: oldest });
  }

  #post(message: ToScanThread): void {
    if (!this.#ended) this.#worker.postMessage(message);
  }

  #hear(message: FromScanThread): void {
    this.#heardAt = performance.now();
    if (message.kind === 'alive') return;
    const { job } = message;
    if (message.kind === 'found')
      void unpack(message.found).then((found) => this.#finish(job, { kind: 'found', job, found }));
    else this.#finish(job, message);
  }

  #finish(id: number, end: ScanEnd): void {
    const job = this.#jobs.get(id);
    if (!this.#jobs.delete(id)) return;
    if (this.#jobs.size === 0) this.#worker.unref();
    job?.resolve(end);
  }

  #look(): void {
    if (this.#jobs.size === 0 || performance.now() - this.#heardAt < SILENCE_MS) return;
    // Where this thread itself was blocked, a message may be waiting that is handled only after the timer.
    setImmediate(() => {
      if (performance.now() - this.#heardAt >= SILENCE_MS) void this.#end('its thread was stuck');
    });
  }

  async #end(reason: string): Promise<unknown> {
    if (this.#ended) return undefined;
    this.#ended = true;
    clearInterval(this.#watch);
    this.onEnd(this);
    for (const id of [...this.#jobs.keys()]) this.#finish(id, { kind: 'lost', reason });
    return this.#worker.terminate();
  }
}

/** Splits texts into messages of bounded size: a long text needs several, many short ones share one. */
function* piecesOf(texts: readonly string[]): Generator<{ texts: string[]; joined: boolean }> {
  let piece: string[] = [];
  let units = 0;
  let joined = false;
  for (const text of texts) {
    let rest = text;
    while (units + rest.length > PIECE_UNITS) {
      const left = Math.max(0, PIECE_UNITS - units);
      piece.push(rest.slice(0, left));
      rest = rest.slice(left);
      yield { texts: piece, joined };
      [piece, units, joined] = [[], 0, true];
    }
    piece.push(rest);
    units += rest.length + UNITS_PER_TEXT;
  }
  if (piece.length > 0) yield { texts: piece, joined };
}

/** The module has the same extension as this one. From TypeScript sources, the thread first registers a loader. */
function startWorker(): Worker {
  const extension = extname(fileURLToPath(import.meta.url));
  const loader = new URL('../../../test/support/typescript-loader.mjs', import.meta.url);
  return new Worker(new URL(`../scan-thread${extension}`, import.meta.url), {
    execArgv: extension === '.ts' ? ['--import', loader.href] : [],
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MEGABYTES },
    // The thread scans texts of clients and needs no environment variables.
    env: {},
  });
}
