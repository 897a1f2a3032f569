import { beforeEach, describe, expect, it } from 'vitest';
import type { Clock } from '../core/clock.js';
import { Cooling, retryAfterMs } from './cooling.js';

const MODEL = { provider: 'local', model: 'large' };
let nowMs: number;
let coolings: number[];
let cooling: Cooling;

const clock: Clock = { now: () => nowMs, monotonic: () => nowMs };

beforeEach(() => {
  nowMs = 0;
  coolings = [];
  cooling = new Cooling(clock, (_model, ms) => coolings.push(ms));
});

function fail(
  times: number,
  reason: Parameters<Cooling['failed']>[1],
  retryAfterMs?: number,
  lostMs = 1_000,
) {
  for (let at = 0; at < times; at++) cooling.failed(MODEL, reason, { lostMs, retryAfterMs });
}

describe('a model', () => {
  it('cools after ten failures in a row that took ten seconds together, for a second', () => {
    fail(9, 'connect');
    expect(cooling.isCooling(MODEL)).toBe(false);
    fail(1, 'server_error');
    expect(cooling.isCooling(MODEL)).toBe(true);
    nowMs = 1_000;
    expect(cooling.isCooling(MODEL)).toBe(false);
    expect(coolings).toEqual([1_000]);
  });

  it('that fails at once is tried however often it failed, until that took ten seconds too', () => {
    fail(999, 'server_error', undefined, 10);
    expect(cooling.isCooling(MODEL)).toBe(false);
    fail(1, 'connect', undefined, 10);
    expect(cooling.isCooling(MODEL)).toBe(true);
  });

  it('starts anew with one success', () => {
    fail(9, 'timeout');
    cooling.succeeded(MODEL);
    fail(9, 'timeout');
    expect(cooling.isCooling(MODEL)).toBe(false);
  });

  it('cools for twice as long each time it fails again, up to a minute', () => {
    fail(10, 'connect');
    for (let at = 0; at < 7; at++) {
      nowMs += coolings.at(-1)!;
      fail(1, 'connect');
    }
    expect(coolings).toEqual([1, 2, 4, 8, 16, 32, 60, 60].map((seconds) => seconds * 1000));
  });

  it('that is cooling is not made to cool longer by tries that were under way', () => {
    fail(30, 'connect');
    expect(coolings).toEqual([1_000]);
  });

  it('that asks for a pause gets it after ten refusals, however quick, up to five minutes', () => {
    fail(9, 'rate_limited', 20_000, 1);
    expect(cooling.isCooling(MODEL)).toBe(false);
    fail(1, 'rate_limited', 20_000, 1);
    expect(coolings).toEqual([20_000]);
    nowMs = 20_000;
    fail(1, 'rate_limited', 86_400_000);
    expect(coolings).toEqual([20_000, 300_000]);
  });

  it('cools alone', () => {
    fail(10, 'connect');
    expect(cooling.isCooling({ provider: 'local', model: 'small' })).toBe(false);
  });
});

describe('retry-after', () => {
  it.each([
    ['seconds', '7', 7_000],
    ['a date', 'Thu, 01 Jan 1970 00:00:10 GMT', 10_000],
    ['a date that is over', 'Thu, 01 Jan 1970 00:00:00 GMT', 0],
    ['less than nothing', '-5', undefined],
    ['no number and no date', 'soon', undefined],
    ['nothing', '', undefined],
    ['absent', undefined, undefined],
  ])('%s', (_what, header, expected) => {
    expect(retryAfterMs(header, 0)).toBe(expected);
  });
});

describe('a model that has cooled', () => {
  it('is tried by one request, and by others once that went well', () => {
    fail(10, 'connect');
    nowMs = 1_000;
    expect(cooling.isCooling(MODEL)).toBe(false);
    cooling.began(MODEL);
    expect(cooling.isCooling(MODEL)).toBe(true);
    cooling.succeeded(MODEL);
    expect(cooling.isCooling(MODEL)).toBe(false);
  });

  it('cools for longer where that failed, and is tried anew where it said nothing', () => {
    fail(10, 'connect');
    nowMs = 1_000;
    cooling.began(MODEL);
    cooling.saidNothing(MODEL);
    expect(cooling.isCooling(MODEL)).toBe(false);
    cooling.began(MODEL);
    fail(1, 'connect');
    expect(coolings).toEqual([1_000, 2_000]);
    nowMs = 3_000;
    expect(cooling.isCooling(MODEL)).toBe(false);
  });

  it('is not left out for ever where nobody tells how the try went', () => {
    fail(10, 'connect');
    nowMs = 1_000;
    cooling.began(MODEL);
    nowMs = 61_001;
    expect(cooling.isCooling(MODEL)).toBe(false);
  });
});

describe('a model whose provider asks for a pause with an answer', () => {
  it('is left out for as long, up to a minute, and no success of another request ends that', () => {
    cooling.pause(MODEL, 5_000);
    cooling.succeeded(MODEL);
    expect(cooling.isCooling(MODEL)).toBe(true);
    nowMs = 5_000;
    expect(cooling.isCooling(MODEL)).toBe(false);
    cooling.pause(MODEL, 3_600_000);
    nowMs = 65_000;
    expect(cooling.isCooling(MODEL)).toBe(false);
  });
});
