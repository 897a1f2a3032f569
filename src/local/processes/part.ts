import { type Child, describeExit } from './child.js';
import { messageOf } from './start-error.js';

/** One of the processes of a running Sluice: mongod, engine or Envoy. */
export interface Part {
  name: string;
  /** Starts the process; called again after each death. */
  spawn(): Promise<Child>;
  /**
   * Resolves once the parts that depend on this one may start. Rejects where `signal` is aborted or it takes too
   * long.
   */
  ready(signal: AbortSignal): Promise<void>;
  /** A note that is shown once the part is ready, such as its address. */
  note: string;
  /** Whether the process still responds. One that is silent for too long is killed, and then restarted. */
  isAlive?(signal: AbortSignal): Promise<boolean>;
  /** Resolves when the process may be ended, because its work in progress is done. */
  drain?(report: (line: string) => void): Promise<void>;
  /** How long the process may take to end after SIGTERM. */
  stopPatienceMs: number;
}

export interface StartOptions {
  /** Called with the process as soon as it exists. */
  onSpawn?: (child: Child) => void;
  /** Aborts the start: the process is ended and the start rejects. */
  signal?: AbortSignal;
}

/**
 * Starts a part and waits until it is ready. Where that fails, its process is ended, and the error contains its last
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

/** The last lines of a process's output, and the path of the log file. */
export function lastOutput(child: Child, count: number): string {
  const lines = child.lastLines(count);
  return lines === '' ? 'It printed nothing.' : `Its last output (${child.logPath}):\n${lines}`;
}
