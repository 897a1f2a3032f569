import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAI } from '@ai-sdk/openai';
import { ChatOpenAI } from '@langchain/openai';
import { APICallError, generateText, type LanguageModel, Output, stepCountIs, streamText, tool } from 'ai';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { JsonObject } from '../../../src/core/json.js';
import { callsTool } from '../../support/calls-tool.js';
import { fixtureReply } from '../../support/dialect-provider.js';
import { borrowGatewayOf, type Gateway, KEYS, PROJECT } from '../../support/gateway.js';
import { missingPrograms } from '../../support/start-sluice.js';

/* The `ai` package and LangChain, through each API, whatever the model behind it speaks. */

const TEXT = 'Because of Rayleigh scattering. 🌍';
const PROMPT = 'Why is the sky blue?';
const WEATHER = { city: 'Rome', degrees: 21 };
const Weather = z.object({ city: z.string(), degrees: z.number() });

const PROVIDERS: Record<string, JsonObject> = {
  chat: { api: 'openai' },
  responses: { api: 'openai', responses: true },
  messages: { api: 'anthropic' },
};
const ENDPOINTS = Object.keys(PROVIDERS);

let gateway: Gateway;

beforeAll(async () => {
  if (missingPrograms !== null) return;
  gateway = await borrowGatewayOf(PROVIDERS);
});
afterAll(() => gateway?.stop());
beforeEach(() => gateway?.provider.reset());

const answer = (...names: string[]) => gateway.provider.enqueue(...names.map(fixtureReply));
const urlOf = (family: string) => `${gateway.sluice.gatewayUrl}/${PROJECT}/${family}/v1`;

/** The models of the `ai` package, by the API that they speak to the gateway. */
const MODELS: Record<string, (endpoint: string) => LanguageModel> = {
  'openai.chat': (endpoint) =>
    createOpenAI({ apiKey: KEYS.inference, baseURL: urlOf('openai') }).chat(endpoint),
  'openai.responses': (endpoint) =>
    createOpenAI({ apiKey: KEYS.inference, baseURL: urlOf('openai') }).responses(endpoint),
  'anthropic.messages': (endpoint) =>
    createAnthropic({ apiKey: KEYS.inference, baseURL: urlOf('anthropic') })(endpoint),
};
const ROWS = Object.keys(MODELS).flatMap((api) => ENDPOINTS.map((endpoint) => ({ api, endpoint })));

describe.skipIf(missingPrograms !== null)('the ai package', () => {
  const settings = (api: string, endpoint: string) => ({
    model: MODELS[api]!(endpoint),
    prompt: PROMPT,
    maxRetries: 0,
    maxOutputTokens: 200,
  });

  it.each(ROWS)('generates text over $api, by a model of $endpoint', async ({ api, endpoint }) => {
    answer('text');
    const { text, usage, finishReason, response } = await generateText(settings(api, endpoint));
    expect([text, finishReason]).toEqual([TEXT, 'stop']);
    expect(usage).toMatchObject({ inputTokens: 19, outputTokens: 10 });
    expect(response.headers?.['x-sluice-model']).toBe(`${endpoint}/large`);
  });

  it.each(ROWS)('streams text over $api, by a model of $endpoint', async ({ api, endpoint }) => {
    answer('text');
    const result = streamText(settings(api, endpoint));
    const pieces: string[] = [];
    for await (const piece of result.textStream) pieces.push(piece);
    expect(pieces).toEqual(['Because', ' of Rayleigh', ' scattering. 🌍']);
    expect(await result.usage).toMatchObject({ inputTokens: 19, outputTokens: 10 });
    expect(await result.finishReason).toBe('stop');
  });

  it.each(ROWS)('runs tools over $api, by a model of $endpoint', async ({ api, endpoint }) => {
    answer('tool-call', 'text');
    const weather = tool({
      inputSchema: z.object({ city: z.string() }),
      execute: async ({ city }) => `${city}: 21 degrees`,
    });
    const { text, steps } = await generateText({
      ...settings(api, endpoint),
      // Else it refers to items by their ids, which only the provider that stored them knows.
      providerOptions: { openai: { store: false } },
      tools: { weather },
      stopWhen: stepCountIs(3),
    });
    expect(text).toBe(TEXT);
    expect(steps[0]!.toolCalls.map(({ input }) => input)).toEqual([{ city: 'Rome' }, { city: 'Oslo' }]);
    expect((await gateway.provider.received(1)).text).toContain('Oslo: 21 degrees');
  });

  it.each(ROWS)('reads structured output over $api, by a model of $endpoint', async ({ api, endpoint }) => {
    // Over Messages the package forces a tool, and reads its arguments.
    if (api === 'anthropic.messages') gateway.provider.enqueue(callsTool(WEATHER));
    else answer('structured-output');
    const { output } = await generateText({
      ...settings(api, endpoint),
      output: Output.object({ schema: Weather }),
    });
    expect(output).toEqual(WEATHER);
  });

  it.each(ROWS)('recognizes an error over $api, by a model of $endpoint', async ({ api, endpoint }) => {
    answer('error-429');
    const thrown: unknown = await generateText(settings(api, endpoint)).catch((error: unknown) => error);
    expect(thrown).toBeInstanceOf(APICallError);
    expect(thrown).toMatchObject({ statusCode: 429, isRetryable: true });
    expect((thrown as APICallError).message).toMatch(/rate limit/i);
  });
});

describe.skipIf(missingPrograms !== null)('LangChain', () => {
  const rows = [false, true].flatMap((useResponsesApi) =>
    ENDPOINTS.map((endpoint) => ({ api: useResponsesApi ? 'Responses' : 'Chat', useResponsesApi, endpoint })),
  );
  const modelOf = (endpoint: string, useResponsesApi: boolean) =>
    new ChatOpenAI({
      model: endpoint,
      apiKey: KEYS.inference,
      useResponsesApi,
      maxRetries: 0,
      configuration: { baseURL: urlOf('openai') },
    });

  it.each(rows)(
    'receives an answer over $api, by a model of $endpoint',
    async ({ endpoint, useResponsesApi }) => {
      answer('text');
      const message = await modelOf(endpoint, useResponsesApi).invoke(PROMPT);
      expect(message.text).toBe(TEXT);
      expect(message.usage_metadata).toMatchObject({ input_tokens: 19, output_tokens: 10 });
    },
  );

  it.each(rows)('streams over $api, by a model of $endpoint', async ({ endpoint, useResponsesApi }) => {
    answer('text');
    let text = '';
    for await (const piece of await modelOf(endpoint, useResponsesApi).stream(PROMPT)) text += piece.text;
    expect(text).toBe(TEXT);
  });

  it.each(rows)('calls tools over $api, by a model of $endpoint', async ({ endpoint, useResponsesApi }) => {
    answer('tool-call');
    const parameters = { type: 'object', properties: { city: { type: 'string' } } };
    const weather = { type: 'function' as const, function: { name: 'weather', parameters } };
    const message = await modelOf(endpoint, useResponsesApi).bindTools([weather]).invoke(PROMPT);
    expect(message.tool_calls).toMatchObject([
      { name: 'weather', args: { city: 'Rome' } },
      { name: 'weather', args: { city: 'Oslo' } },
    ]);
  });

  it.each(rows)('reads structured output over $api, by a model of $endpoint', async (row) => {
    answer('structured-output');
    const model = modelOf(row.endpoint, row.useResponsesApi);
    const read = await model.withStructuredOutput(Weather, { method: 'jsonSchema' }).invoke(PROMPT);
    expect(read).toEqual(WEATHER);
  });

  it.each(rows)('recognizes an error over $api, by a model of $endpoint', async (row) => {
    answer('error-429');
    const asked = modelOf(row.endpoint, row.useResponsesApi).invoke(PROMPT);
    await expect(asked).rejects.toMatchObject({ status: 429 });
  });
});
