import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAI } from '@ai-sdk/openai';
import Anthropic, { RateLimitError as AnthropicRateLimitError } from '@anthropic-ai/sdk';
import { generateText, streamText } from 'ai';
import OpenAI, { type APIError, RateLimitError } from 'openai';
import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../../src/core/json.js';
import { atOnce } from '../../src/core/pacing/steps.js';
import type { Dialect } from '../../src/dialects/dialect.js';
import { dialects } from '../../src/dialects/index.js';
import { formatFrame } from '../../src/dialects/wire/sse.js';
import {
  answerOf,
  CONTEXT,
  decodeAll,
  encodeAll,
  type Fixture,
  fixture,
  fixturesOf,
  framesOf,
  LOG_ID,
  substance,
} from './dialects-support.js';

/* What the makers of the APIs ship to read them reads what the encoders and writers give. */

type Body = string;

/** A `fetch` that answers everything with one body. */
function answering(body: Body, contentType: string, status = 200): typeof fetch {
  return async () => new Response(body, { status, headers: { 'content-type': contentType } });
}

const streaming = (body: Body) => answering(body, 'text/event-stream');
const plain = (body: Body, status = 200) => answering(body, 'application/json', status);

const openai = (fetch: typeof globalThis.fetch) =>
  new OpenAI({ apiKey: 'sk-test', baseURL: 'http://127.0.0.1:9/v1', maxRetries: 0, fetch });
const anthropic = (fetch: typeof globalThis.fetch) =>
  new Anthropic({ apiKey: 'sk-test', baseURL: 'http://127.0.0.1:9', maxRetries: 0, fetch });

const QUESTION = [{ role: 'user' as const, content: 'Hi' }];

interface Client {
  dialect: Dialect;
  /** The answer that the client makes of a stream, in the shape of its API. */
  readStream(body: Body): Promise<unknown>;
  readPlain(body: Body): Promise<unknown>;
  /** The text that the `ai` package makes of it. */
  readStreamText(body: Body): Promise<string>;
  readPlainText(body: Body): Promise<string>;
}

const chatModel = (fetch: typeof globalThis.fetch) => createOpenAI({ apiKey: 'x', fetch }).chat('large');
const responsesModel = (fetch: typeof globalThis.fetch) =>
  createOpenAI({ apiKey: 'x', fetch }).responses('large');
const anthropicModel = (fetch: typeof globalThis.fetch) => createAnthropic({ apiKey: 'x', fetch })('large');

function textReaders(model: (fetch: typeof globalThis.fetch) => ReturnType<typeof chatModel>) {
  return {
    readStreamText: async (body: Body) =>
      streamText({ model: model(streaming(body)), prompt: 'Hi', maxOutputTokens: 9, maxRetries: 0 }).text,
    readPlainText: async (body: Body) =>
      (await generateText({ model: model(plain(body)), prompt: 'Hi', maxOutputTokens: 9, maxRetries: 0 }))
        .text,
  };
}

const clients: Record<string, Omit<Client, 'dialect'>> = {
  'openai.chat': {
    readStream: (body) =>
      openai(streaming(body))
        .chat.completions.stream({ model: 'x', messages: QUESTION, stream_options: { include_usage: true } })
        .finalChatCompletion(),
    readPlain: (body) => openai(plain(body)).chat.completions.create({ model: 'x', messages: QUESTION }),
    ...textReaders(chatModel),
  },
  'openai.responses': {
    readStream: (body) =>
      openai(streaming(body)).responses.stream({ model: 'x', input: 'Hi' }).finalResponse(),
    readPlain: (body) => openai(plain(body)).responses.create({ model: 'x', input: 'Hi' }),
    ...textReaders(responsesModel),
  },
  'anthropic.messages': {
    readStream: (body) =>
      anthropic(streaming(body))
        .messages.stream({ model: 'x', max_tokens: 9, messages: QUESTION })
        .finalMessage(),
    readPlain: (body) =>
      anthropic(plain(body)).messages.create({ model: 'x', max_tokens: 9, messages: QUESTION }),
    ...textReaders(anthropicModel),
  },
};

const known = dialects.filter((dialect) => Object.hasOwn(clients, dialect.id));

const streams = known.flatMap((dialect) =>
  dialects.flatMap((provider) =>
    fixturesOf(provider, 'sse')
      .filter(({ name }) => !['cut', 'error', 'failed', 'choices'].includes(name))
      .map((one) => [`${provider.id} ${one.name} as ${dialect.id}`, dialect, provider, one] as const),
  ),
);

function streamFor(dialect: Dialect, provider: Dialect, one: Fixture): Body {
  const events = decodeAll(provider, framesOf(one.bytes));
  return encodeAll(dialect, events, CONTEXT).map(formatFrame).join('');
}

function textOf(value: JsonValue): string {
  return (value as JsonValue[]).filter((part) => typeof part === 'string').join('');
}

describe('official clients', () => {
  it.each(streams)('read the stream %s', async (_name, dialect, provider, one) => {
    const body = streamFor(dialect, provider, one);
    const read = (await clients[dialect.id]!.readStream(body)) as JsonValue;
    const expected = answerOf(decodeAll(provider, framesOf(one.bytes)));
    const answer = atOnce(dialect.readAnswer(JSON.parse(JSON.stringify(read))));
    // The accumulator of Chat Completions knows no reasoning.
    const visible = (value: JsonValue) =>
      (value as JsonValue[]).filter((part) => dialect.id !== 'openai.chat' || !hasThoughts(part));
    expect(visible(substance(answer))).toEqual(visible(substance(expected)));
    expect(answer!.usage?.outputTokens ?? 0).toBe(expected.usage?.outputTokens ?? 0);
  });

  it.each(streams)('and those of other APIs read the text of %s', async (name, dialect, provider, one) => {
    const text = await clients[dialect.id]!.readStreamText(streamFor(dialect, provider, one));
    const expected = textOf(substance(answerOf(decodeAll(provider, framesOf(one.bytes)))));
    // Refusals are no text to them.
    const refused = name.includes('refusal') && dialect.id !== 'anthropic.messages' && text === '';
    expect(text).toBe(refused ? '' : expected);
  });

  const answers = known.flatMap((dialect) =>
    dialects.flatMap((provider) =>
      fixturesOf(provider, 'response.json')
        .filter(({ name }) => !name.startsWith('error') && name !== 'choices')
        .map((one) => [`${provider.id} ${one.name} as ${dialect.id}`, dialect, provider, one] as const),
    ),
  );

  it.each(answers)('read the whole answer %s', async (_name, dialect, provider, one) => {
    const answer = atOnce(provider.readAnswer(JSON.parse(one.text)))!;
    const read = await clients[dialect.id]!.readPlain(atOnce(dialect.writeAnswer(answer, CONTEXT)));
    expect((read as { inference_log_id: string }).inference_log_id).toBe(LOG_ID);
    const text = await clients[dialect.id]!.readPlainText(atOnce(dialect.writeAnswer(answer, CONTEXT)));
    if (!one.name.includes('refusal')) expect(text).toBe(textOf(substance(answer)));
  });

  it.each(known.map((dialect) => [dialect.id, dialect] as const))(
    'throw on an error within a stream of %s',
    async (_id, dialect) => {
      const provider = dialects.find((other) => other !== dialect)!;
      const body = streamFor(dialect, provider, fixture(provider, 'sse', 'error'));
      await expect(clients[dialect.id]!.readStream(body)).rejects.toThrow();
    },
  );

  it.each(known.map((dialect) => [dialect.id, dialect] as const))(
    'recognize an error of another API in %s',
    async (_id, dialect) => {
      for (const provider of dialects) {
        const error = provider.readError(JSON.parse(fixture(provider, 'response.json', 'error-429').text))!;
        const body = dialect.translateError(error, 429, LOG_ID);
        const call =
          dialect.id === 'anthropic.messages'
            ? anthropic(plain(body, 429)).messages.create({ model: 'x', max_tokens: 9, messages: QUESTION })
            : openai(plain(body, 429)).chat.completions.create({ model: 'x', messages: QUESTION });
        const thrown: unknown = await call.catch((reason: unknown) => reason);
        expect(thrown).toBeInstanceOf(
          dialect.id === 'anthropic.messages' ? AnthropicRateLimitError : RateLimitError,
        );
        expect((thrown as APIError).message).toContain(error.message);
      }
    },
  );
});

function hasThoughts(part: JsonValue): boolean {
  return typeof part === 'object' && part !== null && 'thinks' in part;
}
