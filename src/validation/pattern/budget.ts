/** Thrown inside a check that grows too expensive for the thread it runs on. */
export class BudgetSpent extends Error {
  constructor() {
    super('The budget of this check is spent.');
    this.name = 'BudgetSpent';
  }
}

/** Limits the steps of a check that can be long for a short schema. Throws `BudgetSpent`. */
export interface Budget {
  /** Counts a step of known length, in microseconds. */
  spend(us: number): void;
  /** Runs a step, unless it could take too long by itself, and counts what it took. */
  run<Value>(worstUs: number, step: () => Value): Value;
}

/** For threads that are ended at a deadline and so need no count. */
export const unlimitedBudget: Budget = { spend: () => undefined, run: (_, step) => step() };

export class CheckBudget implements Budget {
  readonly #wholeUs: number;
  #leftUs: number;

  constructor(wholeUs: number) {
    this.#wholeUs = wholeUs;
    this.#leftUs = wholeUs;
  }

  refill(): void {
    this.#leftUs = this.#wholeUs;
  }

  spend(us: number): void {
    this.#leftUs -= us;
    if (this.#leftUs < 0) throw new BudgetSpent();
  }

  /** A step can be far faster than its worst; so it may be as long as the whole, and only its true time counts. */
  run<Value>(worstUs: number, step: () => Value): Value {
    if (worstUs > this.#wholeUs) throw new BudgetSpent();
    const start = performance.now();
    const value = step();
    this.spend((performance.now() - start) * 1000);
    return value;
  }
}
