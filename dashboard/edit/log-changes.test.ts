import { afterEach, describe, expect, it, vi } from 'vitest';
import { giveFeedback } from './log-changes.ts';

afterEach(() => vi.unstubAllGlobals());

describe('feedback', () => {
  it('is sent with a key of its own each time, even over plain HTTP', async () => {
    const { getRandomValues } = globalThis.crypto;
    vi.stubGlobal('crypto', { getRandomValues: getRandomValues.bind(globalThis.crypto) });
    const keys: (string | null)[] = [];
    vi.stubGlobal('fetch', async (_url: string, { method, headers }: RequestInit) => {
      if (method === 'POST') keys.push(new Headers(headers).get('idempotency-key'));
      return Response.json({ id: 'f', project_uid: 'p' });
    });
    const log = { id: 'l', project_uid: 'p' };
    await giveFeedback(log, { score: 1, weight: 1 });
    await giveFeedback(log, { score: 1, weight: 1 });
    expect(keys).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/), expect.stringMatching(/^[0-9a-f]{32}$/)]);
    expect(keys[0]).not.toBe(keys[1]);
  });
});
