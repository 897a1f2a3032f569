/** Lets tasks in one after another, in the order in which they came. */
export class OneAtATime {
  #last: Promise<void> = Promise.resolve();

  /** Waits for the tasks that came before. Returns what lets the next task in. */
  async enter(): Promise<() => void> {
    const before = this.#last;
    let leave = () => {};
    this.#last = new Promise((resolve) => {
      leave = resolve;
    });
    await before;
    return leave;
  }
}
