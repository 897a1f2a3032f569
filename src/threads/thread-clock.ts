import { closeSync, openSync, readlinkSync, readSync } from 'node:fs';
import { basename } from 'node:path';

/** The system's id of the calling thread. Undefined where the system does not report one (not Linux). */
export function systemThreadId(): string | undefined {
  try {
    return basename(readlinkSync('/proc/thread-self'));
  } catch {
    return undefined;
  }
}

/**
 * Measures how long a thread of this process has worked. On a busy machine a thread can wait for a processor longer than it
 * works, and a deadline by the wall clock would terminate it for that.
 */
export class ThreadClock {
  #descriptor: number | undefined;
  readonly #buffer = Buffer.alloc(64);

  /** Without an id, and where the system cannot measure it, the wall clock is used. */
  constructor(threadId: string | undefined) {
    try {
      if (threadId !== undefined) this.#descriptor = openSync(`/proc/self/task/${threadId}/schedstat`, 'r');
    } catch {
      this.#descriptor = undefined;
    }
  }

  /** Milliseconds of work since an arbitrary start. */
  now(): number {
    if (this.#descriptor === undefined) return performance.now();
    try {
      const length = readSync(this.#descriptor, this.#buffer, 0, this.#buffer.length, 0);
      const [nanoseconds = ''] = this.#buffer.toString('latin1', 0, length).split(' ', 1);
      return Number(nanoseconds) / 1e6;
    } catch {
      // The thread has ended.
      return Number.POSITIVE_INFINITY;
    }
  }

  close(): void {
    if (this.#descriptor !== undefined) closeSync(this.#descriptor);
    this.#descriptor = undefined;
  }
}
