import { describe, expect, it } from 'vitest';
import { requestBody, TestPipeline } from '../../../test/support/pipeline.js';
import type { Answer } from '../../core/answer.js';
import type { LogUsage } from '../../core/log-record.js';
import { atOnce } from '../../core/pacing/steps.js';
import { dialectById } from '../../dialects/index.js';
import { receive } from './receive.js';
import { estimateInput, estimateUsage } from './token-estimate.js';

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

async function estimated(reported: LogUsage | null, answer: Answer | undefined): Promise<LogUsage | null> {
  const pipeline = new TestPipeline();
  const exchange = pipeline.exchange();
  const messages = [{ role: 'user', content: 'é'.repeat(8) }];
  await receive(exchange, requestBody({ messages }), pipeline.services);
  pipeline.attempt(exchange).attempt.record.usage = reported;
  atOnce(estimateUsage(exchange, answer));
  return exchange.currentAttempt!.record.usage;
}

describe('the tokens of a request', () => {
  const dialect = dialectById('anthropic.messages');
  const count = (content: object[], more: object = {}) => {
    const text = JSON.stringify({ model: 'm', messages: [{ role: 'user', content }], ...more });
    return atOnce(estimateInput(dialect, { text, value: JSON.parse(text) }));
  };
  const said = { type: 'text', text: 'Why is the sky blue?' };
  const source = (media_type: string, bytes: number) => ({
    type: 'base64',
    media_type,
    data: Buffer.alloc(bytes).toString('base64'),
  });
  const tool = (properties: object, description = '') => ({
    tools: [{ name: 'look_up', description, input_schema: { type: 'object', properties } }],
  });

  it('include the cost of pictures and documents', () => {
    const image = { type: 'image', source: source('image/png', 60) };
    const besides = (content: object[], tokens: number) =>
      expect(Math.abs(count([said, ...content]) - count([said]) - tokens)).toBeLessThanOrEqual(1);
    besides([image], 1_600);
    expect(count([{ type: 'tool_result', tool_use_id: 'a', content: [image] }])).toBeGreaterThan(1_600);
    const pdf = (bytes: number) => ({ type: 'document', source: source('application/pdf', bytes) });
    besides([pdf(60)], 2_300);
    besides([pdf(120_000)], 3 * 2_300);
  });

  it('include tools, each word of them once', () => {
    const bare = count([said], tool({ city: { type: 'string' } }));
    expect(bare - count([said])).toBeGreaterThan(10);
    expect(bare - count([said])).toBeLessThan(40);
    const words = 'word '.repeat(400);
    const described = count([said], tool({ city: { type: 'string', description: words } }, words));
    expect(described - bare).toBeGreaterThan(2 * 490);
    expect(described - bare).toBeLessThan(2 * 530);
  });
});

describe('the usage of a try', () => {
  it('is estimated as a quarter of the bytes and four for each message where the provider reported none', async () => {
    expect(await estimated(null, ANSWER)).toEqual({ input_tokens: 8, output_tokens: 5, estimated: true });
  });

  it('is what its provider reported', async () => {
    const reported = { input_tokens: 1, output_tokens: 1 };
    expect(await estimated(reported, ANSWER)).toBe(reported);
  });

  it.each([undefined, { ...ANSWER, choices: [] }])(
    'is unknown where nothing was answered',
    async (answer) => {
      expect(await estimated(null, answer)).toBeNull();
    },
  );
});
