import { expect } from 'vitest';
import { ResponseStage } from '../../src/pipeline/answer/response-stage.js';
import { finish } from '../../src/pipeline/end/finish.js';
import { receive } from '../../src/pipeline/request/receive.js';
import type { Plugin } from '../../src/plugins/contract/plugin.js';
import { type PipelineOptions, requestBody, TestOutlet, TestPipeline } from './pipeline.js';

/** A response stage whose only attempt was forwarded. */
export async function forwarded(options: PipelineOptions & { body?: object } = {}) {
  const pipeline = new TestPipeline(options);
  const exchange = pipeline.exchange();
  await receive(exchange, requestBody(options.body), pipeline.services);
  const { attempt } = pipeline.attempt(exchange);
  const outlet = new TestOutlet();
  const stage = new ResponseStage(exchange, pipeline.services, outlet, finish);
  const record = () => {
    expect(pipeline.records).toHaveLength(1);
    return pipeline.records[0]!;
  };
  return { pipeline, exchange, attempt, outlet, stage, record };
}

export const rejecting: Plugin<unknown> = {
  name: 'rejecting',
  configSchema: {},
  response: () => ({ action: 'reject', message: 'No.', code: 'not_this' }),
};
export const softening: Plugin<unknown> = {
  name: 'softening',
  configSchema: {},
  response: ({ choices }) => ({
    action: 'modify',
    content: choices.map((choice) => ({
      ...choice,
      parts: choice.parts.map((part) => ('text' in part ? { ...part, text: 'darn' } : part)),
    })),
  }),
};

/** A guard with a window of 4 units that rejects the text `bad`. */
export const watching: Plugin<unknown> = {
  name: 'watching',
  configSchema: {},
  stream: { window: 4 },
  responseWindow: ({ text }) =>
    text.includes('bad') ? { action: 'reject', message: 'No.', code: 'not_this' } : { action: 'pass' },
};
