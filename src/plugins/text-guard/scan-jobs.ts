import type { Steps } from '../../core/pacing/steps.js';
import type { Found, TextScanner } from './found.js';

/** The longest work on one job before the next one gets its turn. */
const TURN_MS = 4;

interface Job {
  id: number;
  steps: Steps<(readonly Found[])[]>;
  budgetMs: number;
  spentMs: number;
}

export type JobEnd =
  | { kind: 'found'; job: number; found: (readonly Found[])[] }
  | { kind: 'late'; job: number }
  | { kind: 'threw'; job: number; reason: string };

/** The jobs of one thread. They take turns, and only the time of a job's own work counts against its budget. */
export class ScanJobs {
  readonly #texts = new Map<number, string[]>();
  readonly #running: Job[] = [];

  /** `clock` counts milliseconds of this thread's work. */
  constructor(private readonly clock: { now(): number }) {}

  get size(): number {
    return this.#running.length;
  }

  take(id: number, texts: string[], joined: boolean): void {
    const before = this.#texts.get(id);
    if (before === undefined) this.#texts.set(id, texts);
    else {
      const [first, ...rest] = texts;
      if (joined) before.push(`${before.pop() ?? ''}${first ?? ''}`);
      else if (first !== undefined) before.push(first);
      for (const text of rest) before.push(text);
    }
  }

  start(id: number, scanner: TextScanner, budgetMs: number): void {
    const texts = this.#texts.get(id) ?? [];
    this.#texts.delete(id);
    this.#running.push({ id, steps: scanAll(scanner, texts), budgetMs, spentMs: 0 });
  }

  drop(id: number): void {
    this.#texts.delete(id);
    const index = this.#running.findIndex((job) => job.id === id);
    if (index !== -1) this.#running.splice(index, 1);
  }

  /** Gives the next job one turn. Returns how the job ended, where it did. */
  turn(reasonOf: (thrown: unknown) => string): JobEnd | undefined {
    const job = this.#running.shift();
    if (job === undefined) return undefined;
    const start = this.clock.now();
    const turnEnd = performance.now() + TURN_MS;
    try {
      do {
        const { done, value } = job.steps.next();
        if (done) return { kind: 'found', job: job.id, found: value };
      } while (performance.now() < turnEnd);
    } catch (thrown) {
      return { kind: 'threw', job: job.id, reason: reasonOf(thrown) };
    }
    job.spentMs += this.clock.now() - start;
    if (job.spentMs > job.budgetMs) return { kind: 'late', job: job.id };
    this.#running.push(job);
    return undefined;
  }
}

function* scanAll(scanner: TextScanner, texts: readonly string[]): Steps<(readonly Found[])[]> {
  const found: (readonly Found[])[] = [];
  for (const text of texts) {
    found.push(yield* scanner.scan(text));
    yield;
  }
  return found;
}
