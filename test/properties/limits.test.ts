import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { TrafficLimit } from '../../src/core/settings.js';
import type { Counter } from '../../src/policy/limits/counter.js';
import { type Answer, type Ask, grant, LEASE_MS, type Share } from '../../src/policy/limits/lease.js';
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
const MOST_ENGINES = 3;
const MOST_TOKENS = 4;
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
  readonly #key;
  /** What each engine has asked and was not told yet. */
  readonly #questions = new Map<number, { counter: Counter; ask: Ask; answer?: Answer }>();

  constructor(
    engines: number,
    /** Of a request. */
    private readonly mostTokens: number,
  ) {
    const shared = engines > 1;
    const limit: TrafficLimit = { per: 'project', tokens: AMOUNT, window: 'hour', action: 'reject', shared };
    this.#limits = prepareLimits('p', [limit]);
    this.#key = counterKey(this.#limits[0]!, '');
    this.#ledgers = Array.from(
      { length: engines },
      () => new Ledger({ standing: () => ({ state: 'together', now: this.now }) }),
    );
  }

  get engines(): number {
    return this.#ledgers.length;
  }

  request(engine: number, wanted: number): boolean {
    const tokens = Math.min(wanted, this.mostTokens);
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

  /** Sends a question. `busy`: the engine has not paused, so it asks for some in advance. */
  ask(engine: number, busy = true): void {
    if (this.#questions.has(engine)) return;
    const counter = this.#ledgers[engine]!.counter(this.#key, this.#limits[0]!, this.now);
    this.#questions.set(engine, { counter, ask: counter.ask(busy) });
  }

  /** The question of this engine reaches the store, whose answer is under way then. */
  reach(engine: number): void {
    const question = this.#questions.get(engine);
    if (question === undefined || question.answer !== undefined) return;
    const { ask, counter } = question;
    const id = `${this.#key}/${counter.span?.start}`;
    const shares = this.#shares.get(id) ?? {};
    this.#shares.set(id, shares);
    const name = String(engine);
    const others = Object.entries(shares).flatMap(([other, share]) => (other === name ? [] : [share]));
    question.answer = grant(others, shares[name], ask, this.now);
    const used = Math.max(ask.used, shares[name]?.used ?? 0);
    shares[name] = { used, granted: question.answer.granted, at: this.now };
  }

  /** The engine gets its answer, or learns that its question or the answer to it was lost. */
  arrive(engine: number, isLost = false): void {
    const { counter, answer } = this.#questions.get(engine) ?? {};
    this.#questions.delete(engine);
    if (answer === undefined || isLost) counter?.failed();
    else counter!.take(answer, this.now);
  }

  /** A question and its answer, without anything in between. */
  tell(engine: number): void {
    this.ask(engine);
    this.reach(engine);
    this.arrive(engine);
  }

  /** Killed, and started again: what it had under way is gone, what it logged is there. */
  crash(engine: number): void {
    this.crashes++;
    this.#questions.delete(engine);
    this.#running = this.#running.filter((exchange) => exchange.engine !== engine);
    const ledger = new Ledger({ standing: () => ({ state: 'together', now: this.now }) });
    const own = this.logs.filter((log) => log.engine === engine);
    ledger.restore(usedByLogs(own, this.now), this.now);
    this.#ledgers[engine] = ledger;
  }

  tick(ms: number): void {
    this.now += ms;
    // Those that live are heard of.
    for (let engine = 0; engine < this.engines; engine++) {
      // An older question first, whose answer may be under way.
      if (this.#questions.has(engine)) this.tell(engine);
      this.tell(engine);
    }
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

  /** By how much the limit may be passed, at most: a slice for each engine, and what a request takes more than was left. */
  get mostOver(): number {
    const slices = this.engines === 1 ? 0 : SLICE * (this.engines + 2 * this.crashes);
    return slices + (this.mostTokens - 1) * (this.engines + this.crashes);
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

const engine = fc.nat(MOST_ENGINES - 1);
const event = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('request' as const),
      engine,
      tokens: fc.integer({ min: 1, max: MOST_TOKENS }),
      /** As many as one after the other are admitted: bursts use up what an engine was granted. */
      times: fc.constantFrom(1, 1, 2, 5, AMOUNT),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('end' as const), which: fc.nat(20), answered: fc.boolean() }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('ask' as const), engine, busy: fc.boolean() }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('reach' as const), engine }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('tell' as const), engine }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('arrive' as const), engine, isLost: fc.boolean() }),
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
    if (happening.do === 'request') {
      for (let time = 0; time < happening.times; time++) {
        if (!world.request(of, happening.tokens)) break;
      }
    } else if (happening.do === 'end') world.end(happening.which, happening.answered);
    else if (happening.do === 'ask') world.ask(of, happening.busy);
    else if (happening.do === 'reach') world.reach(of);
    else if (happening.do === 'tell') world.tell(of);
    else if (happening.do === 'arrive') world.arrive(of, happening.isLost);
    else if (happening.do === 'crash') world.crash(of);
    else world.tick(happening.ms);
    // Without `expect`, which would take most of the time.
    const most = AMOUNT + world.mostOver;
    if (world.total() > most) throw new Error(`${world.total()} were let through; at most ${most} may be`);
  }
}

describe.each([
  { engines: 1, tokens: 1 },
  { engines: 2, tokens: 1 },
  { engines: MOST_ENGINES, tokens: 1 },
  { engines: 1, tokens: MOST_TOKENS },
  { engines: MOST_ENGINES, tokens: MOST_TOKENS },
])('a limit in any order of events: $engines engines, requests of up to $tokens', ({ engines, tokens }) => {
  it('is exceeded by no more than its bound', () => {
    fc.assert(
      fc.property(fc.array(event, { maxLength: 120, size: 'max' }), (events) =>
        play(new World(engines, tokens), events),
      ),
      { numRuns: 1_000 },
    );
  });

  it('keeps no reservation that nobody used', () => {
    fc.assert(
      fc.property(fc.array(event, { maxLength: 120, size: 'max' }), (events) => {
        const world = new World(engines, tokens);
        play(world, events);
        world.endAll(false);
        // A grant of an engine that was killed ends with its lease.
        world.now += LEASE_MS + 1;
        world.tick(1);
        world.drain();
        expect(world.total()).toBeGreaterThanOrEqual(AMOUNT);
      }),
      { numRuns: 60 },
    );
  });

  it('refuses nothing any more once its window has passed', () => {
    fc.assert(
      fc.property(fc.array(event, { maxLength: 60, size: 'max' }), (events) => {
        const world = new World(engines, tokens);
        play(world, events);
        world.now += HOUR;
        expect(world.request(0, 1)).toBe(true);
      }),
      { numRuns: 60 },
    );
  });
});
