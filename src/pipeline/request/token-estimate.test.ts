import { describe, expect, it } from 'vitest';
import { requestBody, TestPipeline } from '../../../test/support/pipeline.js';
import type { Answer } from '../../core/answer.js';
import type { LogUsage } from '../../core/log-record.js';
import { receive } from './receive.js';
import { estimateUsage } from './token-estimate.js';

const ANSWER: Answer = {
  id: 'a',
  model: 'm',
  choices: [
    {
      index: 0,
      parts: [
        { type: 'text', text: 'twelve bytes' },
        { type: 'tool-call', id: 'c', name: 'f', arguments: '{}' },
      ],
      finishReason: 'stop',
    },
  ],
};

async function estimated(told: LogUsage | null, answer: Answer | undefined): Promise<LogUsage | null> {
  const pipeline = new TestPipeline();
  const exchange = pipeline.exchange();
  const messages = [{ role: 'user', content: 'é'.repeat(8) }];
  await receive(exchange, requestBody({ messages }), pipeline.services);
  pipeline.attempt(exchange).attempt.record.usage = told;
  estimateUsage(exchange, answer);
  return exchange.currentAttempt!.record.usage;
}

describe('the usage of a try', () => {
  it('is a quarter of the bytes where its provider told none, and four for each message', async () => {
    expect(await estimated(null, ANSWER)).toEqual({ input_tokens: 8, output_tokens: 5, estimated: true });
  });

  it('stays what its provider told', async () => {
    const told = { input_tokens: 1, output_tokens: 1 };
    expect(await estimated(told, ANSWER)).toBe(told);
  });

  it.each([undefined, { ...ANSWER, choices: [] }])(
    'stays unknown where nothing was answered',
    async (answer) => {
      expect(await estimated(null, answer)).toBeNull();
    },
  );
});
