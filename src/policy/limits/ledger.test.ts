import { describe, expect, it } from 'vitest';
import type { TrafficLimit } from '../../core/settings.js';
import { Ledger } from './ledger.js';
import { keySubject, prepareLimits, type RequestFacts } from './limit.js';

const MINUTE = Date.parse('2026-05-05T10:30:00Z');
const key = { id: 'k1', hash: 'aaaaaaaa11', managed_by: 'api' as const };
const FACTS: RequestFacts = { projectUid: 'p', key, endpoint: 'support', tags: [], metadata: {} };
const NEED = { requests: 1, concurrent: 1, tokens: 100, cost_usd: 0.01 };

function limitsOf(...limits: Partial<TrafficLimit>[]) {
  return prepareLimits(
    'p',
    limits.map((limit) => ({ per: 'project', action: 'reject', shared: false, ...limit })),
  );
}

function ask(
  ledger: Ledger,
  limits: ReturnType<typeof limitsOf>,
  {
    facts = {},
    need = {},
    at = MINUTE,
    hasNext = false,
  }: {
    facts?: Partial<RequestFacts>;
    need?: Partial<typeof NEED>;
    at?: number;
    hasNext?: boolean;
  } = {},
) {
  return ledger.admit(limits, { ...FACTS, ...facts }, { ...NEED, ...need }, { hasNext, now: at });
}

describe('a limit', () => {
  it('allows its number of requests in a window, and refuses no more once that has passed', () => {
    const ledger = new Ledger();
    const limits = limitsOf({ requests: 2, window: 'minute' });
    expect(ask(ledger, limits).refusal).toBeUndefined();
    expect(ask(ledger, limits).refusal).toBeUndefined();
    expect(ask(ledger, limits, { at: MINUTE + 15_000 }).refusal).toMatchObject({ retryAfterMs: 45_000 });
    expect(ask(ledger, limits, { at: MINUTE + 60_000 }).refusal).toBeUndefined();
  });

  it('counts each key, endpoint, tag and value of metadata separately', () => {
    const ledger = new Ledger();
    const limits = limitsOf(
      { per: 'key', requests: 1, window: 'day' },
      { per: 'tag', requests: 1, window: 'day' },
      { per: 'metadata.user', requests: 1, window: 'day' },
    );
    const from = (id: string, tags: string[], user?: string) =>
      ask(ledger, limits, {
        facts: { key: { ...key, id }, tags, metadata: user === undefined ? {} : { user } },
      }).refusal?.limit.limit.per;
    expect(from('a', ['x'], 'ann')).toBeUndefined();
    expect(from('a', [])).toBe('key');
    expect(from('b', ['y', 'x'])).toBe('tag');
    expect(from('b', ['y'], 'ann')).toBe('metadata.user');
    // None of the three refusals took anything.
    expect(from('b', ['y'], 'bob')).toBeUndefined();
    // A request without the key of the metadata is nobody's.
    expect(from('c', [])).toBeUndefined();
  });

  it('counts only requests that match its `when`', () => {
    const ledger = new Ledger();
    const limits = limitsOf({ requests: 1, window: 'day', when: { tags_any: ['tier:free'] } });
    const from = (...tags: string[]) => ask(ledger, limits, { facts: { tags } }).refusal;
    expect([from(), from(), from('tier:free')]).toEqual([undefined, undefined, undefined]);
    expect(from('tier:free')).toBeDefined();
  });

  it('on concurrency frees its place when an exchange ends, however it ends', () => {
    const ledger = new Ledger();
    const limits = limitsOf({ concurrent: 1 });
    const first = ask(ledger, limits);
    expect(ask(ledger, limits).refusal).toMatchObject({ retryAfterMs: 1_000 });
    ledger.settle(first.met, NEED, { requests: 1, tokens: 0, cost_usd: 0 });
    expect(ask(ledger, limits).refusal).toBeUndefined();
  });

  it('on tokens reserves an estimate, and replaces it by what was used', () => {
    const ledger = new Ledger();
    const limits = limitsOf({ tokens: 250, window: 'hour' });
    const [one, two] = [ask(ledger, limits), ask(ledger, limits)];
    // 200 are reserved: the third would be over.
    expect(ask(ledger, limits).refusal).toMatchObject({ retryAfterMs: 1_000 });
    ledger.settle(one.met, NEED, { requests: 1, tokens: 10, cost_usd: 0 });
    expect(ask(ledger, limits).refusal).toBeUndefined();
    ledger.settle(two.met, NEED, { requests: 1, tokens: 240, cost_usd: 0 });
    expect(ask(ledger, limits).refusal?.retryAfterMs).toBeGreaterThan(1_000);
  });

  it('refuses nobody because of an estimate alone', () => {
    const ledger = new Ledger();
    const limits = limitsOf({ tokens: 30, window: 'day' });
    const first = ask(ledger, limits, { need: { tokens: 4_000 } });
    expect(first.refusal).toBeUndefined();
    ledger.settle(first.met, { ...NEED, tokens: 4_000 }, { requests: 1, tokens: 10, cost_usd: 0 });
    expect(ask(ledger, limits, { need: { tokens: 4_000 } }).refusal).toBeUndefined();
  });

  it('keeps its count when its amount is raised', () => {
    const ledger = new Ledger();
    const before = limitsOf({ cost_usd: 1, window: 'month' });
    const spend = (limits: typeof before, cost_usd: number) => {
      const { met, refusal } = ask(ledger, limits);
      if (refusal === undefined) ledger.settle(met, NEED, { requests: 1, tokens: 0, cost_usd });
      return refusal;
    };
    expect(spend(before, 1)).toBeUndefined();
    expect(spend(before, 0)).toBeDefined();
    const raised = limitsOf({ cost_usd: 1.5, window: 'month' });
    expect(spend(raised, 0.6)).toBeUndefined();
    expect(spend(raised, 0)).toBeDefined();
  });

  it('leads to the next model of the chain, and refuses where there is none', () => {
    const ledger = new Ledger();
    const limits = limitsOf({ requests: 1, window: 'day', action: 'fallback' });
    expect(ask(ledger, limits, { hasNext: true }).skipsFirst).toBe(false);
    expect(ask(ledger, limits, { hasNext: true })).toMatchObject({
      skipsFirst: true,
      met: [{ outcome: 'fallback' }],
    });
    expect(ask(ledger, limits, { hasNext: false }).refusal).toBeDefined();
  });

  it('with `warn` lets everything pass, and says so', () => {
    const ledger = new Ledger();
    const limits = limitsOf({ requests: 1, window: 'day', action: 'warn' });
    expect(ask(ledger, limits).met[0]?.outcome).toBe('passed');
    expect(ask(ledger, limits)).toMatchObject({ met: [{ outcome: 'warned' }] });
  });

  it('reserves nothing where another one refuses', () => {
    const ledger = new Ledger();
    const limits = limitsOf({ concurrent: 5 }, { requests: 1, window: 'day' });
    ask(ledger, limits);
    for (let i = 0; i < 10; i++) expect(ask(ledger, limits).refusal?.limit.kind).toBe('requests');
  });

  it('asks to wait for the window that ends last', () => {
    const ledger = new Ledger();
    const limits = limitsOf({ requests: 1, window: 'minute' }, { requests: 1, window: 'hour' });
    ask(ledger, limits);
    expect(ask(ledger, limits).refusal).toMatchObject({
      limit: { limit: { window: 'hour' } },
      retryAfterMs: 1_800_000,
    });
  });

  it('of a key is not inherited by a new key of the same name', () => {
    const file = { id: 'file:bot', managed_by: 'file' as const };
    expect(keySubject({ ...file, hash: 'aaaaaaaa' })).not.toBe(keySubject({ ...file, hash: 'bbbbbbbb' }));
    expect(keySubject({ ...key, id: 'one' })).not.toBe(keySubject({ ...key, id: 'two' }));
  });

  it('counts a request once, also where two limits count the same', () => {
    const ledger = new Ledger();
    const limits = limitsOf({ requests: 2, window: 'day', action: 'warn' }, { requests: 3, window: 'day' });
    const outcomes = () => ask(ledger, limits).met.map(({ outcome }) => outcome);
    expect([outcomes(), outcomes()]).toEqual(Array(2).fill(['passed', 'passed']));
    expect(outcomes()).toEqual(['warned', 'passed']);
    expect(outcomes()).toEqual(['warned', 'rejected']);
  });

  it('refuses nobody for long after a clock that was ahead is set back', () => {
    const ledger = new Ledger();
    const limits = limitsOf({ requests: 1, window: 'day' });
    ask(ledger, limits, { at: MINUTE + 40 * 86_400_000 });
    expect(ask(ledger, limits).refusal).toBeUndefined();
    expect(ask(ledger, limits).refusal).toBeDefined();
    // A correction by a few milliseconds does not empty the window that has just begun.
    const begin = Date.parse('2026-05-06T00:00:00Z');
    ask(ledger, limits, { at: begin });
    expect(ask(ledger, limits, { at: begin - 5 }).refusal).toBeDefined();
  });

  it('counts a limited number of subjects, and drops the ones that used least', () => {
    const ledger = new Ledger({ mostChosen: 10 });
    const limits = limitsOf({ per: 'metadata.user', requests: 2, window: 'minute' });
    const from = (user: number, at: number) => {
      const { met, refusal } = ask(ledger, limits, { facts: { metadata: { user } }, at });
      if (refusal === undefined) ledger.settle(met, NEED, { requests: 1, tokens: 0, cost_usd: 0 });
      return refusal;
    };
    from(0, MINUTE);
    from(0, MINUTE);
    for (let user = 1; user < 50; user++) from(user, MINUTE);
    expect(ledger.size).toBe(10);
    expect(from(0, MINUTE)).toBeDefined();
    // Those whose window has passed go first, all that are looked at.
    from(100, MINUTE + 60_000);
    expect(ledger.size).toBe(1);
  });

  it('that is removed from the configuration keeps no count', () => {
    const ledger = new Ledger();
    const [kept, gone] = limitsOf(
      { requests: 2, window: 'day' },
      { per: 'metadata.user', requests: 2, window: 'day' },
    );
    for (const user of ['ann', 'bob']) ask(ledger, [kept!, gone!], { facts: { metadata: { user } } });
    expect(ledger.size).toBe(3);
    ledger.keepOnly(new Set([kept!.id]));
    expect(ledger.size).toBe(1);
    expect(ask(ledger, [kept!]).refusal).toBeDefined();
  });

  it('never drops the count of a project, key or endpoint, however many subjects a client invents', () => {
    const ledger = new Ledger({ mostChosen: 10 });
    const limits = limitsOf(
      { requests: 1_000, window: 'month' },
      { per: 'metadata.user', requests: 1, window: 'month' },
      { per: 'tag', requests: 1, window: 'month' },
    );
    for (let i = 0; i < 1_000; i++) {
      const { met, refusal } = ask(ledger, limits, { facts: { metadata: { user: i }, tags: [`t${i}`] } });
      expect(refusal).toBeUndefined();
      ledger.settle(met, NEED, { requests: 1, tokens: 0, cost_usd: 0 });
    }
    expect(ask(ledger, limits).refusal?.limit.limit.per).toBe('project');
    expect(ledger.size).toBeLessThanOrEqual(11);
  });

  it('continues after a start with what was counted before, in the same window only', () => {
    const limits = limitsOf({ requests: 3, window: 'hour' });
    const before = new Ledger();
    const counted = ask(before, limits).met[0]!.counter.key;
    const ledger = new Ledger();
    ask(ledger, limits);
    const used = { key: counted, requests: 1, tokens: 5, cost_usd: 0 };
    ledger.restore([used], MINUTE);
    ledger.restore([{ ...used, key: 'another' }], MINUTE);
    expect(ask(ledger, limits).refusal).toBeUndefined();
    expect(ask(ledger, limits).refusal).toBeDefined();
    // The store still has what a former process used of a shared limit.
    const shared = limitsOf({ requests: 3, window: 'hour', shared: true });
    const sharedKey = ask(new Ledger(), shared).met[0]!.counter.key;
    const successor = new Ledger();
    successor.restore([{ ...used, requests: 2 }], MINUTE, 'ofOthers');
    successor.restore([{ ...used, key: sharedKey, requests: 2 }], MINUTE, 'ofOthers');
    expect(ask(successor, limits).met[0]!.counter.remaining()).toBe(0);
    expect(ask(successor, shared).met[0]!.counter.remaining()).toBe(2);
    const later = new Ledger();
    later.restore([{ ...used, requests: 3 }], MINUTE);
    expect(ask(later, limits, { at: MINUTE + 3_600_000 }).refusal).toBeUndefined();
  });
});
