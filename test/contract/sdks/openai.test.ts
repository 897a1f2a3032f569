import OpenAI from 'openai';
import { zodFunction, zodResponseFormat, zodResponsesFunction, zodTextFormat } from 'openai/helpers/zod';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { JsonObject } from '../../../src/core/json.js';
import { fixtureReply } from '../../support/dialect-provider.js';
import { borrowGatewayOf, type Gateway, KEYS } from '../../support/gateway.js';
import { openaiClient } from '../../support/official-clients.js';
import { hangReply } from '../../support/replies.js';
import { missingPrograms } from '../../support/start-sluice.js';

/* OpenAI's own client for Node with all its helpers, whatever the model behind it speaks. */

const TEXT = 'Because of Rayleigh scattering. 🌍';
const WEATHER = { city: 'Rome', degrees: 21 };
const Weather = z.object({ city: z.string(), degrees: z.number() });
const City = z.object({ city: z.string() });

const PROVIDERS: Record<string, JsonObject> = {
  chat: { api: 'openai' },
  responses: { api: 'openai', responses: true },
  messages: { api: 'anthropic' },
};
const ENDPOINTS = Object.keys(PROVIDERS);
const MESSAGES = [{ role: 'user' as const, content: 'What is it like in Rome?' }];
type WithLogId = { inference_log_id: string };

describe.skipIf(missingPrograms !== null)("OpenAI's client", () => {
  let gateway: Gateway;
  let client: OpenAI;

  beforeAll(async () => {
    gateway = await borrowGatewayOf(PROVIDERS);
    client = openaiClient(gateway);
  });
  afterAll(() => gateway?.stop());
  beforeEach(() => gateway.provider.reset());

  const answer = (...names: string[]) => gateway.provider.enqueue(...names.map(fixtureReply));

  describe.each(ENDPOINTS)('with a model of %s', (model) => {
    it('parses a completion with a schema', async () => {
      answer('structured-output');
      const completion = await client.chat.completions.parse({
        model,
        messages: MESSAGES,
        response_format: zodResponseFormat(Weather, 'weather'),
      });
      expect(completion.choices[0]!.message.parsed).toEqual(WEATHER);
    });

    it('parses a streamed completion with a schema', async () => {
      answer('structured-output');
      const stream = client.chat.completions.stream({
        model,
        messages: MESSAGES,
        response_format: zodResponseFormat(Weather, 'weather'),
      });
      const { choices } = await stream.finalChatCompletion();
      expect(choices[0]!.message.parsed).toEqual(WEATHER);
    });

    it.each([false, true])('runs tools until the model is done (streamed: %s)', async (stream) => {
      answer('tool-call', 'text');
      const asked: unknown[] = [];
      const weather = zodFunction({
        name: 'weather',
        parameters: City,
        function: ({ city }) => {
          asked.push(city);
          return 'weather: 21 degrees';
        },
      });
      const now = zodFunction({ name: 'now', parameters: z.object({}), function: () => asked.push('now') });
      const tools = [weather, now];
      const runner = stream
        ? client.chat.completions.runTools({ model, messages: MESSAGES, tools, stream: true })
        : client.chat.completions.runTools({ model, messages: MESSAGES, tools });
      expect(await runner.finalContent()).toBe(TEXT);
      expect(asked[0]).toBe('Rome');
      expect(asked).toHaveLength(2);
      const second = (await gateway.provider.received(1)).text;
      expect(second).toContain('weather: 21 degrees');
    });

    it('creates a response', async () => {
      answer('text');
      const response = await client.responses.create({ model, input: 'Why is the sky blue?' });
      expect(response.output_text).toBe(TEXT);
      expect(response.status).toBe('completed');
      expect(response.usage).toMatchObject({ input_tokens: 19, output_tokens: 10, total_tokens: 29 });
      const log = await gateway.log((response as unknown as WithLogId).inference_log_id);
      expect(log).toMatchObject({ api: 'openai.responses', status: 'success' });
    });

    it('streams a response whose events are numbered', async () => {
      answer('text');
      const events = [];
      for await (const event of await client.responses.create({ model, input: 'Why?', stream: true })) {
        events.push(event);
      }
      expect(events.map((event) => event.sequence_number)).toEqual(events.map((_event, index) => index));
      const types = events.map(({ type }) => type);
      expect(types.slice(0, 3)).toEqual([
        'response.created',
        'response.in_progress',
        'response.output_item.added',
      ]);
      expect(types.at(-1)).toBe('response.completed');
      const ids = events.flatMap((event) => ('response' in event ? [event.response] : []));
      expect(ids).toHaveLength(3);
      expect(new Set(ids.map((response) => (response as unknown as WithLogId).inference_log_id)).size).toBe(
        1,
      );
    });

    it('parses a response with a schema, and a streamed one', async () => {
      answer('structured-output', 'structured-output');
      const request = { model, input: 'Rome?', text: { format: zodTextFormat(Weather, 'weather') } };
      expect((await client.responses.parse(request)).output_parsed).toEqual(WEATHER);
      expect((await client.responses.stream(request).finalResponse()).output_parsed).toEqual(WEATHER);
    });

    it('continues after the tool calls of a response', async () => {
      answer('tool-call', 'text');
      const tools = [zodResponsesFunction({ name: 'weather', parameters: City })];
      const input: OpenAI.Responses.ResponseInput = [...MESSAGES];
      const first = await client.responses.parse({ model, input, tools });
      const calls = first.output.filter((item) => item.type === 'function_call');
      expect(calls.map((call) => call.parsed_arguments)).toEqual([{ city: 'Rome' }, { city: 'Oslo' }]);
      input.push(...(first.output as OpenAI.Responses.ResponseInput));
      for (const { call_id } of calls) {
        input.push({ type: 'function_call_output', call_id, output: '21 degrees' });
      }
      const second = await client.responses.create({ model, input, tools });
      expect(second.output_text).toBe(TEXT);
      expect((await gateway.provider.received(1)).text).toContain('21 degrees');
    });

    it('aborts a response, which is aborted at the provider too', async () => {
      gateway.provider.enqueue(hangReply);
      const abort = new AbortController();
      const { signal } = abort;
      const asked = client.responses.create({ model, input: 'Why?', stream: true }, { signal });
      const received = await gateway.provider.received();
      abort.abort();
      await expect(asked).rejects.toThrow(OpenAI.APIUserAbortError);
      expect(await received.answered).toBe(false);
    });
  });

  it('throws its own class for each kind of error of Responses', async () => {
    const ask = (key: string, changes: object = {}) =>
      openaiClient(gateway, { key }).responses.create({ model: 'chat', input: 'Why?', ...changes });
    await expect(ask('sk-unknown')).rejects.toThrow(OpenAI.AuthenticationError);
    await expect(ask(KEYS.logs)).rejects.toThrow(OpenAI.PermissionDeniedError);
    await expect(ask(KEYS.all, { model: 'nobody' })).rejects.toThrow(OpenAI.NotFoundError);
    await expect(ask(KEYS.all, { input: 7 })).rejects.toThrow(OpenAI.BadRequestError);
    answer('text', 'error-429', 'error-500');
    const text = { format: zodTextFormat(Weather, 'weather') };
    await expect(ask(KEYS.all, { text })).rejects.toThrow(OpenAI.UnprocessableEntityError);
    await expect(ask(KEYS.all)).rejects.toThrow(OpenAI.RateLimitError);
    await expect(ask(KEYS.all)).rejects.toThrow(OpenAI.InternalServerError);
  });
});
