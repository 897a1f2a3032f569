import { setTimeout as sleep } from 'node:timers/promises';
import { BEAT_MS, Pulse } from '../../process/pulse.js';
import { type Child, describeExit, type Exit } from './child.js';
import { type Part, startPart } from './part.js';
import { messageOf } from './start-error.js';

export type Report = (line: string) => void;
export type OnSpawn = (name: string, pid: number) => void;

/** After this long, a message says what is being waited for. */
const TELL_AFTER_MS = 1_000;
/** How long a part may take to answer that it is alive. */
const ASK_MS = 1_000;
const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 30_000;
/** A part that lived this long counts as healthy: after its next death it is restarted with the shortest delay. */
const HEALTHY_AFTER_MS = 60_000;

/**
 * Starts parts in the given order and ends them in the reverse order. A part that dies during the shutdown is still
 * restarted until its own turn to end, because others may need it for their drain. Where a part does not become ready
 * the first time, the caller gets the error, because another try would not fix a configuration.
 */
export class Supervisor {
  /** Called for each process as soon as it exists. */
  onSpawn: OnSpawn = () => {};
  readonly #report: Report;
  readonly #watched: WatchedPart[] = [];
  readonly #stopping = new AbortController();

  /** `beatMs` is how often a part is asked whether it is alive. */
  constructor(
    report: Report,
    readonly beatMs: number = BEAT_MS,
  ) {
    this.#report = report;
  }

  /** Aborted when the shutdown begins. Nothing is started after that. */
  get stopping(): AbortSignal {
    return this.#stopping.signal;
  }

  async start(part: Part): Promise<void> {
    const watched = new WatchedPart(part, this, this.#report);
    const timer = setTimeout(() => this.#report(`${part.name.padEnd(7)} starts`), TELL_AFTER_MS);
    await watched.start(this.stopping).finally(() => clearTimeout(timer));
    this.#watched.push(watched);
  }

  signal(name: string, signal: NodeJS.Signals): void {
    this.#watched.find((watched) => watched.name === name)?.signal(signal);
  }

  beginStop(): void {
    this.#stopping.abort();
  }

  /** Drains and ends every part, the last one first. Returns the problems that occurred. */
  async stop(): Promise<string[]> {
    this.beginStop();
    const problems: string[] = [];
    for (const watched of this.#watched.splice(0).reverse()) {
      const problem = await watched.stop();
      if (problem !== undefined) problems.push(problem);
    }
    return problems;
  }
}

class WatchedPart {
  readonly #part: Part;
  readonly #supervisor: Supervisor;
  readonly #report: Report;
  readonly #ending = new AbortController();
  #child: Child | undefined;
  /** Processes that were told to end. */
  readonly #asked = new WeakSet<Child>();
  #startedAt = 0;
  #delayMs = FIRST_DELAY_MS;
  /** Resolves when no restart is in progress. */
  #restarting: Promise<void> = Promise.resolve();

  constructor(part: Part, supervisor: Supervisor, report: Report) {
    this.#part = part;
    this.#supervisor = supervisor;
    this.#report = report;
  }

  get name(): string {
    return this.#part.name;
  }

  async start(signal: AbortSignal): Promise<void> {
    const { name } = this.#part;
    const onSpawn = (child: Child) => this.#supervisor.onSpawn(name, child.pid);
    const child = await startPart(this.#part, { onSpawn, signal });
    this.#child = child;
    this.#startedAt = performance.now();
    this.#report(`${name.padEnd(7)} ready   ${this.#part.note}`);
    this.#watchPulse(child);
    child.exited.then((exit) => {
      if (!this.#ending.signal.aborted) this.#restarting = this.#startAgain(exit);
    });
  }

  /** Kills a part that is silent for too long, because others would wait for it without end. */
  #watchPulse(child: Child): void {
    const part = this.#part;
    if (part.isAlive === undefined) return;
    const { beatMs } = this.#supervisor;
    const pulse = new Pulse();
    const beats = setInterval(() => {
      // A part that is ending may be silent.
      if (!child.running || this.#asked.has(child) || this.#ending.signal.aborted) {
        clearInterval(beats);
        return;
      }
      part.isAlive!(AbortSignal.timeout(Math.max(beatMs, ASK_MS))).then(
        (isAlive) => isAlive && pulse.beat(),
        () => undefined,
      );
      if (!pulse.due()) return;
      this.#report(`${this.name} does not respond any more and is terminated`);
      // A process that hangs does not react to any other signal.
      child.signal('SIGKILL');
    }, beatMs);
    beats.unref();
  }

  signal(signal: NodeJS.Signals): void {
    if (this.#child === undefined) return;
    if (signal === 'SIGTERM') this.#asked.add(this.#child);
    this.#child.signal(signal);
  }

  async stop(): Promise<string | undefined> {
    this.#ending.abort();
    await this.#restarting;
    const child = this.#child;
    if (child === undefined || !child.running) return undefined;
    await this.#drain(child);
    const exit = await child.stop(this.#part.stopPatienceMs);
    return exit.code === 0 ? undefined : `${this.name} ${describeExit(exit)}`;
  }

  async #startAgain(exit: Exit): Promise<void> {
    if (performance.now() - this.#startedAt > HEALTHY_AFTER_MS) this.#delayMs = FIRST_DELAY_MS;
    let problem = `${this.name} ${describeExit(exit)}`;
    const { signal } = this.#ending;
    while (!signal.aborted) {
      this.#report(`${problem}; starting it again in ${this.#delayMs / 1000} s`);
      await sleep(this.#delayMs, undefined, { signal }).catch(() => {});
      this.#delayMs = Math.min(this.#delayMs * 2, MAX_DELAY_MS);
      if (signal.aborted) return;
      try {
        await this.start(signal);
        return;
      } catch (error) {
        problem = messageOf(error);
      }
    }
  }

  /** A part whose drain fails is ended nevertheless, because it is broken. */
  async #drain(child: Child): Promise<void> {
    if (this.#part.drain === undefined) return;
    const drained = this.#part.drain(this.#report).catch((error: unknown) => {
      if (child.running) this.#report(`${this.name} could not be drained: ${messageOf(error)}`);
    });
    await Promise.race([drained, child.exited]);
  }
}
