import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAI } from '@ai-sdk/openai';
import { ChatOpenAI } from '@langchain/openai';
import { generateText, jsonSchema, type LanguageModel, type ModelMessage, Output, tool } from 'ai';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/core/json.js';
import { atOnce } from '../../src/core/pacing/steps.js';
import { dialects } from '../../src/dialects/index.js';
import { documentOf, TARGET, takenSchema } from './dialects-support.js';

/* What clients of others send is understood, and can be carried to each kind of provider. */

type Fetch = typeof globalThis.fetch;

/** The body of the first request that `call` makes. */
async function capture(call: (fetch: Fetch) => Promise<unknown>): Promise<JsonObject> {
  let body: string | undefined;
  const fetch: Fetch = async (_url, init) => {
    body ??= String(init?.body);
    return new Response('{}', { status: 400, headers: { 'content-type': 'application/json' } });
  };
  await call(fetch).catch(() => {});
  return JSON.parse(body!) as JsonObject;
}

const PNG = Buffer.from('89504e470d0a1a0a', 'hex');

const CONVERSATION: ModelMessage[] = [
  {
    role: 'user',
    content: [
      { type: 'text', text: 'What is the weather there?' },
      { type: 'image', image: PNG, mediaType: 'image/png' },
      { type: 'file', data: Buffer.from('%PDF-1.4'), mediaType: 'application/pdf', filename: 'plan.pdf' },
    ],
  },
  {
    role: 'assistant',
    content: [
      { type: 'text', text: 'Let me look.' },
      { type: 'tool-call', toolCallId: 'call_1', toolName: 'weather', input: { city: 'Rome' } },
    ],
  },
  {
    role: 'tool',
    content: [
      {
        type: 'tool-result',
        toolCallId: 'call_1',
        toolName: 'weather',
        output: { type: 'text', value: '21 degrees' },
      },
    ],
  },
];

const TOOLS = {
  weather: tool({
    description: 'Weather of a city',
    inputSchema: jsonSchema({ type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }),
  }),
};

const SCHEMA = {
  type: 'object' as const,
  properties: { degrees: { type: 'number' as const } },
  required: ['degrees'],
  additionalProperties: false,
};

const withAi = (model: (fetch: Fetch) => LanguageModel, more: object) => (fetch: Fetch) =>
  generateText({
    model: model(fetch),
    system: 'Be brief.',
    messages: CONVERSATION,
    maxOutputTokens: 100,
    maxRetries: 0,
    ...more,
  });

const chat = (fetch: Fetch) => createOpenAI({ apiKey: 'x', fetch }).chat('gpt-4o');
const responses = (fetch: Fetch) => createOpenAI({ apiKey: 'x', fetch }).responses('gpt-4o');
const messages = (fetch: Fetch) => createAnthropic({ apiKey: 'x', fetch })('claude-sonnet-4-5');
const langchain = (settings: object) => (fetch: Fetch) =>
  new ChatOpenAI({ model: 'gpt-4o', apiKey: 'x', maxRetries: 0, configuration: { fetch }, ...settings });

const CALL = { id: 'call_1', type: 'function', function: { name: 'weather', arguments: '{"city":"Rome"}' } };
const LANGCHAIN_MESSAGES = [
  { role: 'system', content: 'Be brief.' },
  { role: 'user', content: 'What is the weather in Rome?' },
  { role: 'assistant', content: '', tool_calls: [CALL] },
  { role: 'tool', content: '21 degrees', tool_call_id: 'call_1' },
];

const output = Output.object({ schema: jsonSchema(SCHEMA) });

const requests: [string, string, (fetch: Fetch) => Promise<unknown>][] = [
  ['the ai package, chat, tools', 'openai.chat', withAi(chat, { tools: TOOLS, temperature: 0 })],
  ['the ai package, chat, structured output', 'openai.chat', withAi(chat, { output })],
  ['the ai package, responses, tools', 'openai.responses', withAi(responses, { tools: TOOLS })],
  ['the ai package, responses, structured output', 'openai.responses', withAi(responses, { output })],
  ['the ai package, messages, tools', 'anthropic.messages', withAi(messages, { tools: TOOLS })],
  ['the ai package, messages, structured output', 'anthropic.messages', withAi(messages, { output })],
  ['langchain, chat', 'openai.chat', (fetch) => langchain({})(fetch).invoke(LANGCHAIN_MESSAGES)],
  [
    'langchain, responses',
    'openai.responses',
    (fetch) => langchain({ useResponsesApi: true })(fetch).invoke(LANGCHAIN_MESSAGES),
  ],
  [
    'langchain, structured output',
    'openai.chat',
    (fetch) =>
      langchain({})(fetch).withStructuredOutput(SCHEMA, { name: 'weather' }).invoke(LANGCHAIN_MESSAGES),
  ],
];

describe('the requests of', () => {
  it.each(requests)('%s are understood and translated for every provider', async (name, id, call) => {
    const dialect = dialects.find((one) => one.id === id)!;
    const document = documentOf(JSON.stringify(await capture(call)));
    const view = atOnce(dialect.readRequest(document));
    expect(JSON.stringify(atOnce(dialect.readMessages(document)))).toContain('21 degrees');
    if (name.includes('structured'))
      expect(view.outputSchema?.schema).toMatchObject({ required: ['degrees'] });
    for (const provider of dialects) {
      if (provider === dialect) continue;
      const body = documentOf(
        atOnce(provider.fromNeutral(atOnce(dialect.toNeutral(document, view)), TARGET)),
      );
      const carried = atOnce(provider.readRequest(body));
      expect(carried.outputSchema?.schema).toEqual(takenSchema(provider, view));
      const text = JSON.stringify(atOnce(provider.readMessages(body)));
      expect(text).toContain('Be brief.');
      expect(text).toContain('21 degrees');
      expect(text).toContain('Rome');
    }
  });
});

/* As fifteen clients for Python sent them (test/clients/python), one of each form. */
const FOLDER = fileURLToPath(new URL('../fixtures/client-requests/', import.meta.url));
const RECORDED = readdirSync(FOLDER).flatMap((file) =>
  (JSON.parse(readFileSync(FOLDER + file, 'utf8')) as JsonObject[]).map(
    (request, index) => [file.replace('.json', ''), index, request] as const,
  ),
);

/** For the API that has them in its path. */
const ADDRESS = { model: 'large', stream: false };

describe('a recorded request of', () => {
  it.each(RECORDED)('%s, %i, is understood and translated for every provider', (name, _index, request) => {
    const dialect = dialects.find(({ id }) => id.replace('.', '-') === name)!;
    const document = documentOf(JSON.stringify(request));
    const view = atOnce(dialect.readRequest(document, ADDRESS));
    const names = dialect.readTools(document).tools.map((one) => one.name);
    expect(JSON.stringify(atOnce(dialect.readMessages(document)))).toContain('Rome');
    for (const provider of dialects) {
      if (provider === dialect) continue;
      const body = documentOf(
        atOnce(provider.fromNeutral(atOnce(dialect.toNeutral(document, view)), TARGET)),
      );
      const carried = atOnce(provider.readRequest(body, ADDRESS));
      expect(carried.outputSchema?.schema).toEqual(takenSchema(provider, view));
      expect(provider.readTools(body).tools.map((one) => one.name)).toEqual(names);
      expect(JSON.stringify(atOnce(provider.readMessages(body)))).toContain('Rome');
    }
  });
});
