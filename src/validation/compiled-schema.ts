import { assertNever } from '../core/assert-never.js';
import { checkOutput } from './check-output.js';
import { checkDeadlineMs, type Deadlines } from './deadlines.js';
import { BudgetSpent, CheckBudget, unlimitedBudget } from './pattern/budget.js';
import { createPattern, PATTERN_BYTES } from './pattern/pattern.js';
import { createValidatorLoader, type Validator } from './schema/load-validator.js';
import type { SchemaCost } from './thread-protocol.js';
import type { Lane } from './threads/lane.js';
import type { Lanes } from './threads/lanes.js';
import { ranOutOfMemory } from './threads/living-thread.js';
import type { CheckResult, PreparedSchema } from './validation.js';

/** The budget of a validation on the main thread: 3 ms of counted steps, and about as much for work that its size limits. */
const MAIN_BUDGET_US = 3_000;
const MAIN_MAX_WORK = 4_000_000;
const MAIN_MAX_TEXT = 65_536;
const MAIN_MAX_CODE = 65_536;
const MAIN_MAX_INSTRUCTIONS = 2_000;

const budget = new CheckBudget(MAIN_BUDGET_US);
const loadCounted = createValidatorLoader(budget);

/**
 * Runs the regular expression engine once. Its first run takes ten milliseconds, which should not delay somebody's
 * request.
 */
export function warmMainThread(): void {
  createPattern('^\\p{L}\\s.$', unlimitedBudget).test('a b');
}

/** One compiled schema. It decides for each output on which thread the output is validated. */
export class CompiledSchema implements PreparedSchema {
  readonly #key: string;
  readonly #code: string;
  readonly #cost: SchemaCost;
  readonly #lanes: Lanes;
  readonly #deadlines: Deadlines;
  #validator: Validator | undefined;
  #wasLate = false;

  constructor(compiled: { key: string; code: string; cost: SchemaCost; lanes: Lanes; deadlines: Deadlines }) {
    this.#key = compiled.key;
    this.#code = compiled.code;
    this.#cost = compiled.cost;
    this.#lanes = compiled.lanes;
    this.#deadlines = compiled.deadlines;
  }

  /** The approximate size in bytes: the code, what V8 compiles it to, and the memory of patterns. */
  get size(): number {
    return this.#code.length * 4 + this.#cost.patterns * PATTERN_BYTES;
  }

  /** Starts the thread that outputs will need, so that the first output does not wait for it. */
  warm(): void {
    if (!this.#fitsMainThread('')) this.#place().lane.warm();
  }

  async check(text: string): Promise<CheckResult> {
    return (this.#fitsMainThread(text) ? this.#checkHere(text) : undefined) ?? this.#checkInThread(text);
  }

  #fitsMainThread(text: string): boolean {
    return (
      text.length <= MAIN_MAX_TEXT &&
      this.#code.length <= MAIN_MAX_CODE &&
      !this.#cost.nativePatterns &&
      this.#cost.patternInstructions <= MAIN_MAX_INSTRUCTIONS &&
      this.#cost.unfoldedNodes * text.length <= MAIN_MAX_WORK
    );
  }

  /** Validates on this thread. Undefined where that turned out to be too expensive here. */
  #checkHere(text: string): CheckResult | undefined {
    this.#validator ??= loadCounted(this.#code);
    budget.refill();
    try {
      return checkOutput(this.#validator, text);
    } catch (error) {
      if (error instanceof BudgetSpent) return undefined;
      throw error;
    }
  }

  async #checkInThread(text: string): Promise<CheckResult> {
    const { lane, baseMs } = this.#place();
    const deadlineMs = checkDeadlineMs(baseMs, text);
    const outcome = await lane.run({ kind: 'check', key: this.#key, code: this.#code, text }, deadlineMs);
    switch (outcome.kind) {
      case 'replied':
        if (outcome.reply.kind === 'checked') return outcome.reply.result;
        throw new Error('A validation thread answered another job.');
      case 'late':
        this.#wasLate = true;
        return unchecked(`the output could not be checked in ${deadlineMs} ms`);
      case 'full':
        return unchecked('the output could not be checked: too many checks are waiting');
      case 'failed':
        if (!ranOutOfMemory(outcome.cause)) throw outcome.cause;
        this.#wasLate = true;
        return unchecked('the output could not be checked: it took too much memory');
      default:
        return assertNever(outcome);
    }
  }

  #place(): { lane: Lane; baseMs: number } {
    const { steadyMs, riskyMs } = this.#deadlines;
    const steady = !this.#cost.nativePatterns && Number.isFinite(this.#cost.unfoldedNodes);
    if (this.#wasLate) return { lane: this.#lanes.penalty, baseMs: steady ? steadyMs : riskyMs };
    return steady
      ? { lane: this.#lanes.steady, baseMs: steadyMs }
      : { lane: this.#lanes.risky, baseMs: riskyMs };
  }
}

function unchecked(message: string): CheckResult {
  return { valid: false, path: '', message };
}
