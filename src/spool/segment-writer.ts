import { type FileHandle, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { syncDirectory } from './segment-files.js';

/** Appends to one new segment file. Calls of `append` must not overlap. */
export class SegmentWriter {
  readonly #file: FileHandle;
  #bytes = 0;
  #unsynced = false;

  private constructor(file: FileHandle) {
    this.#file = file;
  }

  /** Fails where the file exists: a segment of an earlier run is never written to again. */
  static async create(path: string): Promise<SegmentWriter> {
    const file = await open(path, 'wx', 0o600);
    try {
      await syncDirectory(dirname(path));
    } catch (error) {
      await file.close();
      throw error;
    }
    return new SegmentWriter(file);
  }

  get unsynced(): boolean {
    return this.#unsynced;
  }

  /** Writes all frames or none, and returns their bytes. Once it failed, the writer is only good for `close`. */
  async append(frames: readonly Buffer[], sync: boolean): Promise<number> {
    try {
      const written = await this.#writeAll(frames, this.#bytes);
      this.#unsynced = true;
      if (sync) await this.sync();
      this.#bytes += written;
      return written;
    } catch (error) {
      // What a full disk took of the frames would read as a torn entry; without room even for this it still does.
      await this.#file.truncate(this.#bytes).catch(() => undefined);
      throw error;
    }
  }

  async sync(): Promise<void> {
    this.#unsynced = false;
    await this.#file.datasync();
  }

  close(): Promise<void> {
    return this.#file.close();
  }

  async #writeAll(frames: readonly Buffer[], position: number): Promise<number> {
    let rest = [...frames];
    let written = 0;
    while (rest.length > 0) {
      const { bytesWritten } = await this.#file.writev(rest, position + written);
      written += bytesWritten;
      rest = withoutFirst(rest, bytesWritten);
    }
    return written;
  }
}

/** The system may write less than it was given, such as on a disk that is nearly full. */
function withoutFirst(buffers: Buffer[], bytes: number): Buffer[] {
  let left = bytes;
  for (const [index, buffer] of buffers.entries()) {
    if (left < buffer.length) return [buffer.subarray(left), ...buffers.slice(index + 1)];
    left -= buffer.length;
  }
  return [];
}
