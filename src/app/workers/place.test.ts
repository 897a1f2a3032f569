import { describe, expect, it } from 'vitest';
import type { Config } from '../../config/config.js';
import { shareOf } from './place.js';

const config = (request_body_bytes: number, bodies_in_flight_bytes: number, max_bytes: number) =>
  ({
    limits: { request_body_bytes, bodies_in_flight_bytes },
    spool: { max_bytes, sync_ms: 50, on_full: 'lose' },
  }) as Config;

describe("a worker's share", () => {
  it('is a part of the memory of the engine', () => {
    const { limits, spool } = shareOf(config(10, 100, 1000), { count: 4 });
    expect(limits.bodies_in_flight_bytes).toBe(25);
    expect(spool).toEqual({ max_bytes: 250, sync_ms: 50, on_full: 'lose' });
  });

  it('is at least one request of the largest size, whatever the number of workers', () => {
    expect(shareOf(config(32, 100, 1000), { count: 50 }).limits.bodies_in_flight_bytes).toBe(32);
  });
});
