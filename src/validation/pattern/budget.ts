/** Thrown in a validation that becomes too expensive for its thread. */
export class BudgetSpent extends Error {
  constructor() {
    super('The budget of this check is spent.');
    this.name = 'BudgetSpent';
  }
}

/** Limits steps that can take long even for a short schema. Throws `BudgetSpent`. */
export interface Budget {
  /** Counts a step of known duration, in microseconds. */
  spend(us: number): void;
  /** Runs a step, unless it alone could take too long, and counts its real duration. */
  run<Value>(worstUs: number, step: () => Value): Value;
}

/** A budget without limit, for threads that are terminated at a deadline. */
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

  /** A step can be far faster than its worst case. So it may use the whole budget, and only its real duration counts. */
  run<Value>(worstUs: number, step: () => Value): Value {
    if (worstUs > this.#wholeUs) throw new BudgetSpent();
    const start = performance.now();
    const value = step();
    this.spend((performance.now() - start) * 1000);
    return value;
  }
}
