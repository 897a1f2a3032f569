import { describe, expect, it } from 'vitest';
import { EventQueue } from './event-queue.js';

/** Resolves when all that is ready to run has run. */
const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

describe('a queue of events', () => {
  it('handles an event at once where none is being handled', () => {
    const seen: number[] = [];
    new EventQueue<number>(
      (event) => void seen.push(event),
      () => {},
      () => {},
    ).push(1);
    expect(seen).toEqual([1]);
  });

  it('takes events one at a time, in the order in which they came', async () => {
    const seen: string[] = [];
    const gates: (() => void)[] = [];
    const queue = new EventQueue<string>(
      async (event) => {
        seen.push(`begin ${event}`);
        await new Promise<void>((resolve) => gates.push(resolve));
        seen.push(`end ${event}`);
      },
      () => {},
      () => {},
    );
    for (const event of ['a', 'b', 'c']) queue.push(event);
    expect(seen).toEqual(['begin a']);
    for (let opened = 0; opened < 3; opened++) {
      gates[opened]!();
      await nextTurn();
    }
    expect(seen).toEqual(['begin a', 'end a', 'begin b', 'end b', 'begin c', 'end c']);
  });

  it('handles events that arrive while one is being handled, even from the handler itself', async () => {
    const seen: number[] = [];
    const queue = new EventQueue<number>(
      (event) => {
        seen.push(event);
        if (event < 3) queue.push(event + 1);
      },
      () => {},
      () => {},
    );
    queue.push(1);
    await nextTurn();
    expect(seen).toEqual([1, 2, 3]);
  });

  it('reports what a handler throws, waits for the reaction, and continues', async () => {
    const seen: string[] = [];
    const queue = new EventQueue<string>(
      (event) => {
        if (event === 'throws') throw new Error('thrown');
        if (event === 'rejects') return Promise.reject(new Error('rejected'));
        seen.push(event);
      },
      async (error) => {
        await nextTurn();
        seen.push((error as Error).message);
      },
      () => {},
    );
    for (const event of ['throws', 'rejects', 'fine']) queue.push(event);
    while (seen.length < 3) await nextTurn();
    expect(seen).toEqual(['thrown', 'rejected', 'fine']);
  });

  it('reports an error in that reaction, and continues', async () => {
    const seen: string[] = [];
    const queue = new EventQueue<string>(
      (event) => {
        if (event === 'throws') throw new Error('thrown');
        seen.push(event);
      },
      () => {
        throw new Error('thrown again');
      },
      (error) => seen.push((error as Error).message),
    );
    for (const event of ['throws', 'fine']) queue.push(event);
    while (seen.length < 2) await nextTurn();
    expect(seen).toEqual(['thrown again', 'fine']);
  });

  it('tells when an event was handled: at once, or by a promise', async () => {
    let finish = () => {};
    const queue = new EventQueue<number>(
      (event) =>
        event === 1
          ? undefined
          : new Promise<void>((resolve) => {
              finish = resolve;
            }),
      () => {},
      () => {},
    );
    expect(queue.push(1)).toBeUndefined();
    let handled = false;
    const pending = queue.push(2)?.then(() => {
      handled = true;
    });
    await nextTurn();
    expect(handled).toBe(false);
    finish();
    await pending;
    expect(queue.push(1)).toBeUndefined();
  });

  it('drops waiting events once it is closed', async () => {
    const seen: number[] = [];
    let finish = () => {};
    const queue = new EventQueue<number>(
      (event) => {
        seen.push(event);
        return new Promise<void>((resolve) => {
          finish = resolve;
        });
      },
      () => {},
      () => {},
    );
    for (const event of [1, 2]) queue.push(event);
    queue.close();
    queue.push(3);
    finish();
    await nextTurn();
    expect(seen).toEqual([1]);
  });
});
