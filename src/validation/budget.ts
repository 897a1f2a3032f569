/** Thrown inside a check that grows too expensive for the thread it runs on. */
export class BudgetSpent extends Error {
  constructor() {
    super('The budget of this check is spent.');
    this.name = 'BudgetSpent';
  }
}

/** Counts the work of steps that can be long for a short schema. A unit stands for about 10 ns. */
export interface Budget {
  spend(units: number): void;
}

/** For threads that are ended at a deadline and so need no count. */
export const unlimitedBudget: Budget = { spend: () => undefined };

export class CheckBudget implements Budget {
  #left = 0;

  refill(units: number): void {
    this.#left = units;
  }

  spend(units: number): void {
    this.#left -= units;
    if (this.#left < 0) throw new BudgetSpent();
  }
}
