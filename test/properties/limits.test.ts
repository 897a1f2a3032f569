import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { TrafficLimit } from '../../src/core/settings.js';
import { grant, LEASE_MS, type Share } from '../../src/policy/limits/lease.js';
import { Ledger } from '../../src/policy/limits/ledger.js';
import { counterKey, prepareLimits } from '../../src/policy/limits/limit.js';
import { usedByLogs } from '../../src/policy/limits/rebuild.js';

/*
 * Engines, the store that they share, and all that can come in between, in any order: exchanges that end well or not,
 * messages that are lost on either way, engines that are killed and start again, time that goes on.
 */

const START = Date.parse('2026-05-05T10:00:00Z');
const HOUR = 3_600_000;
const AMOUNT = 40;
const SLICE = 4;
const ENGINES = 3;
/** Within a lease, so that no engine is taken for lost that lives. */
const LONGEST_TICK_MS = 3_000;
const FACTS = {
  projectUid: 'p',
  key: { id: 'k', hash: 'h', managed_by: 'api' as const },
  endpoint: 'e',
  tags: [],
  metadata: {},
};

interface Log {
  engine: number;
  created_at: Date;
  limits: { id: string; per: string; kind: 'tokens'; window: 'hour'; limit: number; outcome: 'passed' }[];
  usage: { input_tokens: number; output_tokens: number };
  cost: null;
}

class World {
  now = START;
  readonly logs: Log[] = [];
  crashes = 0;
  #ledgers: Ledger[] = [];
  #running: { engine: number; met: ReturnType<Ledger['admit']>['met']; at: number; tokens: number }[] = [];
  readonly #shares = new Map<string, Record<string, Share>>();
  readonly #limits;

  constructor(shared: boolean) {
    const limit: TrafficLimit = { per: 'project', tokens: AMOUNT, window: 'hour', action: 'reject', shared };
    this.#limits = prepareLimits('p', [limit]);
    this.#ledgers = Array.from({ length: shared ? ENGINES : 1 }, () => new Ledger());
  }

  get engines(): number {
    return this.#ledgers.length;
  }

  request(engine: number, tokens: number): boolean {
    const estimate = { requests: 1, concurrent: 1, tokens, cost_usd: 0 };
    const ledger = this.#ledgers[engine]!;
    const decision = ledger.admit(this.#limits, FACTS, estimate, { hasNext: false, now: this.now });
    if (decision.refusal !== undefined) return false;
    this.#running.push({ engine, met: decision.met, at: this.now, tokens });
    return true;
  }

  /** The exchange ends: answered, or given up before a model used anything. */
  end(which: number, answered: boolean): void {
    if (this.#running.length === 0) return;
    const [exchange] = this.#running.splice(which % this.#running.length, 1);
    const { engine, met, at, tokens } = exchange!;
    const used = answered ? tokens : 0;
    const estimate = { requests: 1, concurrent: 1, tokens, cost_usd: 0 };
    this.#ledgers[engine]!.settle(met, estimate, { requests: 1, tokens: used, cost_usd: 0 });
    const limits: Log['limits'] = met.map(({ counter }) => ({
      id: counter.key,
      per: 'project',
      kind: 'tokens',
      window: 'hour',
      limit: AMOUNT,
      outcome: 'passed',
    }));
    const usage = { input_tokens: used, output_tokens: 0 };
    this.logs.push({ engine, created_at: new Date(at), limits, usage, cost: null });
  }

  endAll(answered: boolean): void {
    while (this.#running.length > 0) this.end(0, answered);
  }

  /** `lost`: the question, the answer, or neither. */
  tell(engine: number, lost: 'question' | 'answer' | 'nothing', busy = true): void {
    const key = counterKey(this.#limits[0]!, '');
    const counter = this.#ledgers[engine]!.counter(key, this.#limits[0]!, this.now);
    const ask = counter.ask(busy);
    if (lost === 'question') {
      counter.failed();
      return;
    }
    const id = `${key}/${counter.span?.start}`;
    const shares = this.#shares.get(id) ?? {};
    this.#shares.set(id, shares);
    const name = String(engine);
    const others = Object.entries(shares).flatMap(([other, share]) => (other === name ? [] : [share]));
    const answer = grant(others, shares[name], ask, this.now);
    const used = Math.max(ask.used, shares[name]?.used ?? 0);
    shares[name] = { used, granted: answer.granted, at: this.now };
    if (lost === 'answer') counter.failed();
    else counter.take(answer, this.now);
  }

  /** Killed, and started again: what it had under way is gone, what it logged is there. */
  crash(engine: number): void {
    this.crashes++;
    this.#running = this.#running.filter((exchange) => exchange.engine !== engine);
    const ledger = new Ledger();
    const own = this.logs.filter((log) => log.engine === engine);
    ledger.restore(usedByLogs(own, this.now), this.now);
    this.#ledgers[engine] = ledger;
  }

  tick(ms: number): void {
    this.now += ms;
    // Those that live are heard of.
    for (let engine = 0; engine < this.engines; engine++) this.tell(engine, 'nothing');
  }

  /** In the window that is open: used, and under way. */
  total(): number {
    const start = Math.floor(this.now / HOUR) * HOUR;
    const used = this.logs
      .filter((log) => log.created_at.getTime() >= start)
      .reduce((sum, log) => sum + log.usage.input_tokens, 0);
    const reserved = this.#running
      .filter(({ at }) => at >= start)
      .reduce((sum, exchange) => sum + exchange.tokens, 0);
    return used + reserved;
  }

  /** How much can still be used, by one engine after the other. */
  drain(): void {
    for (let round = 0; round < 10 * AMOUNT; round++) {
      const went = this.request(round % this.engines, 1);
      this.endAll(true);
      this.tick(went ? 10 : LONGEST_TICK_MS);
    }
  }
}

const engine = fc.nat(ENGINES - 1);
const event = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('request' as const),
      engine,
      tokens: fc.integer({ min: 1, max: 4 }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('end' as const), which: fc.nat(20), answered: fc.boolean() }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('tell' as const),
      engine,
      lost: fc.constantFrom('question', 'answer', 'nothing'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('crash' as const), engine }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('tick' as const),
      ms: fc.integer({ min: 1, max: LONGEST_TICK_MS }),
    }),
  },
);

function play(
  world: World,
  events: readonly (typeof event extends fc.Arbitrary<infer E> ? E : never)[],
): void {
  for (const happening of events) {
    const of = 'engine' in happening ? happening.engine % world.engines : 0;
    if (happening.do === 'request') world.request(of, happening.tokens);
    else if (happening.do === 'end') world.end(happening.which, happening.answered);
    else if (happening.do === 'tell') world.tell(of, happening.lost as 'nothing');
    else if (happening.do === 'crash') world.crash(of);
    else world.tick(happening.ms);
    const over = world.engines === 1 ? 0 : SLICE * (world.engines + 2 * world.crashes);
    expect(world.total()).toBeLessThanOrEqual(AMOUNT + over);
  }
}

describe.each([false, true])('a limit in any order of events, shared: %s', (shared) => {
  it('is passed by no more than its bound, and leaves nothing that nobody used', () => {
    fc.assert(
      fc.property(fc.array(event, { maxLength: 120 }), (events) => {
        const world = new World(shared);
        play(world, events);
        world.endAll(false);
        // A grant of an engine that was killed ends with its lease.
        world.now += LEASE_MS + 1;
        world.tick(1);
        world.drain();
        expect(world.total()).toBeGreaterThanOrEqual(AMOUNT);
      }),
      { numRuns: 300 },
    );
  });

  it('refuses no more once its window has passed', () => {
    fc.assert(
      fc.property(fc.array(event, { maxLength: 60 }), (events) => {
        const world = new World(shared);
        play(world, events);
        world.now += HOUR;
        expect(world.request(0, 1)).toBe(true);
      }),
      { numRuns: 100 },
    );
  });
});
