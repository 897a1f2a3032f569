import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const PROBE_MS = 250;
const PROBE_BYTES = 64 << 10;

/** Detects when a failed disk accepts writes again. It writes, because free bytes reveal neither quotas nor faults. */
export class DiskProbe {
  readonly #path: string;
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;

  constructor(folder: string) {
    this.#path = join(folder, 'probe');
  }

  /** Calls `done` once this many bytes could be written. A running probe continues unchanged. */
  start(bytes: number, done: () => void): void {
    if (this.#stopped || this.#timer !== undefined) return;
    this.#timer = setTimeout(() => void this.#try(bytes, done), PROBE_MS).unref();
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
  }

  async #try(bytes: number, done: () => void): Promise<void> {
    const room = await hasRoom(this.#path, Math.max(PROBE_BYTES, bytes));
    this.#timer = undefined;
    if (room) done();
    else this.start(bytes, done);
  }
}

async function hasRoom(path: string, bytes: number): Promise<boolean> {
  try {
    await writeFile(path, Buffer.alloc(bytes));
    return true;
  } catch {
    return false; // The spool itself reports loudly that a log finds no room.
  } finally {
    await rm(path, { force: true }).catch(() => undefined);
  }
}
