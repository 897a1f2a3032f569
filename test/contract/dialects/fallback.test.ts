import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ConversationId } from '../../../src/core/dialect-ids.js';
import type { JsonObject } from '../../../src/core/json.js';
import { dialectOfRequest, fixtureJson, fixtureReply, folderOf } from '../../support/dialect-provider.js';
import { borrowGateway, type Gateway } from '../../support/gateway.js';
import { OFFICIAL_CLIENTS, type OfficialClient, recordingFetch } from '../../support/official-clients.js';
import { bytesReply, type Reply, streamReply } from '../../support/replies.js';
import { missingPrograms } from '../../support/start-sluice.js';
import { ISTIO, type Way } from '../../support/ways.js';

/* A chain whose models speak different APIs, asked by clients of each API through the makers' own SDKs. */

const TEXT = 'Because of Rayleigh scattering. 🌍';
const OUTPUT = '{"city":"Rome","degrees":21.0}';

/** The two chains, by the API of each model. */
const CHAINS: Record<string, [ConversationId, ConversationId]> = {
  'openai-first': ['openai.chat', 'anthropic.messages'],
  'anthropic-first': ['anthropic.messages', 'openai.chat'],
};

/** An error before anything else of a stream. */
const firstEventError: Reply = (response, request) => {
  const chat = dialectOfRequest(request) === 'openai.chat';
  const error = { type: chat ? 'server_error' : 'overloaded_error', message: 'Overloaded' };
  const value = chat ? { error } : { type: 'error', error };
  const frame = `${chat ? '' : 'event: error\n'}data: ${JSON.stringify(value)}\n\n`;
  return streamReply([frame])(response, request);
};

interface Outcome {
  read: unknown;
  thrown: unknown;
  status: number;
  headers: Headers;
  id: string;
  body: JsonObject | undefined;
}

const ROWS = OFFICIAL_CLIENTS.flatMap((client) =>
  Object.entries(CHAINS).flatMap(([chain, apis]) =>
    (['plain', 'streamed'] as const).map((form) => ({ client, from: client.dialect, chain, apis, form })),
  ),
);

for (const way of [undefined, ISTIO]) {
  const missing = way === undefined ? missingPrograms : way.missing;
  const name = `a chain of models that speak different APIs${way === undefined ? '' : `, behind ${way.name}`}`;
  describe.skipIf(missing !== null)(name, () => suite(way));
}

function suite(way?: Way): void {
  const rows = way === undefined ? ROWS : ROWS.filter(({ chain }) => chain === 'openai-first');
  let gateway: Gateway;

  beforeAll(async () => {
    gateway = await borrowGateway(
      {
        providers: (url) => ({
          openai: { api: 'openai', base_url: url, api_key_env: 'FAKE_KEY' },
          anthropic: { api: 'anthropic', base_url: url, api_key_env: 'FAKE_KEY' },
        }),
        // Each kind of failure has models of its own, so that none cools down for what another test did.
        endpoints: Object.keys(CHAINS).flatMap((chain) =>
          ['failed', 'unread', 'invalid', 'limited', 'event', 'carried'].map((kind) => chainOf(chain, kind)),
        ),
      },
      way,
    );
  });
  afterAll(() => gateway?.stop());
  beforeEach(() => gateway.provider.reset());

  async function ask(
    client: OfficialClient,
    form: 'plain' | 'streamed',
    endpoint: string,
    request: string,
    changes: JsonObject = {},
  ): Promise<Outcome> {
    const { fetch, answers } = recordingFetch();
    const fixture = fixtureJson(`${folderOf(client.dialect)}/${request}.request.json`);
    const body = { ...fixture, model: endpoint, ...changes };
    const call = form === 'plain' ? client.create : client.stream;
    const [read, thrown] = await call(gateway, body, { fetch }).then(
      (answer) => [answer, undefined],
      (error: unknown) => [undefined, error],
    );
    const wire = answers[0];
    if (wire === undefined) throw thrown;
    const isJson = wire.headers.get('content-type') === 'application/json';
    const parsed = isJson ? (JSON.parse(await wire.text) as JsonObject) : undefined;
    return { read, thrown, status: wire.status, headers: wire.headers, id: wire.id, body: parsed };
  }

  /** Each model's API, in the order in which they were asked. */
  const asked = () => gateway.provider.requests.map(dialectOfRequest);

  it.each(rows)('$from, $chain, $form: an error leads to the answer of the next model', async (row) => {
    const { client, chain, apis, form } = row;
    gateway.provider.enqueue(fixtureReply('error-500'), fixtureReply('text'));
    const outcome = await ask(client, form, `${chain}-failed`, 'text');

    expect(outcome.thrown).toBeUndefined();
    expect(client.said(outcome.read)).toEqual({ text: TEXT, calls: [] });
    expect(outcome.read).toMatchObject({ inference_log_id: outcome.id });
    expect(outcome.headers.get('x-sluice-attempts')).toBe('2');
    expect(asked()).toEqual(apis);
    // Each try starts from the client's own request.
    const [first, second] = gateway.provider.requests.map((request) => request.json());
    expect([first!.model, second!.model]).toEqual([`${chain}-failed`, `${chain}-failed`]);
    expect(JSON.stringify(second)).toContain('Whose?');
    const headers = gateway.provider.requests.map((request) => request.headers);
    for (const [index, api] of apis.entries()) {
      const own = api === 'openai.chat' ? 'authorization' : 'x-api-key';
      const other = api === 'openai.chat' ? 'x-api-key' : 'authorization';
      expect([headers[index]![own] !== undefined, headers[index]![other]]).toEqual([true, undefined]);
    }
    expect(await gateway.log(outcome.id)).toMatchObject({
      api: client.dialect,
      status: 'success',
      attempts: [{ status: 'server_error', http_status: 500 }, { status: 'success' }],
      usage: { input_tokens: 19, output_tokens: 10 },
    });
  });

  it.each(rows)('$from, $chain, $form: an unreadable answer leads to that of the next model', async (row) => {
    const { client, chain, apis, form } = row;
    const page = bytesReply('<html></html>', { headers: { 'content-type': 'text/html' } });
    // An answer of an unknown kind may yet be one for a client of the same API.
    const unread = client.dialect === apis[0] ? fixtureReply('unknown') : page;
    gateway.provider.enqueue(unread, fixtureReply('text'));
    const outcome = await ask(client, form, `${chain}-unread`, 'text');
    expect(client.said(outcome.read)).toEqual({ text: TEXT, calls: [] });
    expect(asked()).toEqual(apis);
    expect(await gateway.log(outcome.id)).toMatchObject({
      status: 'success',
      attempts: [{ status: 'server_error', http_status: 200 }, { status: 'success' }],
    });
  });

  it.each(rows)('$from, $chain, $form: invalid output leads to that of the next model', async (row) => {
    const { client, chain, apis, form } = row;
    gateway.provider.enqueue(fixtureReply('text'), fixtureReply('structured-output'));
    const outcome = await ask(client, form, `${chain}-invalid`, 'structured-output');

    expect(outcome.thrown).toBeUndefined();
    expect(client.said(outcome.read).text).toBe(OUTPUT);
    expect(asked()).toEqual(apis);
    expect(await gateway.log(outcome.id)).toMatchObject({
      status: 'success',
      attempts: [{ status: 'invalid_output', usage: { output_tokens: 10 } }, { status: 'success' }],
    });
  });

  it.each(rows)(
    '$from, $chain, $form: without valid output the client gets a 422 of its API',
    async (row) => {
      const { client, chain, form } = row;
      gateway.provider.enqueue(fixtureReply('text'), fixtureReply('text'));
      const outcome = await ask(client, form, `${chain}-invalid`, 'structured-output');

      expect(outcome.thrown).toBeInstanceOf(client.errors[422]!);
      expect(outcome.headers.get('x-should-retry')).toBe('false');
      if (client.dialect === 'anthropic.messages') {
        const message = expect.stringMatching(/^output_validation_failed: /);
        expect(outcome.body).toMatchObject({ error: { message }, request_id: outcome.id });
      } else {
        const code = 'output_validation_failed';
        const error =
          client.dialect === 'gemini.generate'
            ? { code: 422, details: expect.arrayContaining([expect.objectContaining({ reason: code })]) }
            : { code };
        expect(outcome.body).toMatchObject({ error });
      }
      expect(await gateway.log(outcome.id)).toMatchObject({ status: 'invalid_output', http_status: 422 });
    },
  );

  it.each(rows)('$from, $chain, $form: the client gets the last error in its API', async (row) => {
    const { client, chain, apis, form } = row;
    gateway.provider.enqueue(fixtureReply('error-500'), fixtureReply('error-429'));
    const outcome = await ask(client, form, `${chain}-limited`, 'text');

    expect(outcome.status).toBe(429);
    expect(outcome.thrown).toBeInstanceOf(client.errors[429]!);
    const { error } = fixtureJson(`${folderOf(apis[1])}/error-429.response.json`) as { error: JsonObject };
    expect(outcome.body).toMatchObject({ error: { message: error.message } });
    expect(outcome.body?.type).toBe(client.dialect === 'anthropic.messages' ? 'error' : undefined);
    expect(await gateway.log(outcome.id)).toMatchObject({
      status: 'error',
      http_status: 429,
      attempts: [{ status: 'server_error' }, { status: 'rate_limited' }],
    });
  });

  it.each(rows.filter(({ form }) => form === 'streamed'))(
    '$from, $chain: an error as the first event of a stream leads to the answer of the next model',
    async ({ client, chain, apis }) => {
      gateway.provider.enqueue(firstEventError, fixtureReply('text'));
      const outcome = await ask(client, 'streamed', `${chain}-event`, 'text');
      expect(client.said(outcome.read)).toEqual({ text: TEXT, calls: [] });
      expect(asked()).toEqual(apis);
      expect(await gateway.log(outcome.id)).toMatchObject({
        status: 'success',
        attempts: [{ status: 'server_error', error: { message: 'Overloaded' } }, { status: 'success' }],
      });
    },
  );

  it('answers with a 400 that names what the next model does not support', async () => {
    const [chat] = OFFICIAL_CLIENTS;
    gateway.provider.enqueue(fixtureReply('error-500'));
    const outcome = await ask(chat!, 'plain', 'openai-first-carried', 'text', { n: 2 });
    expect(outcome.status).toBe(400);
    expect(outcome.body).toMatchObject({ error: { code: 'invalid_request', param: 'n' } });
    expect(asked()).toEqual(['openai.chat']);
    const [first] = (await gateway.log(outcome.id)).attempts;
    expect(first).toMatchObject({ status: 'server_error', http_status: 500 });
  });
}

function chainOf(chain: string, kind: string): JsonObject {
  const name = `${chain}-${kind}`;
  const providers = CHAINS[chain]!.map((api) => api.split('.')[0]!);
  return {
    name,
    models: providers.map((provider) => ({ provider, model: name, structured_output: true })),
    json_validation: true,
  };
}
