import { describe, expect, it } from 'vitest';
import { requestBody, TestPipeline } from '../../../test/support/pipeline.js';
import { finish } from '../end/finish.js';
import { lookUpAnswer } from './look-up-answer.js';
import { receive } from './receive.js';

const ABORTED = { status: 'aborted', httpStatus: 499, response: null } as const;
const cache = { ttl_s: 60, scope: 'key' as const, vary_by: [], coalesce: true, shared: false };

async function asked(pipeline: TestPipeline) {
  const exchange = pipeline.exchange();
  await receive(exchange, requestBody({}), pipeline.services);
  return exchange;
}

describe('requests that wait for an equal one', () => {
  it('do not wait for one whose client left before a model was asked', async () => {
    const pipeline = new TestPipeline({ endpoint: { cache } });
    const gone = await asked(pipeline);
    await finish(gone, ABORTED, pipeline.services);
    await lookUpAnswer(gone, pipeline.services);
    const next = await asked(pipeline);
    await lookUpAnswer(next, pipeline.services);
    expect(next.cache?.state).toBe('miss');
  });

  it('stop waiting when the first one ends without an answer', async () => {
    const pipeline = new TestPipeline({ endpoint: { cache } });
    const [first, second] = [await asked(pipeline), await asked(pipeline)];
    await lookUpAnswer(first, pipeline.services);
    const waiting = lookUpAnswer(second, pipeline.services);
    expect(second.cache).toBeUndefined();
    await finish(first, ABORTED, pipeline.services);
    await waiting;
    expect(second.cache?.state).toBe('miss');
  });
});
