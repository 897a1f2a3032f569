/** Work that gives a promise wherever it has to wait. */
export type Waits<Result = void> = Generator<Promise<unknown>, Result>;

/** Such work run to its end: at once, and with no promise, where it waits for nothing. */
export function runWaits<Result>(work: Waits<Result>): Result | Promise<Result> {
  const step = work.next();
  return step.done ? step.value : goOn(work, step.value);
}

async function goOn<Result>(work: Waits<Result>, first: Promise<unknown>): Promise<Result> {
  for (let pending = first; ; ) {
    await pending;
    const step = work.next();
    if (step.done) return step.value;
    pending = step.value;
  }
}
