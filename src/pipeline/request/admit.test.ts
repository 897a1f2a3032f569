import { describe, expect, it } from 'vitest';
import { requestBody, TestPipeline } from '../../../test/support/pipeline.js';
import type { TrafficLimit } from '../../core/settings.js';
import { finish } from '../end/finish.js';
import { receive } from './receive.js';

const LIMIT: TrafficLimit = { per: 'project', tokens: 1_000, window: 'day', action: 'reject', shared: false };

function limited(limits: TrafficLimit[]) {
  const pipeline = new TestPipeline();
  const open = () => {
    const exchange = pipeline.exchange();
    return pipeline.exchange({ project: { ...exchange.project, limits } });
  };
  const reserved = () =>
    [...pipeline.services.traffic.ledger.counters(pipeline.clock.now())].map(({ state }) => state.reserved);
  return { pipeline, open, reserved };
}

const ABORTED = { status: 'aborted', httpStatus: 499, response: null } as const;

describe('the limits of a project', () => {
  it('count a request once its log is written, and not where that failed', async () => {
    const { pipeline, open } = limited([{ ...LIMIT, tokens: undefined, requests: 9 }]);
    const states = () =>
      [...pipeline.services.traffic.ledger.counters(pipeline.clock.now())].map(({ state }) => state);
    const [logged, lost] = [open(), open()];
    for (const exchange of [logged, lost]) await receive(exchange, requestBody({}), pipeline.services);
    expect(states()).toEqual([{ used: 0, reserved: 2 }]);
    await finish(logged, ABORTED, pipeline.services);
    expect(states()).toEqual([{ used: 1, reserved: 1 }]);
    pipeline.full = true;
    await expect(finish(lost, ABORTED, pipeline.services)).rejects.toThrow();
    expect(states()).toEqual([{ used: 1, reserved: 0 }]);
  });

  it('reserve nothing for a client that leaves while its tokens are counted', async () => {
    const { pipeline, open, reserved } = limited([{ ...LIMIT, tokens: 1_000_000 }]);
    const exchange = open();
    const receiving = receive(exchange, requestBody({ user: 'x'.repeat(20_000) }), pipeline.services);
    // Which of its pauses the end falls into does not matter.
    await finish(exchange, ABORTED, pipeline.services);
    await receiving.catch(() => undefined);
    expect(exchange.admission).toBeUndefined();
    expect(reserved()).toEqual([]);
  });

  it('release what an exchange reserved when it ends, however it ends', async () => {
    const { pipeline, open, reserved } = limited([
      LIMIT,
      { ...LIMIT, tokens: undefined, window: undefined, concurrent: 3 },
    ]);
    const exchange = open();
    await receive(exchange, requestBody({}), pipeline.services);
    expect(reserved()[1]).toBe(1);
    await finish(exchange, ABORTED, pipeline.services);
    await finish(exchange, ABORTED, pipeline.services);
    expect(reserved()).toEqual([0, 0]);
  });
});
