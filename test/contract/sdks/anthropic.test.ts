import Anthropic from '@anthropic-ai/sdk';
import { betaZodTool } from '@anthropic-ai/sdk/helpers/beta/zod';
import { zodOutputFormat } from '@anthropic-ai/sdk/helpers/zod';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { JsonObject } from '../../../src/core/json.js';
import { fixtureReply } from '../../support/dialect-provider.js';
import { borrowGatewayOf, type Gateway, KEYS } from '../../support/gateway.js';
import { anthropicClient } from '../../support/official-clients.js';
import { ControlledStream, hangReply } from '../../support/replies.js';
import { missingPrograms } from '../../support/start-sluice.js';

/* Anthropic's own client for Node with its helpers, whatever the model behind it speaks. */

const TEXT = 'Because of Rayleigh scattering. 🌍';
const Weather = z.object({ city: z.string(), degrees: z.number() });

const PROVIDERS: Record<string, JsonObject> = { messages: { api: 'anthropic' }, chat: { api: 'openai' } };
const QUESTION = { max_tokens: 100, messages: [{ role: 'user' as const, content: 'Why is the sky blue?' }] };
type WithLogId = { inference_log_id: string };

describe.skipIf(missingPrograms !== null)("Anthropic's client", () => {
  let gateway: Gateway;
  let client: Anthropic;

  beforeAll(async () => {
    gateway = await borrowGatewayOf(PROVIDERS);
    client = anthropicClient(gateway);
  });
  afterAll(() => gateway?.stop());
  beforeEach(() => gateway.provider.reset());

  const answer = (...names: string[]) => gateway.provider.enqueue(...names.map(fixtureReply));

  describe.each(Object.keys(PROVIDERS))('with a model of %s', (model) => {
    it('creates a message', async () => {
      answer('text');
      const { data, response } = await client.messages.create({ model, ...QUESTION }).withResponse();
      expect(data.content).toMatchObject([{ type: 'text', text: TEXT }]);
      expect([data.role, data.stop_reason, data.usage.output_tokens]).toEqual(['assistant', 'end_turn', 10]);
      const id = (data as unknown as WithLogId).inference_log_id;
      expect(id).toBe(response.headers.get('x-inference-log-id'));
      expect(await gateway.log(id)).toMatchObject({ api: 'anthropic.messages', status: 'success' });
    });

    it('collects a stream, and reports its parts', async () => {
      answer('text');
      const stream = client.messages.stream({ model, ...QUESTION });
      const pieces: string[] = [];
      const types: string[] = [];
      stream.on('text', (piece) => pieces.push(piece));
      stream.on('streamEvent', ({ type }) => types.push(type));
      const message = await stream.finalMessage();
      expect(pieces).toEqual(['Because', ' of Rayleigh', ' scattering. 🌍']);
      expect(await stream.finalText()).toBe(TEXT);
      expect(message.usage).toMatchObject({ output_tokens: 10 });
      expect((message as unknown as WithLogId).inference_log_id).toMatch(/^[0-9a-f-]{36}$/);
      expect([types[0], types.at(-2), types.at(-1)]).toEqual([
        'message_start',
        'message_delta',
        'message_stop',
      ]);
    });

    it.each([false, true])('runs tools until the model is done (streamed: %s)', async (stream) => {
      answer('tool-call', 'text');
      const asked: unknown[] = [];
      const tool = (name: string) =>
        betaZodTool({
          name,
          description: 'Tells of a city',
          inputSchema: z.object({ city: z.string().optional() }),
          run: ({ city }) => {
            asked.push(city ?? null);
            return `${name}: 21 degrees`;
          },
        });
      const tools = [tool('weather'), tool('now')];
      const runner = client.beta.messages.toolRunner({ model, ...QUESTION, tools, stream });
      const message = await runner.runUntilDone();
      expect(message.content).toMatchObject([{ type: 'text', text: TEXT }]);
      expect(asked[0]).toBe('Rome');
      expect(asked).toHaveLength(2);
      expect((await gateway.provider.received(1)).text).toContain('weather: 21 degrees');
    });

    it('parses structured output', async () => {
      answer('structured-output');
      const message = await client.messages.parse({
        model,
        ...QUESTION,
        output_config: { format: zodOutputFormat(Weather) },
      });
      expect(message.parsed_output).toEqual({ city: 'Rome', degrees: 21 });
    });

    it('counts tokens', async () => {
      if (model === 'messages') {
        gateway.provider.enqueue((response) => {
          response.writeHead(200, { 'content-type': 'application/json' });
          response.end('{"input_tokens":14}');
        });
      }
      const { messages } = QUESTION;
      const { input_tokens } = await client.messages.countTokens({ model, messages });
      expect(input_tokens).toBeGreaterThan(0);
    });

    it('throws its own class for each kind of error', async () => {
      const ask = (key: string, changes: object = {}) =>
        anthropicClient(gateway, { key }).messages.create({ model, ...QUESTION, ...changes });
      await expect(ask('sk-unknown')).rejects.toThrow(Anthropic.AuthenticationError);
      await expect(ask(KEYS.logs)).rejects.toThrow(Anthropic.PermissionDeniedError);
      await expect(ask(KEYS.all, { model: 'nobody' })).rejects.toThrow(Anthropic.NotFoundError);
      await expect(ask(KEYS.all, { messages: [] })).rejects.toThrow(Anthropic.BadRequestError);
      answer('text', 'error-429', 'error-500');
      const output_config = { format: zodOutputFormat(Weather) };
      await expect(ask(KEYS.all, { output_config })).rejects.toThrow(Anthropic.UnprocessableEntityError);
      await expect(ask(KEYS.all)).rejects.toThrow(Anthropic.RateLimitError);
      await expect(ask(KEYS.all)).rejects.toThrow(Anthropic.InternalServerError);
    });

    it('throws on an error within a stream', async () => {
      answer('error');
      const stream = client.messages.stream({ model, ...QUESTION });
      await expect(stream.finalMessage()).rejects.toThrow(Anthropic.APIError);
    });

    it('aborts a message, which is aborted at the provider too', async () => {
      gateway.provider.enqueue(hangReply);
      const abort = new AbortController();
      const { signal } = abort;
      const asked = client.messages.create({ model, ...QUESTION }, { signal });
      const received = await gateway.provider.received();
      abort.abort();
      await expect(asked).rejects.toThrow(Anthropic.APIUserAbortError);
      expect(await received.answered).toBe(false);
    });
  });

  it('aborts a stream, which is aborted at the provider too', async () => {
    const controlled = new ControlledStream();
    gateway.provider.enqueue(controlled.reply());
    const stream = client.messages.stream({ model: 'messages', ...QUESTION });
    const connected = new Promise<void>((resolve) => stream.on('connect', resolve));
    await controlled.send('event: ping\ndata: {"type":"ping"}\n\n');
    await connected;
    stream.abort();
    await expect(stream.done()).rejects.toThrow(Anthropic.APIUserAbortError);
    expect(await (await gateway.provider.received()).answered).toBe(false);
  });

  it('retries calls that may succeed later, and no others', async () => {
    const retrying = anthropicClient(gateway, { maxRetries: 2 });
    answer('error-500', 'text', 'text');
    const message = await retrying.messages.create({ model: 'messages', ...QUESTION });
    expect(message.content).toMatchObject([{ text: TEXT }]);
    expect(gateway.provider.requests).toHaveLength(2);
    const output_config = { format: zodOutputFormat(Weather) };
    const refused = retrying.messages.create({ model: 'messages', ...QUESTION, output_config });
    await expect(refused).rejects.toThrow(Anthropic.UnprocessableEntityError);
    expect(gateway.provider.requests).toHaveLength(3);
  });
});
