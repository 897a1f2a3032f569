import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { NotSeen } from '../found.js';
import type { FileDone, FileJob } from './file-protocol.js';

/** The most bytes of all files that are being read or wait for it. */
const MOST_BYTES = 67_108_864;
const HEAP_MEGABYTES = 512;
const IDLE_MS = 60_000;
/**
 * A file that takes longer is refused and its thread terminated, because the libraries cannot be stopped in another
 * way.
 */
const MOST_MS_PER_FILE = 20_000;

interface Waiting {
  resolve(text: string): void;
  reject(error: NotSeen): void;
}

/** Reads the text of files in one thread. It starts with the first file and ends when no file came for a minute. */
export class FileReader {
  #worker: Worker | undefined;
  readonly #waiting = new Map<number, Waiting>();
  #timer: NodeJS.Timeout | undefined;
  #bytes = 0;
  #next = 1;

  constructor(
    private readonly mostBytes = MOST_BYTES,
    private readonly mostMs = MOST_MS_PER_FILE,
  ) {}

  /** The text of a file. Throws `NotSeen` where it cannot be read. */
  async textOf(bytes: Uint8Array): Promise<string> {
    if (bytes.length > this.mostBytes)
      throw new NotSeen(`a file of ${bytes.length} bytes is too large to be read`, true);
    if (this.#bytes + bytes.length > this.mostBytes)
      throw new NotSeen(`${this.#bytes} bytes of other files are waiting to be read`);
    this.#bytes += bytes.length;
    try {
      return await this.#ask(bytes);
    } finally {
      this.#bytes -= bytes.length;
    }
  }

  async close(): Promise<void> {
    await this.#end('the thread that reads files was closed');
  }

  #ask(bytes: Uint8Array): Promise<string> {
    const job = this.#next++;
    const worker = this.#started();
    return new Promise((resolve, reject) => {
      this.#waiting.set(job, { resolve, reject });
      worker.ref();
      if (this.#waiting.size === 1) this.#watch();
      worker.postMessage({ job, bytes } satisfies FileJob);
    });
  }

  #started(): Worker {
    if (this.#worker !== undefined) return this.#worker;
    const worker = startWorker();
    this.#worker = worker;
    worker.on('message', (done: FileDone) => this.#hear(done));
    worker.on('error', () => void this.#endOf(worker, 'its thread failed'));
    worker.on('exit', () => void this.#endOf(worker, 'its thread ended'));
    return worker;
  }

  #hear(done: FileDone): void {
    const waiting = this.#waiting.get(done.job);
    this.#waiting.delete(done.job);
    if ('text' in done) waiting?.resolve(done.text);
    else waiting?.reject(new NotSeen(`a file ${done.reason}`, true));
    this.#watch();
  }

  /** Sets the timer for the file that is being read, or for an idle thread. */
  #watch(): void {
    clearTimeout(this.#timer);
    const isIdle = this.#waiting.size === 0;
    if (isIdle) this.#worker?.unref();
    const reason = `took longer than ${this.mostMs} ms`;
    this.#timer = setTimeout(() => void this.#end(reason), isIdle ? IDLE_MS : this.mostMs);
    this.#timer.unref();
  }

  #endOf(worker: Worker, reason: string): Promise<unknown> | undefined {
    return this.#worker === worker ? this.#end(reason) : undefined;
  }

  async #end(reason: string): Promise<unknown> {
    clearTimeout(this.#timer);
    const worker = this.#worker;
    this.#worker = undefined;
    for (const { reject } of this.#waiting.values())
      reject(new NotSeen(`a file could not be read: ${reason}`));
    this.#waiting.clear();
    return worker?.terminate();
  }
}

/**
 * The thread's module has the same extension as this one. From TypeScript sources, the thread first registers a
 * loader.
 */
function startWorker(): Worker {
  const extension = extname(fileURLToPath(import.meta.url));
  const loader = new URL('../../../../test/support/typescript-loader.mjs', import.meta.url);
  return new Worker(new URL(`./file-thread${extension}`, import.meta.url), {
    execArgv: extension === '.ts' ? ['--import', loader.href] : [],
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MEGABYTES },
    // The thread reads files of clients and needs no environment variables.
    env: {},
  });
}

/** The reader that the whole process shares. */
export const fileReader = new FileReader();
