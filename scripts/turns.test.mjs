import { expect, it } from 'vitest';
import { readSources } from './check-imports.mjs';

/** The one place that tells a value from a promise, and folders that import nothing from core. */
const MAY_ASK = /^(?:core\/pacing\/maybe-promise\.ts|pii\/)/;

it('only settle and recover ask whether a value is a promise', () => {
  const asking = [...readSources()]
    .filter(([path, text]) => !MAY_ASK.test(path) && /instanceof Promise\b/.test(text))
    .map(([path]) => path);
  expect(asking).toEqual([]);
});
