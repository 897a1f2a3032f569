import { writevSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { MaybePromise } from '../core/pacing/maybe-promise.js';
import { syncFolder } from './segment-files.js';

/** Writes with more bytes than this take so long that another thread does them. */
const PROMPT_BYTES = 256 * 1024;
/** A write that took longer than this waited for the disk, so that other writes may have to wait for a while too. */
const SLOW_MS = 10;
const SLOW_FOR_MS = 10_000;

/**
 * Appends to one new segment file. Calls of `append` must not overlap. A write without a sync is a copy into the system's
 * cache, which is cheaper than passing it to another thread, so it is done synchronously as long as the disk does not delay
 * it.
 */
export class SegmentWriter {
  readonly #file: FileHandle;
  #bytes = 0;
  #unsynced = false;
  #syncing = 0;
  /** Until when writes count as slow. All segments share it, because they are on the same disk. */
  static #slowUntil = 0;

  private constructor(file: FileHandle) {
    this.#file = file;
  }

  /** Creates the file. Fails where it exists, because segments of an earlier run are never written to again. */
  static async create(path: string): Promise<SegmentWriter> {
    const file = await open(path, 'wx', 0o600);
    try {
      await syncFolder(dirname(path));
    } catch (error) {
      await file.close();
      throw error;
    }
    return new SegmentWriter(file);
  }

  get unsynced(): boolean {
    return this.#unsynced;
  }

  /**
   * Writes all records or none. Returns the number of their bytes; synchronous where possible. After a failure the writer can
   * only be closed.
   */
  append(records: readonly Buffer[], sync: boolean): MaybePromise<number> {
    if (sync || !this.#isPrompt(records)) return this.#appendInTurn(records, sync);
    const began = performance.now();
    const written = this.#writeOnce(records);
    const now = performance.now();
    if (now - began > SLOW_MS) SegmentWriter.#slowUntil = now + SLOW_FOR_MS;
    // A short or failed write is repeated from its start, in the asynchronous way, which reports the cause.
    if (written === undefined) return this.#appendInTurn(records, sync);
    this.#unsynced = true;
    this.#bytes += written;
    return written;
  }

  /** A running sync can delay a write to the same file. */
  #isPrompt(records: readonly Buffer[]): boolean {
    if (this.#syncing > 0 || performance.now() < SegmentWriter.#slowUntil) return false;
    return lengthOf(records) <= PROMPT_BYTES;
  }

  /** Writes synchronously. Undefined where not everything could be written. */
  #writeOnce(records: readonly Buffer[]): number | undefined {
    try {
      const written = writevSync(this.#file.fd, records, this.#bytes);
      return written === lengthOf(records) ? written : undefined;
    } catch {
      return undefined;
    }
  }

  async #appendInTurn(records: readonly Buffer[], sync: boolean): Promise<number> {
    try {
      const written = await this.#writeAll(records, this.#bytes);
      this.#unsynced = true;
      if (sync) await this.sync();
      this.#bytes += written;
      return written;
    } catch (error) {
      // The part that a full disk accepted would look like an incomplete entry, so it is cut off. Where even that fails, it
      // is recognized as incomplete later.
      await this.#file.truncate(this.#bytes).catch(() => undefined);
      throw error;
    }
  }

  async sync(): Promise<void> {
    this.#unsynced = false;
    this.#syncing++;
    try {
      await this.#file.datasync();
    } finally {
      this.#syncing--;
    }
  }

  close(): Promise<void> {
    return this.#file.close();
  }

  async #writeAll(records: readonly Buffer[], position: number): Promise<number> {
    let rest = [...records];
    let written = 0;
    while (rest.length > 0) {
      const { bytesWritten } = await this.#file.writev(rest, position + written);
      written += bytesWritten;
      rest = withoutFirst(rest, bytesWritten);
    }
    return written;
  }
}

function lengthOf(buffers: readonly Buffer[]): number {
  let bytes = 0;
  for (const { length } of buffers) bytes += length;
  return bytes;
}

/** The system may write less than it was given, for example on a nearly full disk. */
function withoutFirst(buffers: Buffer[], bytes: number): Buffer[] {
  let left = bytes;
  for (const [index, buffer] of buffers.entries()) {
    if (left < buffer.length) return [buffer.subarray(left), ...buffers.slice(index + 1)];
    left -= buffer.length;
  }
  return [];
}
