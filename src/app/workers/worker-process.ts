import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { type AnswerMessage, BEAT, type CallMessage, STOP, type WorkerCalls } from './channel.js';
import type { WorkerPlace } from './place.js';
import { watchPulse } from './watch-pulse.js';

const MAIN = fileURLToPath(new URL('../../main.js', import.meta.url));

interface Waiting {
  resolve(value: string | undefined): void;
  reject(error: Error): void;
}

/** One worker as the main process sees it. */
export class WorkerProcess {
  readonly #child: ChildProcess;
  readonly #waiting = new Map<number, Waiting>();
  #calls = 0;
  /** Resolves with a description of how it ended. */
  readonly exited: Promise<string>;

  /** `hangs` is called when the worker is silent for too long, and the worker is then killed. */
  constructor(configFile: string, { number, count, role }: WorkerPlace, hangs: () => void) {
    const place = ['--number', String(number), '--count', String(count), '--role', role];
    const words = ['worker', '--config', configFile, ...place];
    // This serialization is needed because the texts contain maps, which JSON cannot express.
    this.#child = fork(MAIN, words, { serialization: 'advanced' });
    const stopWatching = watchPulse(this.#child, hangs);
    this.#child.on('message', (message) => {
      if (message !== BEAT) this.#take(message as AnswerMessage);
    });
    this.exited = new Promise((resolve) => {
      this.#child.on('error', (error) => this.pid === undefined && resolve(error.message));
      this.#child.once('exit', (code, signal) => resolve(signal ?? `exit code ${code}`));
    });
    void this.exited.then((how) => {
      stopWatching();
      this.#abandon(how);
    });
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** Rejects with the worker's error, or where the worker exits before it answers. */
  call<Method extends keyof WorkerCalls>(
    method: Method,
    ...[argument]: Parameters<WorkerCalls[Method]>
  ): ReturnType<WorkerCalls[Method]> {
    const call = ++this.#calls;
    const answer = new Promise<string | undefined>((resolve, reject) => {
      this.#waiting.set(call, { resolve, reject });
      this.#child.send({ call, method, argument } satisfies CallMessage, (error) => {
        if (error !== null) this.#settle(call, { call, failure: error.message });
      });
    });
    return answer as ReturnType<WorkerCalls[Method]>;
  }

  /** Resolves when the worker has finished its work, however long that takes. */
  async stop(): Promise<void> {
    if (this.#child.connected) this.#child.send(STOP, () => undefined);
    await this.exited;
  }

  #take(answer: AnswerMessage): void {
    this.#settle(answer.call, answer);
  }

  #settle(call: number, { value, failure }: AnswerMessage): void {
    const waiting = this.#waiting.get(call);
    this.#waiting.delete(call);
    if (failure === undefined) waiting?.resolve(value);
    else waiting?.reject(new Error(failure));
  }

  #abandon(how: string): void {
    for (const call of [...this.#waiting.keys()]) {
      this.#settle(call, { call, failure: `the worker ended: ${how}` });
    }
  }
}
