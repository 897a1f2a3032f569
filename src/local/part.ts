import type { Child } from './child.js';

/** One of the processes that together are a running Sluice. */
export interface Part {
  name: string;
  /** Starts the process; called again after each death. */
  spawn(): Promise<Child>;
  /** Resolves once what depends on it may start. Rejects when `signal` is aborted (the process died) or too late. */
  ready(signal: AbortSignal): Promise<void>;
  /** What to tell of it once it is ready, such as its address. */
  note: string;
  /** What must be finished before it may be ended; resolves when that is done. */
  drain?(report: (line: string) => void): Promise<void>;
  /** How long it may take to end after SIGTERM. */
  stopPatienceMs: number;
}

/** Starts a part and waits until it is ready; a part that dies before that is an error with its last words. */
export async function startPart(part: Part, onSpawn?: (child: Child) => void): Promise<Child> {
  const child = await part.spawn();
  onSpawn?.(child);
  const died = new AbortController();
  child.exited.then(() => died.abort(new Error('it ended')));
  try {
    await part.ready(died.signal);
    return child;
  } catch (error) {
    if (child.exit === undefined) await child.stop(part.stopPatienceMs);
    throw new PartError(part.name, child, error);
  }
}

/** A part that did not become ready. */
export class PartError extends Error {
  readonly child: Child;

  constructor(name: string, child: Child, cause: unknown) {
    const lastLines = child.lastLines(20);
    const words =
      lastLines === '' ? 'It printed nothing.' : `Its last words (${child.logPath}):\n${lastLines}`;
    super(`${name} did not become ready: ${explain(cause)}. ${words}`, { cause });
    this.name = 'PartError';
    this.child = child;
  }
}

function explain(cause: unknown): string {
  const error = cause instanceof Error && cause.name === 'AbortError' ? cause.cause : cause;
  return error instanceof Error ? error.message : String(error);
}
