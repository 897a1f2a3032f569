import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ModelChoice } from '../core/settings.js';
import { modelKey, type PlanInput, planAttempts } from './plan.js';

const model = (name: string, more: Partial<ModelChoice> = {}): ModelChoice => ({
  provider: 'local',
  model: name,
  structured_output: false,
  ...more,
});

const whole = (models: ModelChoice[], more: Partial<PlanInput> = {}) =>
  planAttempts({
    models,
    tags: [],
    metadata: {},
    logId: 'id',
    isConfigured: () => true,
    isCooling: () => false,
    ...more,
  });

const plan = (models: ModelChoice[], more: Partial<PlanInput> = {}) => whole(models, more).models;

const names = (models: ModelChoice[]) => models.map((choice) => choice.model).join(' ');

const anyModels = fc.array(
  fc.record({
    provider: fc.constantFrom('a', 'b'),
    model: fc.constantFrom('x', 'y', 'z'),
    structured_output: fc.boolean(),
    weight: fc.option(fc.double({ min: 0.01, max: 100, noNaN: true }), { nil: undefined }),
  }),
  { maxLength: 8 },
);

describe('a chain', () => {
  it('is in the order of the list', () => {
    expect(names(plan([model('a'), model('b'), model('c')]))).toBe('a b c');
  });

  it('leaves out the models whose `when` does not hold', () => {
    const models = [model('a', { when: { tags_any: ['pro'] } }), model('b')];
    expect(names(plan(models))).toBe('b');
    expect(names(plan(models, { tags: ['pro'] }))).toBe('a b');
  });

  it('has each provider/model once, at the first place where its `when` holds', () => {
    const models = [
      model('a', { structured_output: true, when: { tags_any: ['pro'] } }),
      model('b'),
      model('a'),
      model('a', { provider: 'other' }),
    ];
    expect(plan(models).map(modelKey)).toEqual(['local/b', 'local/a', 'other/a']);
    const [first, ...rest] = plan(models, { tags: ['pro'] });
    expect(first).toBe(models[0]);
    expect(rest.map(modelKey)).toEqual(['local/b', 'other/a']);
  });

  it('is empty where no model fits', () => {
    expect(plan([model('a', { when: { tags_any: ['pro'] } })])).toEqual([]);
  });

  it('leaves out models that are cooling, unless nothing else is left', () => {
    const models = [model('a'), model('b')];
    expect(names(plan(models, { isCooling: (choice) => choice.model === 'a' }))).toBe('b');
    expect(names(plan(models, { isCooling: () => true }))).toBe('a b');
  });

  it('leaves out models without a provider, cooling or not, unless nothing else fits', () => {
    const models = [model('a', { provider: 'gone' }), model('b')];
    const isConfigured = ({ provider }: ModelChoice) => provider !== 'gone';
    expect(names(plan(models, { isConfigured }))).toBe('b');
    expect(names(plan(models, { isConfigured, isCooling: ({ model }) => model === 'b' }))).toBe('b');
    expect(names(plan(models, { isConfigured: () => false }))).toBe('a b');
  });

  it('is the same for the same input, and has every distinct model once', () => {
    fc.assert(
      fc.property(anyModels, fc.uuid(), (models, logId) => {
        const first = plan(models, { logId });
        expect(plan(models, { logId })).toEqual(first);
        expect(first.map(modelKey).sort()).toEqual([...new Set(models.map(modelKey))].sort());
      }),
    );
  });
});

describe('weights', () => {
  const shares = (models: ModelChoice[], requests = 20_000) => {
    const counts = new Map<string, number>();
    for (let at = 0; at < requests; at++) {
      const first = plan(models, {
        logId: `0190a5b0-7c1e-7000-8000-${at.toString(16).padStart(12, '0')}`,
      })[0]!;
      counts.set(first.model, (counts.get(first.model) ?? 0) + 1 / requests);
    }
    return counts;
  };

  it('decide how often each of several neighbours comes first', () => {
    const counts = shares([model('a', { weight: 6 }), model('b', { weight: 3 }), model('c', { weight: 1 })]);
    expect(counts.get('a')).toBeCloseTo(0.6, 1.5);
    expect(counts.get('b')).toBeCloseTo(0.3, 1.5);
    expect(counts.get('c')).toBeCloseTo(0.1, 1.5);
  });

  it('draw separately in each group, whatever was drawn before', () => {
    const pair = (one: string, other: string) => [model(one, { weight: 1 }), model(other, { weight: 1 })];
    const models = [...pair('a', 'b'), model('middle'), ...pair('c', 'd')];
    const orders = new Map<string, number>();
    for (let at = 0; at < 4_000; at++) {
      const order = names(plan(models, { logId: `log-${at}` }));
      orders.set(order, (orders.get(order) ?? 0) + 1);
    }
    expect(orders.size).toBe(4);
    for (const count of orders.values()) expect(count / 4_000).toBeCloseTo(0.25, 1.5);
  });

  it('keep the order of those that were not drawn', () => {
    const models = ['a', 'b', 'c'].map((name) => model(name, { weight: 1 }));
    const orders = new Set(Array.from({ length: 200 }, (_, at) => names(plan(models, { logId: `${at}` }))));
    expect([...orders].sort()).toEqual(['a b c', 'b a c', 'c a b']);
  });

  it('apply to neighbours with weights only: a model without one keeps its place', () => {
    const models = [model('a', { weight: 1 }), model('b'), model('c', { weight: 100 })];
    for (let at = 0; at < 50; at++) expect(names(plan(models, { logId: `${at}` }))).toBe('a b c');
  });

  it('apply to models that become neighbours because of `when`', () => {
    const models = [
      model('a', { weight: 1 }),
      model('b', { when: { tags_any: ['pro'] } }),
      model('c', { weight: 1 }),
    ];
    const firsts = new Set(Array.from({ length: 50 }, (_, at) => names(plan(models, { logId: `${at}` }))));
    expect([...firsts].sort()).toEqual(['a c', 'c a']);
  });
});

describe('a chain that sticks to a value', () => {
  const models = ['a', 'b', 'c'].map((name, at) => model(name, { weight: at + 1 }));
  const values = Array.from({ length: 300 }, (_none, at) => `p/session-${at}`);

  it('is the same for each log id, and after a restart', () => {
    for (const stickyValue of values) {
      const first = names(plan(models, { stickyValue, logId: 'one' }));
      expect(names(plan(models, { stickyValue, logId: 'two' }))).toBe(first);
    }
  });

  it('replaces a model that is cooling by the next of the same draw, and returns to it', () => {
    for (const stickyValue of values) {
      const [first, ...rest] = plan(models, { stickyValue });
      const cooling = whole(models, { stickyValue, isCooling: (choice) => choice === first });
      expect(cooling.models).toEqual(rest);
      expect(cooling.first).toBe(first);
    }
  });

  it('skips a model whose `when` does not hold, and records that it was the first', () => {
    for (const stickyValue of values.slice(0, 50)) {
      const [first, second] = plan(models, { stickyValue });
      const with_ = models.map((choice) =>
        choice === first ? { ...choice, when: { tags_any: ['pro'] } } : choice,
      );
      const served = whole(with_, { stickyValue });
      expect(served.models[0]).toBe(second);
      expect(served.first?.model).toBe(first?.model);
    }
  });
});

describe('the propensity of a draw', () => {
  const models = ['a', 'b', 'c'].map((name, at) => model(name, { weight: at + 1 }));

  it('is how often the model gets its place, by log id or by a value, with a cooling model too', () => {
    for (const key of ['logId', 'stickyValue'] as const) {
      for (const cooling of [undefined, 'c', 'a']) {
        const counts = new Map<string, number>();
        const propensities = new Map<string, number>();
        const draws = 6_000;
        for (let at = 0; at < draws; at++) {
          const drawn = whole(models, { [key]: `id-${at}`, isCooling: (choice) => choice.model === cooling });
          const [first, second] = drawn.models;
          counts.set(first!.model, (counts.get(first!.model) ?? 0) + 1);
          propensities.set(first!.model, drawn.propensities.get(first!)!);
          expect(drawn.propensities.get(second!)).toBeGreaterThan(0);
        }
        for (const [name, count] of counts) expect(propensities.get(name)).toBeCloseTo(count / draws, 1);
        expect([...propensities.values()].reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 12);
      }
    }
  });

  it('does not exist for a model that was not drawn', () => {
    expect(whole([model('a'), model('b')]).propensities.size).toBe(0);
    expect(whole([model('a', { weight: 1 })]).propensities.size).toBe(0);
  });
});
