import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { TrafficLimit } from '../../core/settings.js';
import { type Answer, grant, LEASE_MS, type Share } from './lease.js';
import { type LeaseAsk, LeaseKeeper, type LeaseStore } from './lease-keeper.js';
import { type CountedLimit, Ledger } from './ledger.js';
import { prepareLimits } from './limit.js';

const START = Date.parse('2026-05-05T10:00:00Z');
const KEY = { id: 'k', hash: 'h', managed_by: 'api' as const };

/** How far the wall clock of the engines was set. */
let wallSkew = 0;

/** What MongoDB does, with a switch. */
class FakeStore implements LeaseStore {
  isAway = false;
  readonly shares = new Map<string, Record<string, Share>>();
  readonly asked: LeaseAsk[][] = [];

  exchange(engine: string, asks: readonly LeaseAsk[]): Promise<Answer[]> {
    this.asked.push([...asks]);
    if (this.isAway) return Promise.reject(new Error('away'));
    return Promise.resolve(asks.map((ask) => this.#answer(engine, ask)));
  }

  #answer(engine: string, ask: LeaseAsk): Answer {
    const shares = this.shares.get(ask.key) ?? {};
    this.shares.set(ask.key, shares);
    const others = Object.entries(shares).flatMap(([name, share]) => (name === engine ? [] : [share]));
    const answer = grant(others, shares[engine], ask, Date.now());
    shares[engine] = { used: answer.used, granted: answer.granted, at: Date.now() };
    return answer;
  }
}

/** A store that takes each question at once, and whose answers come when the test says so. */
class SlowStore implements LeaseStore {
  readonly #store = new FakeStore();
  #answers: { engine: string; give(): void }[] = [];

  get waiting(): number {
    return this.#answers.length;
  }

  exchange(engine: string, asks: readonly LeaseAsk[]): Promise<Answer[]> {
    const answers = this.#store.exchange(engine, asks);
    return new Promise((resolve) => {
      this.#answers.push({ engine, give: () => resolve(answers) });
    });
  }

  /** Lets the answers go that wait, of one engine or of all. */
  async answer(engine?: string): Promise<void> {
    const isMeant = (one: { engine: string }) => engine === undefined || one.engine === engine;
    const answers = this.#answers.filter(isMeant);
    this.#answers = this.#answers.filter((one) => !isMeant(one));
    for (const { give } of answers) give();
    await vi.advanceTimersByTimeAsync(0);
  }
}

function engineOn(store: LeaseStore, engine: string, limit: Partial<TrafficLimit> = {}, group?: string) {
  const clock = { now: () => Date.now() + wallSkew, monotonic: () => Date.now() };
  const logger = { warn: vi.fn(), info: vi.fn() };
  const keeper = new LeaseKeeper({ engine, group: group ?? engine, store, clock, logger });
  const ledger = new Ledger({
    onShared: (counter) => keeper.changed(counter),
    standing: () => keeper.standing,
  });
  const limits = prepareLimits(
    'p',
    [{ per: 'metadata.user', requests: 100, window: 'day', action: 'reject', shared: true, ...limit }],
    group !== undefined,
  );
  const need = { requests: 1, concurrent: 1, tokens: 0, cost_usd: 0 };
  const ask = (user = 'ann') => {
    const facts = { projectUid: 'p', key: KEY, endpoint: 'e', tags: [], metadata: { user } };
    return ledger.admit(limits, facts, need, { hasNext: false, now: Date.now() });
  };
  const settle = (met: readonly CountedLimit[]) =>
    ledger.settle(met, need, { requests: 1, tokens: 0, cost_usd: 0 });
  /** How many of so many requests at a time went through. All of them end at once. */
  const burst = (count: number, user?: string) => {
    const passed = Array.from({ length: count }, () => ask(user)).filter(
      ({ refusal }) => refusal === undefined,
    );
    for (const { met } of passed) settle(met);
    return passed.length;
  };
  const restore = (used: number) => {
    const { counter } = ask().met[0]!;
    ledger.restore([{ key: counter.key, requests: used, tokens: 0, cost_usd: 0 }], Date.now());
  };
  return { keeper, logger, ask, settle, burst, restore };
}

describe('the leases of an engine', () => {
  beforeEach(() => {
    vi.useFakeTimers({ now: START });
    wallSkew = 0;
  });
  afterEach(() => {
    vi.useRealTimers();
  });
  const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

  it('do not allow more than a slice after a pause in which others used the rest', async () => {
    const store = new FakeStore();
    const [one, two] = [engineOn(store, 'one'), engineOn(store, 'two')];
    one.burst(1);
    await pass(3_000);
    let usedByTwo = 0;
    while (usedByTwo < 95) {
      usedByTwo += two.burst(1);
      await pass(10);
    }
    await pass(LEASE_MS * 3);
    // A tenth of the limit, for an engine that has not been told.
    expect(one.burst(64)).toBeLessThanOrEqual(10);
    await pass(1_000);
    expect(one.burst(64)).toBe(0);
  });

  it('allow a slice until the store answers, what was granted while it is away, and then a slice again', async () => {
    const store = new FakeStore();
    store.isAway = true;
    const { burst, logger } = engineOn(store, 'one');
    expect(burst(20)).toBe(10);
    await pass(LEASE_MS + 1_000);
    expect(burst(200)).toBe(90);
    expect(logger.warn).toHaveBeenCalledTimes(1);
    // Another subject, and so another counter, does not wait again.
    expect(burst(200, 'bob')).toBe(100);
    store.isAway = false;
    await pass(1_000);
    expect(logger.info).toHaveBeenCalledTimes(1);
    expect(burst(200, 'eve')).toBe(10);
  });

  it.each([
    ['while it goes on', 500],
    ['after a pause', 2_500],
  ])('are not used any more from the moment when they are returned, %s', async (_when, waitMs) => {
    const store = new SlowStore();
    const [one, two] = [engineOn(store, 'one'), engineOn(store, 'two')];
    // Half of the limit is granted to the first, and it uses 12 of it.
    let usedByOne = one.burst(2);
    await pass(10);
    await store.answer();
    usedByOne += one.burst(10);
    // It asks for less than it was granted, and goes on while the answer is under way.
    for (let passed = 0; passed < waitMs; passed += 100) {
      await store.answer();
      await pass(100);
    }
    expect(store.waiting).toBeGreaterThan(0);
    usedByOne += one.burst(200);
    let usedByTwo = 0;
    for (let round = 0; round < 20; round++) {
      usedByTwo += two.burst(200);
      await pass(50);
      await store.answer('two');
    }
    await store.answer();
    expect(usedByOne + one.burst(200) + usedByTwo + two.burst(200)).toBeLessThanOrEqual(100 + 2 * 10);
  });

  it('end for a process that was stopped, even while it is asking the store', async () => {
    const store = new SlowStore();
    const { burst } = engineOn(store, 'one');
    burst(1);
    await pass(10);
    await store.answer();
    const used = 1 + burst(10);
    await pass(600);
    expect(store.waiting).toBe(1);
    vi.setSystemTime(Date.now() + 6 * LEASE_MS);
    expect(used + burst(200)).toBeLessThanOrEqual(used + 10);
  });

  it('are returned after a pause, and no longer kept in memory or reported', async () => {
    const store = new FakeStore();
    const { burst } = engineOn(store, 'one');
    for (let user = 0; user < 1_500; user++) burst(1, `user-${user}`);
    await pass(5_000);
    const [[, shares]] = [...store.shares] as [[string, Record<string, Share>]];
    expect(shares.one).toMatchObject({ used: 1, granted: 1 });
    expect(store.shares.size).toBe(1_500);
    expect(Math.max(...store.asked.map((asks) => asks.length))).toBeLessThanOrEqual(500);
    const before = store.asked.length;
    await pass(60_000);
    expect(store.asked).toHaveLength(before);
  });

  it('report all of many counters that change all the time', async () => {
    const store = new FakeStore();
    const { burst } = engineOn(store, 'one', { requests: 1_000 });
    for (let round = 0; round < 6; round++) {
      for (let user = 0; user < 1_200; user++) burst(1, `user-${user}`);
      await pass(1_000);
    }
    for (const shares of store.shares.values()) expect(shares.one?.used).toBe(6);
  });

  it('include what an engine had used before it was killed, before and after its logs are added up', async () => {
    const store = new FakeStore();
    const before = engineOn(store, 'one');
    let used = 0;
    for (let round = 0; round < 12; round++) {
      used += before.burst(5);
      await pass(100);
    }
    await pass(600);
    expect(used).toBe(60);
    const again = engineOn(store, 'one');
    let usedAgain = 0;
    for (let round = 0; round < 20; round++) {
      usedAgain += again.burst(5);
      await pass(100);
    }
    expect(usedAgain).toBeGreaterThanOrEqual(40);
    // A slice, until the store has answered.
    expect(usedAgain).toBeLessThanOrEqual(40 + 10);
    again.restore(used);
    await pass(600);
    expect([...store.shares.values()][0]?.one?.used).toBe(used + usedAgain);
    expect(again.burst(1)).toBe(0);
  });

  it('hold for concurrency as long as the requests last, even if the wall clock is set back', async () => {
    const store = new FakeStore();
    const { ask, settle } = engineOn(store, 'one', { requests: undefined, window: undefined, concurrent: 2 });
    const { met } = ask();
    await pass(1_000);
    wallSkew = -3_600_000;
    await pass(120_000);
    const [shares] = [...store.shares.values()];
    expect(Date.now() - shares!.one!.at).toBeLessThan(LEASE_MS);
    expect(shares!.one!.used).toBe(1);
    settle(met);
    await pass(5_000);
    expect(shares!.one!.used).toBe(0);
  });

  it('are common to the processes of one engine for unshared limits, and to no other engine', async () => {
    const store = new FakeStore();
    const local = { requests: 10, shared: false };
    const [one, two] = [engineOn(store, 'w1', local, 'engine-a'), engineOn(store, 'w2', local, 'engine-a')];
    const other = engineOn(store, 'w3', local, 'engine-b');
    let passed = 0;
    for (let i = 0; i < 30; i++) {
      passed += one.burst(1) + two.burst(1);
      await pass(600);
    }
    expect(passed).toBe(10);
    let passedByOther = 0;
    for (let i = 0; i < 15; i++) {
      passedByOther += other.burst(1);
      await pass(600);
    }
    expect(passedByOther).toBe(10);
  });

  it('are returned at the end, without a message where there are none', async () => {
    const store = new FakeStore();
    const { burst, keeper } = engineOn(store, 'one');
    burst(5);
    await pass(600);
    await keeper.stop();
    expect([...store.shares.values()][0]?.one).toMatchObject({ used: 5, granted: 5 });
    const idle = engineOn(new FakeStore(), 'two');
    await idle.keeper.stop();
    expect(idle.logger.warn).not.toHaveBeenCalled();
  });
});
