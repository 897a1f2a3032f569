import { beforeEach, describe, expect, it } from 'vitest';
import { AnswerCache, type CachedAnswer, MOST_ANSWER_BYTES } from './answer-cache.js';

let now: number;
let cache: AnswerCache<string>;
beforeEach(() => {
  now = 0;
  cache = new AnswerCache({ monotonic: () => now }, 10_000);
});

const answer = (body: string | Buffer): CachedAnswer<string> => ({
  logId: 'log',
  dialect: 'd',
  provider: 'p',
  model: 'm',
  contentType: 'application/json',
  body: Buffer.from(body),
});

describe('the cache of answers', () => {
  it('keeps an answer for its time, and no longer', () => {
    cache.keep('a', answer('x'), 1_000);
    expect(cache.find('a')?.body.toString()).toBe('x');
    now = 1_000;
    expect(cache.find('a')).toBeUndefined();
  });

  it('is limited: the least recently used answer is dropped first, and too long ones are not stored', () => {
    for (const key of ['a', 'b', 'c']) cache.keep(key, answer('x'.repeat(3_000)), 60_000);
    expect(cache.find('a')).toBeUndefined();
    cache.find('b');
    cache.keep('d', answer('x'.repeat(3_000)), 60_000);
    expect(cache.find('b')).toBeDefined();
    expect(cache.find('c')).toBeUndefined();
    const large = new AnswerCache<string>({ monotonic: () => now });
    large.keep('a', answer(Buffer.alloc(MOST_ANSWER_BYTES + 1)), 60_000);
    expect(large.find('a')).toBeUndefined();
  });

  it('makes requests wait for the first of several equal ones', async () => {
    const over = cache.ask('a');
    const waiting = cache.asking('a');
    expect(cache.asking('b')).toBeUndefined();
    over();
    await waiting;
    expect(cache.asking('a')).toBeUndefined();
  });
});
