import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createMockModel } from '../../../src/local/mock-model/server.js';

const SCHEMA = {
  type: 'object',
  properties: { city: { type: 'string' } },
  required: ['city'],
  additionalProperties: false,
};
const ECHO = 'You said: "Hello". I am the mock model "large" and only repeat.';

describe('the mock model, as the official clients see it', () => {
  let server: Server;
  let openai: OpenAI;
  let anthropic: Anthropic;

  beforeAll(async () => {
    server = createMockModel({ pieceDelayMs: 0 });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    openai = new OpenAI({ baseURL: `${base}/v1`, apiKey: 'none', maxRetries: 0 });
    anthropic = new Anthropic({ baseURL: base, apiKey: 'none', maxRetries: 0 });
  });
  afterAll(() => {
    server.close();
    server.closeAllConnections();
  });

  const messages = [{ role: 'user' as const, content: 'Hello' }];
  const chat = (model: string) =>
    openai.chat.completions.create({
      model,
      messages,
      response_format: { type: 'json_schema', json_schema: { name: 'place', schema: SCHEMA } },
    });

  it('returns a chat completion that repeats the message, whole and streamed', async () => {
    const whole = await openai.chat.completions.create({ model: 'large', messages });
    expect(whole.choices[0]?.message.content).toBe(ECHO);
    expect(whole.usage).toEqual({ prompt_tokens: 1, completion_tokens: 12, total_tokens: 13 });
    const stream = openai.chat.completions.stream({
      model: 'large',
      messages,
      stream_options: { include_usage: true },
    });
    const final = await stream.finalChatCompletion();
    expect(final.choices[0]?.message.content).toBe(ECHO);
    expect(final.usage).toEqual(whole.usage);
  });

  it('satisfies a schema as `large`, and violates it as `small`', async () => {
    expect((await chat('large')).choices[0]?.message.content).toBe('{"city":"Hello"}');
    expect((await chat('small')).choices[0]?.message.content).toBe(
      'I am the mock model "small" and do not keep to schemas.',
    );
  });

  it('returns a response that repeats the message, whole and streamed', async () => {
    const whole = await openai.responses.create({ model: 'large', input: 'Hello' });
    expect(whole.output_text).toBe(ECHO);
    const final = await openai.responses.stream({ model: 'large', input: messages }).finalResponse();
    expect(final.output_text).toBe(ECHO);
    expect(final.usage).toEqual(whole.usage);
    expect(await openai.responses.inputTokens.count({ model: 'large', input: 'Hello' })).toEqual({
      object: 'response.input_tokens',
      input_tokens: 1,
    });
  });

  it('returns a message that repeats the message, whole and streamed', async () => {
    const request = { model: 'large', max_tokens: 100, messages };
    const whole = await anthropic.messages.create(request);
    expect(whole.content).toEqual([{ type: 'text', text: ECHO }]);
    const stream = anthropic.messages.stream(request);
    expect(await stream.finalText()).toBe(ECHO);
    expect((await stream.finalMessage()).usage).toEqual(whole.usage);
    expect(await anthropic.messages.countTokens({ model: 'large', messages })).toEqual({ input_tokens: 1 });
  });

  it('explains what was wrong with a call that it does not know', async () => {
    await expect(openai.embeddings.create({ model: 'large', input: 'Hello' })).rejects.toThrow(
      '404 the mock model has no /v1/embeddings',
    );
  });
});
