import { describe, expect, it } from 'vitest';
import {
  jsonHead,
  requestBody,
  streamChunk,
  streamHead,
  TestOutlet,
  TestPipeline,
} from '../../../test/support/pipeline.js';
import type { Plugin } from '../../plugins/contract/plugin.js';
import { finish } from '../end/finish.js';
import { receive } from '../request/receive.js';
import { ResponseStage } from './response-stage.js';

const FIRST_MS = 300;
const TRY_MS = 900;

/** Holds a stream until it is whole. */
const holding: Plugin<unknown> = {
  name: 'holding',
  configSchema: {},
  response: () => ({ action: 'pass' }),
};
/** Lets text go only behind 1,000 characters. */
const windowed: Plugin<unknown> = {
  ...holding,
  name: 'windowed',
  stream: { window: 1_000 },
  responseWindow: () => ({ action: 'pass' }),
};
const START = Buffer.from('data: {"id":"a","choices":[{"index":0,"delta":{"role":"assistant"}}]}\n\n');

async function streaming(plugins: Plugin<unknown>[]) {
  const pipeline = new TestPipeline({
    plugins,
    endpoint: { first_token_timeout_ms: FIRST_MS, timeout_ms: TRY_MS, total_timeout_ms: 5_000 },
  });
  const exchange = pipeline.exchange();
  await receive(exchange, requestBody({ stream: true }), pipeline.services);
  pipeline.attempt(exchange);
  const outlet = new TestOutlet();
  return {
    pipeline,
    exchange,
    outlet,
    stage: new ResponseStage(exchange, pipeline.services, outlet, finish),
  };
}

/** All timers that are due, one after the other. */
async function ring(stage: ResponseStage): Promise<void> {
  for (let times = 0; times < 3 && stage.timeLeft() <= 0; times++) await stage.onTimeout();
}

describe.each([
  ['held by no guard', []],
  ['held by a guard until it is whole', [holding]],
  ['held by a guard for a while', [windowed]],
])('the time to the first text of a stream that is %s', (_name, plugins) => {
  it('ends with the first text of the model, whether the client gets it or not', async () => {
    const { stage, pipeline, exchange } = await streaming(plugins);
    await stage.onHead(streamHead());
    await stage.onChunk(START);
    expect(exchange.tryTimeoutMs).toBe(FIRST_MS);
    pipeline.clock.pass(FIRST_MS - 100);
    await stage.onChunk(streamChunk('Hello'));
    expect(exchange.tryTimeoutMs).toBe(TRY_MS);
    pipeline.clock.pass(200);
    await ring(stage);
    expect(exchange.ended).toBe(false);
  });

  it('runs out where the model sends no text', async () => {
    const { stage, pipeline, exchange } = await streaming(plugins);
    await stage.onHead(streamHead());
    await stage.onChunk(START);
    pipeline.clock.pass(FIRST_MS);
    await ring(stage);
    expect(exchange.ended).toBe(true);
    expect(pipeline.records[0]).toMatchObject({
      attempts: [{ status: 'timeout' }],
      error: { code: 'upstream_timeout' },
    });
  });

  it('is not limited for an answer that is not a stream', async () => {
    const { stage, exchange } = await streaming(plugins);
    await stage.onHead(jsonHead());
    await stage.onChunk(Buffer.from('{'));
    expect(exchange.tryTimeoutMs).toBe(TRY_MS);
  });
});
