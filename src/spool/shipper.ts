import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Deliver } from './deliver.js';
import { BATCH_RECORDS, FolderShipper, type ShipperTimes } from './folder-shipper.js';
import { listSegments } from './segment-files.js';
import type { FileSpool } from './spool.js';
import { SpoolFolder } from './spool-folder.js';

/** How long the first record after a pause waits for others to join its batch. */
const LINGER_MS = 10;
/**
 * The time between the starts of batches that are not full, because a call to MongoDB costs as much as about twenty of its
 * logs.
 */
const PACE_MS = 250;
/** How often folders of dead workers are looked for. */
const ADOPT_MS = 30_000;

export interface ShipperOptions {
  spool: FileSpool;
  deliver: Deliver;
  times?: ShipperTimes;
  /** Returns a number from 0 up to 1, for the random part of the time between retries. */
  random?: () => number;
}

/** Delivers the spool to the place where logs are kept, until stopped. */
export interface Shipper {
  /** Ships what is waiting at once, because somebody asked for a log that may be in it. */
  shipNow(): void;
  /** Resolves with true once nothing is left to ship, with false at the deadline. */
  drain(deadlineMs: number): Promise<boolean>;
  /** Stops after the current delivery. The rest is shipped after the next start. */
  close(): Promise<void>;
}

/** Ships the worker's own folder, and those of workers that no longer run: at the start and from then on. */
export async function startShipper(options: ShipperOptions): Promise<Shipper> {
  const shipper = new SpoolShipper(options);
  await shipper.adopt();
  return shipper;
}

class SpoolShipper implements Shipper {
  readonly #spool: FileSpool;
  readonly #deliver: Deliver;
  readonly #times: ShipperTimes;
  readonly #random: () => number;
  readonly #loops = new Set<Promise<void>>();
  readonly #adopting: NodeJS.Timeout;
  readonly #stop = new AbortController();
  /** Whether something was written since the last check. */
  #more = false;
  #draining = false;
  /** Whether the next batch must not wait for more entries. */
  #urgent = false;
  #wake: () => void = () => undefined;
  #endGathering: () => void = () => undefined;

  constructor({ spool, deliver, times, random }: ShipperOptions) {
    this.#spool = spool;
    this.#deliver = deliver;
    this.#times = times ?? { firstRetryMs: 100, longestRetryMs: 10_000 };
    this.#random = random ?? Math.random;
    this.#adopting = setInterval(() => void this.adopt(), ADOPT_MS).unref();
    spool.onWritten(() => {
      this.#more = true;
      this.#wake();
      if (this.#isBatchFull()) this.#endGathering();
    });
    this.#run(this.#shipOwn());
  }

  shipNow(): void {
    this.#urgent = true;
    this.#endGathering();
  }

  async drain(deadlineMs: number): Promise<boolean> {
    const deadline = this.#spool.clock.monotonic() + deadlineMs;
    this.#draining = true;
    this.#endGathering();
    while (this.#spool.stats().records > 0 || this.#spool.adopted.size > 0) {
      if (this.#spool.clock.monotonic() >= deadline) return false;
      await this.#pause(LINGER_MS);
    }
    return true;
  }

  async close(): Promise<void> {
    clearInterval(this.#adopting);
    this.#stop.abort();
    this.#wake();
    this.#endGathering();
    await Promise.all(this.#loops);
  }

  /** Takes over the folders of dead workers. Failures are logged and retried in the next round. */
  async adopt(): Promise<void> {
    const { root } = this.#spool;
    try {
      for (const entry of await readdir(root, { withFileTypes: true })) {
        const path = join(root, entry.name);
        // A folder that cannot be read must not prevent the others from being shipped.
        if (entry.isDirectory()) await this.#adoptFolder(path).catch((err) => this.#logUnread(path, err));
      }
    } catch (err) {
      this.#logUnread(root, err);
    }
  }

  #logUnread(folder: string, err: unknown): void {
    this.#spool.logger.warn({ err, folder }, 'the spool of another worker could not be read');
  }

  async #adoptFolder(path: string): Promise<void> {
    if (path === this.#spool.own.path || this.#stop.signal.aborted) return;
    if ((await listSegments(path)).length === 0) return;
    const folder = await SpoolFolder.open(path, this.#spool.logger, this.#spool.counters);
    if (folder === undefined) return;
    const { records } = folder;
    this.#spool.logger.info({ folder: path, records }, 'shipping the spool of a worker that no longer runs');
    this.#spool.adopted.add(folder);
    this.#run(this.#shipAdopted(folder));
  }

  async #shipOwn(): Promise<void> {
    const shipper = this.#shipperOf(this.#spool.own);
    while (!this.#stop.signal.aborted) {
      this.#more = false;
      const { own, clock } = this.#spool;
      const [began, appended] = [clock.monotonic(), own.appended];
      const wait = await shipper.step();
      if (wait !== undefined && wait > 0) {
        await this.#pause(wait);
        continue;
      }
      // Entries that already waited before this batch do not wait for more.
      if (own.records > own.appended - appended) continue;
      if (wait === undefined && !this.#more && !this.#stop.signal.aborted) {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
      await this.#gather(began);
    }
  }

  /** Waits until a batch is full, or enough time has passed since the last one began. */
  async #gather(began: number): Promise<void> {
    while (!this.#draining && !this.#isBatchFull() && !this.#stop.signal.aborted) {
      const sinceMs = this.#spool.clock.monotonic() - began;
      const waitMs = this.#urgent ? LINGER_MS - sinceMs : Math.max(LINGER_MS, PACE_MS - sinceMs);
      if (waitMs <= 0 || (await this.#isUndisturbed(waitMs))) break;
    }
    this.#urgent = false;
  }

  /** Resolves with true after this time, or with false as soon as there is a reason to look again. */
  #isUndisturbed(waitMs: number): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, waitMs, true);
      this.#endGathering = () => {
        clearTimeout(timer);
        resolve(false);
      };
    });
  }

  #isBatchFull(): boolean {
    return this.#spool.own.records >= BATCH_RECORDS;
  }

  async #shipAdopted(folder: SpoolFolder): Promise<void> {
    const shipper = this.#shipperOf(folder);
    while (!this.#stop.signal.aborted) {
      const wait = await shipper.step();
      if (wait === undefined) break;
      await this.#pause(wait);
    }
    await folder.close();
    this.#spool.adopted.delete(folder);
  }

  #shipperOf(folder: SpoolFolder): FolderShipper {
    return new FolderShipper(this.#spool, folder, this.#deliver, this.#times, this.#random);
  }

  async #pause(ms: number): Promise<void> {
    if (ms > 0) await sleep(ms, undefined, { signal: this.#stop.signal }).catch(() => undefined);
  }

  #run(loop: Promise<void>): void {
    const logged = loop.catch((err) =>
      this.#spool.logger.error({ err }, 'shipping a spool stopped with an error'),
    );
    this.#loops.add(logged);
    void logged.finally(() => this.#loops.delete(logged));
  }
}
