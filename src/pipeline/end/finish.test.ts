import { describe, expect, it } from 'vitest';
import { requestBody, TestPipeline } from '../../../test/support/pipeline.js';
import { receive } from '../request/receive.js';
import { finish } from './finish.js';

const ENDING = { status: 'success', httpStatus: 200, response: { said: 'yes' } } as const;

async function received() {
  const pipeline = new TestPipeline();
  const exchange = pipeline.exchange();
  await receive(exchange, requestBody(), pipeline.services);
  pipeline.attempt(exchange);
  return { pipeline, exchange };
}

describe('the end of an exchange', () => {
  it('is logged although metrics and traces fail', async () => {
    const { pipeline, exchange } = await received();
    pipeline.services.telemetry.observe = () => {
      throw new Error('metrics');
    };
    exchange.trace.end = () => {
      throw new Error('traces');
    };
    await finish(exchange, ENDING, pipeline.services);
    expect(pipeline.records).toMatchObject([{ _id: exchange.id, response: { said: 'yes' } }]);
  });

  it('is logged before traces and metrics', async () => {
    const { pipeline, exchange } = await received();
    const seen: number[] = [];
    pipeline.services.telemetry.observe = () => seen.push(pipeline.records.length);
    await finish(exchange, ENDING, pipeline.services);
    expect(seen).toEqual([1]);
  });

  it('is logged without content where the content cannot be written', async () => {
    const { pipeline, exchange } = await received();
    const append = pipeline.services.sink.append;
    pipeline.services.sink.append = async (record) => {
      if (record.response !== null) throw new RangeError('Maximum call stack size exceeded');
      return append(record);
    };
    await finish(exchange, ENDING, pipeline.services);
    expect(pipeline.records).toMatchObject([{ _id: exchange.id, status: 'success', response: null }]);
  });
});
