import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/core/json.js';
import { callsTool } from '../../support/calls-tool.js';
import { dataFrames } from '../../support/chat.js';
import { fixtureJson, fixtureReply, folderOf } from '../../support/dialect-provider.js';
import { borrowGateway, type Gateway, PROJECT } from '../../support/gateway.js';
import { OFFICIAL_CLIENTS, type OfficialClient, openaiClient } from '../../support/official-clients.js';
import { missingPrograms } from '../../support/start-sluice.js';

/* What streams say beside their text: usage, errors in their midst; and structured output by a forced tool call. */

const PROVIDERS: Record<string, JsonObject> = {
  chat: { api: 'openai' },
  responses: { api: 'openai', responses: true },
  messages: { api: 'anthropic' },
};
const ROWS = OFFICIAL_CLIENTS.flatMap((client) =>
  Object.keys(PROVIDERS).map((provider) => ({ client, from: client.dialect, provider })),
);

let gateway: Gateway;

beforeAll(async () => {
  if (missingPrograms !== null) return;
  const prices = { large: { input_per_mtok: 1, output_per_mtok: 1 } };
  gateway = await borrowGateway({
    providers: (base_url) =>
      Object.fromEntries(
        Object.entries(PROVIDERS).map(([name, provider]) => [name, { ...provider, base_url, prices }]),
      ),
    endpoints: Object.keys(PROVIDERS).flatMap((provider): JsonObject[] => [
      { name: provider, models: [{ provider, model: 'large' }] },
      {
        name: `${provider}-tool`,
        models: [{ provider, model: 'large', structured_output: 'tool' }],
        json_validation: true,
      },
    ]),
  });
});
afterAll(() => gateway?.stop());
beforeEach(() => gateway?.provider.reset());

function bodyOf(client: OfficialClient, request: string, changes: JsonObject): JsonObject {
  return { ...fixtureJson(`${folderOf(client.dialect)}/${request}.request.json`), ...changes };
}

/** The data of each frame; `[DONE]` is left out. */
function eventsIn(text: string): JsonObject[] {
  return dataFrames(text.replaceAll(/^event: .*\n/gm, ''))
    .filter((data) => data !== '[DONE]')
    .map((data) => JSON.parse(data) as JsonObject);
}

describe.skipIf(missingPrograms !== null)('usage in a stream of Chat Completions', () => {
  const ask = async (endpoint: string, stream_options?: JsonObject) => {
    gateway.provider.enqueue(fixtureReply('text'));
    const options = stream_options === undefined ? {} : { stream_options };
    const answer = await gateway.ask({ model: endpoint, stream: true, ...options });
    return { answer, chunks: eventsIn(answer.text), log: await gateway.log(answer.id) };
  };

  it.each(Object.keys(PROVIDERS))(
    'is on the log, but not in the stream of a client that did not ask (%s)',
    async (endpoint) => {
      for (const options of [undefined, { include_usage: false }]) {
        const { answer, chunks, log } = await ask(endpoint, options);
        expect(chunks.map(({ usage }) => usage ?? null).filter((usage) => usage !== null)).toEqual([]);
        expect(chunks.every(({ choices }) => (choices as unknown[]).length === 1)).toBe(true);
        expect(answer.text.endsWith('data: [DONE]\n\n')).toBe(true);
        expect(log.usage).toMatchObject({ input_tokens: 19, output_tokens: 10 });
        expect(log.cost).toBeCloseTo(29 / 1_000_000, 12);
      }
      for (const request of gateway.provider.requests) {
        const asked = endpoint === 'messages' ? undefined : { include_usage: true };
        expect(request.json().stream_options).toEqual(asked);
      }
    },
  );

  it.each(Object.keys(PROVIDERS))('is the last chunk for a client that asked (%s)', async (endpoint) => {
    const { chunks } = await ask(endpoint, { include_usage: true });
    const last = chunks.at(-1)!;
    expect(last).toMatchObject({ choices: [], usage: { prompt_tokens: 19, completion_tokens: 10 } });
    expect(chunks.filter(({ usage }) => usage)).toEqual([last]);
  });

  it('is asked for without losing other options', async () => {
    await ask('chat', { include_obfuscation: false });
    expect((await gateway.provider.received()).json().stream_options).toEqual({
      include_obfuscation: false,
      include_usage: true,
    });
  });
});

describe.skipIf(missingPrograms !== null)('an error in the midst of a stream', () => {
  it.each(ROWS)("is $from's own error event, from a model of $provider", async ({ client, provider }) => {
    gateway.provider.always(fixtureReply('error'));
    const path = `/${PROJECT}/${client.path.replace('{model}:generateContent', `${provider}:streamGenerateContent?alt=sse`)}`;
    const body = bodyOf(client, 'image', { model: provider, stream: true });
    const answer = await gateway.call('POST', path, { body });
    expect(answer.status).toBe(200);
    expect(answer.text).toContain('Because');
    expect(answer.text).not.toContain('[DONE]');
    const last = eventsIn(answer.text).at(-1)!;
    const message = expect.stringMatching(/^(The server had an error|Overloaded)/);
    if (client.dialect === 'openai.chat' || client.dialect === 'gemini.generate') {
      expect(last).toMatchObject({ error: { message } });
      expect(answer.text).not.toContain('event:');
    } else {
      expect(last).toMatchObject({ type: 'error', ...(last.error ? { error: { message } } : { message }) });
      expect(answer.text.trim().split('\n').at(-2)).toBe('event: error');
    }
    expect(await gateway.log(answer.id)).toMatchObject({
      status: 'error',
      http_status: 200,
      error: { code: 'upstream_unavailable', message },
      attempts: [{ status: 'server_error', error: { message } }],
    });
    await expect(client.stream(gateway, body)).rejects.toThrow(/server had an error|Overloaded/);
  });
});

const OUTPUT = { city: 'Rome', degrees: 21 };
const callsForcedTool = callsTool(OUTPUT);

describe.skipIf(missingPrograms !== null)(
  'structured output of a model that has none but calls tools',
  () => {
    const rows = ROWS.flatMap((row) => (['plain', 'streamed'] as const).map((form) => ({ ...row, form })));

    it.each(rows)('is text for $from, $form, by a model of $provider', async ({ client, provider, form }) => {
      gateway.provider.always(callsForcedTool);
      const body = bodyOf(client, 'structured-output', { model: `${provider}-tool` });
      const read = await (form === 'plain' ? client.create : client.stream)(gateway, body);
      const said = client.said(read);
      expect([JSON.parse(said.text), said.calls]).toEqual([OUTPUT, []]);
      const received = (await gateway.provider.received()).json();
      expect(received).toMatchObject({ tools: [expect.anything()], tool_choice: expect.anything() });
      expect(received).not.toHaveProperty('response_format');
      expect(received).not.toHaveProperty('output_config.format');
      expect(received).not.toHaveProperty('text.format');
      const id = (read as { inference_log_id: string }).inference_log_id;
      expect(await gateway.log(id)).toMatchObject({
        status: 'success',
        usage: { input_tokens: 19, output_tokens: 10 },
      });
    });

    it.each(['plain', 'streamed'])("does not mistake a client's own tool for ours, %s", async (form) => {
      gateway.provider.always(callsForcedTool);
      const [client] = OFFICIAL_CLIENTS as [OfficialClient];
      const own = { type: 'function', function: { name: 'give_answer', parameters: { type: 'object' } } };
      const body = bodyOf(client, 'structured-output', { model: 'chat-tool', tools: [own] });
      const read = await (form === 'plain' ? client.create : client.stream)(gateway, body);
      expect(client.said(read)).toMatchObject({ text: '', calls: [{ name: 'give_answer' }] });
      const { tools } = (await gateway.provider.received()).json();
      expect(tools).toMatchObject([own, { function: { name: 'give_answer_2' } }]);
    });

    it('can be parsed by the client', async () => {
      gateway.provider.always(callsForcedTool);
      const body = bodyOf(OFFICIAL_CLIENTS[0]!, 'structured-output', { model: 'messages-tool' });
      const answer = await openaiClient(gateway).chat.completions.parse(body as never);
      expect(answer.choices[0]!.finish_reason).toBe('stop');
    });
  },
);
