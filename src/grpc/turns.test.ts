import { describe, expect, it } from 'vitest';
import { Turns, type Waiting } from './turns.js';

const nextRound = () => new Promise((resolve) => setImmediate(resolve));

/** Has so many messages, each of which takes so many milliseconds of the clock. */
class Stream implements Waiting {
  constructor(
    private readonly name: string,
    private left: number,
    private readonly system: { turns: Turns; now: number; seen: string[] },
  ) {}

  deliver(): void {
    const { system } = this;
    do {
      system.now += 1;
      system.seen.push(this.name);
    } while (--this.left > 0 && !system.turns.isOver);
    if (this.left > 0) system.turns.wait(this);
  }
}

function setUp() {
  const system = { now: 0, seen: [] as string[], turns: undefined as unknown as Turns };
  system.turns = new Turns(() => system.now);
  return system;
}

describe('turns', () => {
  it('end after some milliseconds, until the event loop has gone around', async () => {
    const system = setUp();
    expect(system.turns.isOver).toBe(false);
    system.now += 2;
    expect(system.turns.isOver).toBe(true);
    await nextRound();
    expect(system.turns.isOver).toBe(false);
  });

  it('let other work run between two rounds, however much waits', async () => {
    const system = setUp();
    system.turns.wait(new Stream('flood', 100, system));
    for (let round = 1; round <= 20; round++) {
      await nextRound();
      expect(system.seen.length).toBeLessThanOrEqual(3 * round);
    }
  });

  it('are shared equally by all streams', async () => {
    const system = setUp();
    for (const name of ['a', 'b', 'c']) system.turns.wait(new Stream(name, 20, system));
    while (system.seen.length < 30) await nextRound();
    const counts = ['a', 'b', 'c'].map((name) => system.seen.filter((seen) => seen === name).length);
    expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(4);
  });

  it('give each stream all of its messages', async () => {
    const system = setUp();
    for (let at = 0; at < 50; at++) system.turns.wait(new Stream(`${at}`, 7, system));
    while (system.seen.length < 350) await nextRound();
    await nextRound();
    expect(system.seen).toHaveLength(350);
  });
});
