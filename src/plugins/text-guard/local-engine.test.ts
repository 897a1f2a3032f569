import { describe, expect, it, vi } from 'vitest';
import { NotSeen, type ScanLimits, type TextScanner } from './found.js';
import { LocalEngine, MOST_UNITS } from './local-engine.js';
import { ScanPool, type ScanWork } from './scan-pool.js';

const limits: ScanLimits = { timeoutMs: 1_000, signal: new AbortController().signal };

/** A pool that scans here, and remembers what it was given. */
class FakePool extends ScanPool {
  readonly given: ScanWork[] = [];

  override async scan(work: ScanWork) {
    this.given.push(work);
    return work.texts.map((text) => [{ type: 'THREAD', start: 0, end: text.length, score: 1 }]);
  }
}

function engineOf() {
  const seen: string[] = [];
  const pool = new FakePool();
  const scanner: TextScanner = {
    // biome-ignore lint/correctness/useYield: one step is enough
    *scan(text) {
      seen.push(text);
      return [{ type: 'HERE', start: 0, end: text.length, score: 1 }];
    },
  };
  const spec = { kind: 'pii', options: {} };
  const engine = new LocalEngine({ scanner, spec, pool, longestRun: 0, streamWindow: undefined });
  return { engine, seen, pool };
}

const place = (text: string, index = 0) => ({ place: `/${index}`, text });

describe('the engine of a guard of texts', () => {
  it('checks a short text at once, and an empty one not at all', () => {
    const { engine, seen } = engineOf();
    expect(engine.find([place('abc'), place('', 1)], limits)).toEqual([
      { type: 'HERE', start: 0, end: 3, score: 1, place: '/0' },
    ]);
    expect(seen).toEqual(['abc']);
  });

  it('checks a text once, however often it comes', () => {
    const { engine, seen } = engineOf();
    const turn = [place('first turn'), place('answer', 1)];
    engine.find(turn, limits);
    const found = engine.find([...turn, place('second turn', 2), place('answer', 3)], limits);
    expect(seen).toEqual(['first turn', 'answer', 'second turn']);
    expect(found).toMatchObject([{ place: '/0' }, { place: '/1' }, { place: '/2' }, { place: '/3' }]);
  });

  it.each([
    ['', undefined],
    [' in the same exchange', {}],
  ])(
    'answers from earlier findings where it knows all texts%s, scans a little new text, and otherwise says at once that it cannot',
    (_name, exchange) => {
      const { engine, seen } = engineOf();
      const turns = [place('first turn'), place('', 1), place('answer', 2)];
      for (const turn of turns) engine.find([turn], { ...limits, exchange });
      expect(engine.findAtOnce(turns, exchange)).toEqual(engine.find(turns, limits));
      expect(engine.findAtOnce(turns, {})).toEqual(engine.find(turns, limits));
      expect(seen).toEqual(['first turn', 'answer']);
      const more = [place('second turn', 3), ...turns, place('last turn', 4)];
      expect(engine.findAtOnce(more, exchange)).toMatchObject([
        { place: '/3' },
        { place: '/0' },
        { place: '/2' },
        { place: '/4' },
      ]);
      expect(engine.findAtOnce([...turns, place('x'.repeat(2_000), 5)], exchange)).toBeUndefined();
      expect(engine.find(more, limits)).toEqual(engine.findAtOnce(more, exchange));
      expect(seen).toEqual(['first turn', 'answer', 'last turn', 'second turn']);
    },
  );

  it('looks through very many texts in turns with other work', async () => {
    const { engine } = engineOf();
    let now = performance.now();
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => now++);
    let read = 0;
    const texts = Array.from({ length: 10_000 }, (_, index) => ({
      place: `/${index}`,
      get text() {
        read++;
        return 'same';
      },
    }));
    const finding = engine.find(texts, limits);
    const readAtOnce = read;
    const found = await finding;
    clock.mockRestore();
    expect(readAtOnce).toBeLessThan(10_000);
    expect(found).toHaveLength(10_000);
  });

  it('does not hash very long texts only to recognize them', () => {
    const { engine } = engineOf();
    const long = [place('x'.repeat(100_000))];
    engine.find(long, limits);
    expect(engine.findAtOnce(long)).toBeUndefined();
  });

  it('knows all texts of a long conversation again in the same exchange, without their hashes', async () => {
    const { engine } = engineOf();
    const exchange = {};
    const turns = Array.from({ length: 300 }, (_, index) => place(`${index} `.repeat(200), index));
    const found = await engine.find(turns, { ...limits, exchange });
    const answer = place('the answer', 300);
    expect(engine.findAtOnce(turns)).toBeUndefined();
    expect(engine.findAtOnce([...turns, answer], exchange)).toEqual([
      ...found,
      { type: 'HERE', start: 0, end: 10, score: 1, place: '/300' },
    ]);
    const changed = turns.map((one, index) => (index === 7 ? place('changed', 7) : one));
    expect(engine.findAtOnce(changed, exchange)).toMatchObject({ length: 300, 7: { end: 7 }, 8: found[8]! });
  });

  it('stores nothing of the pieces of a stream', () => {
    const { engine, seen } = engineOf();
    const passing = { ...limits, passing: true };
    for (let time = 0; time < 2; time++) engine.find([place('a piece')], passing);
    expect(seen).toEqual(['a piece', 'a piece']);
  });

  it('passes longer texts to a thread, only those not seen before, with enough time for all', async () => {
    const { engine, pool } = engineOf();
    engine.find([place('known')], limits);
    const found = await engine.find([place('known'), place('x'.repeat(200_000), 1)], limits);
    expect(found).toMatchObject([{ type: 'HERE' }, { type: 'THREAD', end: 200_000, place: '/1' }]);
    expect(pool.given.map(({ texts }) => texts.map(({ length }) => length))).toEqual([[200_000]]);
    expect(pool.given[0]?.budgetMs).toBe(4_000);
    await engine.find([place('x'.repeat(200_000))], limits);
    expect(pool.given).toHaveLength(1);
  });

  it('refuses more than any model reads', () => {
    const { engine } = engineOf();
    expect(() => engine.find([place('x'.repeat(MOST_UNITS + 1))], limits)).toThrow(NotSeen);
  });
});
