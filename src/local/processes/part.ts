import { type Child, describeExit } from './child.js';
import { messageOf } from './start-error.js';

/** One of the processes that make up a running Sluice. */
export interface Part {
  name: string;
  /** Starts the process; called again after each death. */
  spawn(): Promise<Child>;
  /** Resolves once what depends on it may start. Rejects when `signal` is aborted or it takes too long. */
  ready(signal: AbortSignal): Promise<void>;
  /** What to show about it once it is ready, such as its address. */
  note: string;
  /** Whether it still does anything: one that is silent for too long is ended, and so started again. */
  isAlive?(signal: AbortSignal): Promise<boolean>;
  /** What must finish before it may be ended; resolves when that is done. */
  drain?(report: (line: string) => void): Promise<void>;
  /** How long it may take to end after SIGTERM. */
  stopPatienceMs: number;
}

export interface StartOptions {
  /** Called with the process as soon as it exists. */
  onSpawn?: (child: Child) => void;
  /** Aborts the start: the process is ended and the start rejects. */
  signal?: AbortSignal;
}

/**
 * Starts a part and waits until it is ready. Where that fails, nothing of it is left, and the error has its last
 * output.
 */
export async function startPart(part: Part, options: StartOptions = {}): Promise<Child> {
  options.signal?.throwIfAborted();
  const child = await part.spawn();
  options.onSpawn?.(child);
  const died = new AbortController();
  child.exited.then(() => died.abort());
  try {
    await part.ready(options.signal ? AbortSignal.any([died.signal, options.signal]) : died.signal);
    return child;
  } catch (error) {
    const problem = child.exit === undefined ? messageOf(error) : `it ${describeExit(child.exit)}`;
    await child.stop(part.stopPatienceMs);
    throw new Error(`${part.name} did not become ready: ${problem}. ${lastOutput(child, 20)}`, {
      cause: error,
    });
  }
}

/** The last output of a process, and where the rest is. */
export function lastOutput(child: Child, count: number): string {
  const lines = child.lastLines(count);
  return lines === '' ? 'It printed nothing.' : `Its last output (${child.logPath}):\n${lines}`;
}
