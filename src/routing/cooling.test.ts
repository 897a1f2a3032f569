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
  it('is left out for a second after ten failures in a row that took ten seconds together', () => {
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

  it('has its count reset by one success', () => {
    fail(9, 'timeout');
    cooling.succeeded(MODEL);
    fail(9, 'timeout');
    expect(cooling.isCooling(MODEL)).toBe(false);
  });

  it('is left out for twice as long each time it fails again, up to a minute', () => {
    fail(10, 'connect');
    for (let at = 0; at < 7; at++) {
      nowMs += coolings.at(-1)!;
      fail(1, 'connect');
    }
    expect(coolings).toEqual([1, 2, 4, 8, 16, 32, 60, 60].map((seconds) => seconds * 1000));
  });

  it('that is left out is not left out longer because of tries in progress', () => {
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

  it('is left out without affecting others', () => {
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

describe('a model that was left out for its time', () => {
  it('is tried by one request, and by others once that succeeded', () => {
    fail(10, 'connect');
    nowMs = 1_000;
    expect(cooling.isCooling(MODEL)).toBe(false);
    cooling.began(MODEL);
    expect(cooling.isCooling(MODEL)).toBe(true);
    cooling.succeeded(MODEL);
    expect(cooling.isCooling(MODEL)).toBe(false);
  });

  it('is left out longer where that try failed, and is tried again where it had no result', () => {
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

  it('is not left out forever where the result of the try is never reported', () => {
    fail(10, 'connect');
    nowMs = 1_000;
    cooling.began(MODEL);
    nowMs = 61_001;
    expect(cooling.isCooling(MODEL)).toBe(false);
  });
});

describe('a model whose provider asks for a pause in a successful answer', () => {
  it('is left out for that time, up to a minute, which no success of another request shortens', () => {
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
