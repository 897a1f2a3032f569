import { execFileSync } from 'node:child_process';
import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/** The sizes of the files that fill the disk. The large ones come first, until not even one page is left. */
const BALLAST_BYTES = [1 << 20, 64 << 10, 4 << 10, 1];

/** A small disk in memory that a test can fill. */
export class SmallDisk {
  readonly #path: string;
  readonly #ballast: string;

  private constructor(path: string) {
    this.#path = path;
    this.#ballast = join(path, 'ballast');
  }

  /** Mounts the disk at a directory. Undefined where this machine does not allow mounting. */
  static mount(path: string, bytes: number): SmallDisk | undefined {
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${bytes}`, 'tmpfs', path], { stdio: 'ignore' });
    } catch {
      return undefined;
    }
    return new SmallDisk(path);
  }

  /** Fills all free room. Another call fills what was freed meanwhile. */
  fill(): void {
    const file = openSync(this.#ballast, 'a');
    try {
      for (const bytes of BALLAST_BYTES) writeUntilFull(file, Buffer.alloc(bytes));
    } finally {
      closeSync(file);
    }
  }

  /** Frees the room again. */
  free(): void {
    rmSync(this.#ballast, { force: true });
  }

  unmount(): void {
    execFileSync('umount', [this.#path]);
  }
}

function writeUntilFull(file: number, buffer: Buffer): void {
  try {
    for (;;) writeSync(file, buffer);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  }
}
