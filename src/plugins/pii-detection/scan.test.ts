import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { PiiEngine } from './engine.js';
import { scanTexts } from './scan.js';

const texts = Array.from({ length: 20 }, (_, index) => ({ place: `/${index}`, text: 'abc' }));
const { signal } = new AbortController();

/** Tells how many texts were looked at at the same time. */
function engineOf(syncLimit: number): { engine: PiiEngine; most: () => number } {
  let running = 0;
  let most = 0;
  const find = async () => {
    most = Math.max(most, ++running);
    await nextTurn();
    running--;
    return [{ entityType: 'PERSON' as const, start: 0, end: 1, score: 1 }];
  };
  const engine = { syncLimit, findSync: () => [], find, longestRun: 0, languageSupported: true };
  return { engine, most: () => most };
}

describe('texts that are short together', () => {
  it('are looked at at once', () => {
    const found = scanTexts(engineOf(10_000).engine, texts, () => signal);
    expect(found).toEqual([]);
  });

  it('are not, where there are very many of them', () => {
    const empty = Array.from({ length: 1_000 }, (_, index) => ({ place: `/${index}`, text: '' }));
    expect(scanTexts(engineOf(10_000).engine, empty, () => signal)).toBeInstanceOf(Promise);
  });
});

describe('texts that take long together', () => {
  it('are looked at one after the other, so that other work gets its turn after each', async () => {
    const { engine, most } = engineOf(10);
    const found = await scanTexts(engine, texts, () => signal);
    expect(found.map(({ place }) => place)).toEqual(texts.map(({ place }) => place));
    expect(most()).toBe(1);
  });

  it('are asked for side by side where another service looks at them', async () => {
    const { engine, most } = engineOf(0);
    const found = await scanTexts(engine, texts, () => signal);
    expect(found.map(({ place }) => place)).toEqual(texts.map(({ place }) => place));
    expect(most()).toBe(texts.length);
  });

  it('are left when the client has gone', async () => {
    const abort = new AbortController();
    const { engine, most } = engineOf(10);
    const found = scanTexts(engine, texts, () => abort.signal);
    abort.abort(new Error('client gone'));
    await expect(found).rejects.toThrow('client gone');
    expect(most()).toBe(1);
  });
});
