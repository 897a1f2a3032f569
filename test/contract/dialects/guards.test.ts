import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/core/json.js';
import { dialectOfRequest, fixtureText, folderOf, isStream } from '../../support/dialect-provider.js';
import { borrowGateway, type Gateway } from '../../support/gateway.js';
import { OFFICIAL_CLIENTS, type OfficialClient, recordingFetch } from '../../support/official-clients.js';
import { bytesReply, type Reply, streamReply } from '../../support/replies.js';
import { missingPrograms } from '../../support/start-sluice.js';

/* Personal data in requests and in answers, in every API, whatever the model behind it speaks. */

const ADDRESS = 'kate.miller@example.org';
/** An answer with it, in the three pieces in which a stream tells it. */
const TELLING = ['Write to kate.mil', 'ler@exam', 'ple.org today. 🌍'];
/** The same in the fixtures. */
const PIECES = ['Because', ' of Rayleigh', ' scattering. 🌍'];
const MASKED = 'Write to <EMAIL_ADDRESS> today. 🌍';
/** Long enough that a guard is sure of what came before it. */
const HARMLESS = 'The weather is fine and the report is done. '.repeat(30);

const PROVIDERS: Record<string, JsonObject> = {
  chat: { api: 'openai' },
  responses: { api: 'openai', responses: true },
  messages: { api: 'anthropic' },
};
const ALL_PROVIDERS: Record<string, JsonObject> = { ...PROVIDERS, gemini: { api: 'gemini' } };

/** A fixture of the API that was called, with other pieces in it. */
function tellingReply(pieces: string[], name = 'text'): Reply {
  return (response, request) => {
    const stream = isStream(request);
    const folder = folderOf(dialectOfRequest(request));
    let text = fixtureText(`${folder}/${name}.${stream ? 'sse' : 'response.json'}`);
    text = text.replaceAll(PIECES.join(''), pieces.join(''));
    for (const [index, piece] of PIECES.entries()) text = text.replaceAll(piece, pieces[index]!);
    const reply = stream
      ? streamReply(text.split(/(?<=\n\n)/))
      : bytesReply(text, { headers: { 'content-type': 'application/json' } });
    return reply(response, request);
  };
}

const entry = (phase: string, config: JsonObject = {}): JsonObject => ({
  plugin: 'pii_detection',
  phases: [phase],
  config: { entities: ['EMAIL_ADDRESS'], ...config },
  timeout_ms: 20_000,
  on_error: 'reject',
});
const mask = { reject_on_detection: false, mask: true };

const ALL_ROWS = OFFICIAL_CLIENTS.flatMap((client) =>
  Object.keys(ALL_PROVIDERS).flatMap((provider) =>
    (['plain', 'streamed'] as const).map((form) => ({ client, from: client.dialect, provider, form })),
  ),
);
const ROWS = ALL_ROWS.filter(({ provider }) => provider !== 'gemini');
/** A placeholder that a stream cuts twice, and an address that the model has of its own. */
const OWN = 'bo@example.net';
const PLACEHOLDER = ['Write to <EMAIL_ADDR', 'ESS', `_1> or ${OWN} today. 🌍`];

describe.skipIf(missingPrograms !== null)('personal data, by API, form and what the model speaks', () => {
  let gateway: Gateway;

  beforeAll(async () => {
    gateway = await borrowGateway({
      providers: (base_url) =>
        Object.fromEntries(
          Object.entries(ALL_PROVIDERS).map(([name, provider]) => [name, { ...provider, base_url }]),
        ),
      endpoints: Object.keys(ALL_PROVIDERS).flatMap((provider) => {
        const models = [{ provider, model: 'large' }];
        const undone = { ...mask, mask: 'reversible' };
        return [
          { name: `${provider}-asks`, models, plugins: [entry('request', undone)] },
          {
            name: `${provider}-undoes`,
            models,
            plugins: [entry('request', undone), entry('response', undone)],
          },
          {
            name: `${provider}-undoes-held`,
            models,
            plugins: [
              entry('request', undone),
              entry('response', { ...undone, deny_list: ['/blue.*bird/'] }),
            ],
          },
          { name: `${provider}-rejects`, models, plugins: [entry('request'), entry('response')] },
          { name: `${provider}-masks`, models, plugins: [entry('request', mask), entry('response', mask)] },
          // A pattern that may span anything lets no part of an answer go before the whole is known.
          {
            name: `${provider}-holds`,
            models,
            plugins: [entry('response', { ...mask, deny_list: ['/blue.*bird/'] })],
          },
        ];
      }),
    });
    gateway.provider.always(tellingReply(TELLING));
  });
  afterAll(() => gateway?.stop());
  beforeEach(() => gateway.provider.reset());

  async function ask(client: OfficialClient, form: string, endpoint: string, question: string) {
    const { fetch, answers } = recordingFetch();
    const text = fixtureText(`${folderOf(client.dialect)}/text.request.json`).replace('Whose?', question);
    const body = { ...(JSON.parse(text) as JsonObject), model: endpoint };
    const call = form === 'plain' ? client.create : client.stream;
    const [read, thrown] = await call(gateway, body, { fetch }).then(
      (answer) => [answer, undefined],
      (error: unknown) => [undefined, error],
    );
    const { status, headers, id, textSoFar } = answers[0]!;
    return { read, thrown, status, headers, id, text: await textSoFar, log: await gateway.log(id) };
  }

  function expectRejection(client: OfficialClient, body: JsonObject, id: string): void {
    if (client.dialect === 'anthropic.messages') {
      const message = expect.stringMatching(/^pii_detected: /);
      expect(body).toMatchObject({ type: 'error', error: { message }, request_id: id });
    } else {
      const code = 'pii_detected';
      const error =
        client.dialect === 'gemini.generate'
          ? { code: 400, details: expect.arrayContaining([expect.objectContaining({ reason: code })]) }
          : { code, type: expect.any(String) };
      expect(body).toMatchObject({ error });
    }
  }

  it.each(ROWS)('$from, $form, $provider: in a request is rejected', async (row) => {
    const { client, form, provider } = row;
    const { thrown, text, id, log } = await ask(client, form, `${provider}-rejects`, `I am ${ADDRESS}`);
    expect(thrown).toBeInstanceOf(client.errors[400]!);
    expectRejection(client, JSON.parse(text), id);
    expect(gateway.provider.requests).toEqual([]);
    expect(log).toMatchObject({ status: 'rejected', http_status: 400, api: client.dialect, attempts: [] });
    expect(JSON.stringify(log.request)).toContain('I am <EMAIL_ADDRESS>');
    expect(JSON.stringify(log)).not.toContain(ADDRESS);
  });

  it.each(ROWS)('$from, $form, $provider: is masked on both ways', async (row) => {
    const { client, form, provider } = row;
    const { read, text, log } = await ask(client, form, `${provider}-masks`, `I am ${ADDRESS}`);
    expect((await gateway.provider.received()).text).toContain('I am <EMAIL_ADDRESS>');
    expect((await gateway.provider.received()).text).not.toContain(ADDRESS);
    expect(client.said(read)).toEqual({ text: MASKED, calls: [] });
    expect(text).not.toMatch(/kate|miller|ler@/);
    expect(log).toMatchObject({
      status: 'success',
      plugin_runs: [{ outcome: 'modified' }, { outcome: 'modified' }],
      usage: { input_tokens: 19, output_tokens: 10 },
    });
    expect(JSON.stringify(log)).not.toMatch(/kate|miller|ler@/);
  });

  it.each(
    ALL_ROWS.flatMap((row) => ['asks', 'undoes', 'undoes-held'].map((endpoint) => ({ ...row, endpoint }))),
  )('$from, $form, $provider: is put back for the client ($endpoint)', async (row) => {
    const { client, form, provider, endpoint } = row;
    gateway.provider.enqueue(tellingReply(PLACEHOLDER));
    const { read, log } = await ask(client, form, `${provider}-${endpoint}`, `I am ${ADDRESS}`);
    expect((await gateway.provider.received()).text).toContain('I am <EMAIL_ADDRESS_1>');
    expect((await gateway.provider.received()).text).not.toContain(ADDRESS);
    expect(client.said(read)).toEqual({ text: `Write to ${ADDRESS} or ${OWN} today. 🌍`, calls: [] });
    const own = endpoint === 'asks' ? OWN : '<EMAIL_ADDRESS_A1>';
    expect(JSON.stringify(log.request)).toContain('I am <EMAIL_ADDRESS_1>');
    expect(JSON.stringify(log.response)).toContain(`Write to <EMAIL_ADDRESS_1> or ${own} today.`);
    expect(JSON.stringify(log)).not.toContain(ADDRESS);
  });

  it.each(ROWS)('$from, $form, $provider: is masked in an answer that is held', async (row) => {
    const { client, form, provider } = row;
    const { read, text, log } = await ask(client, form, `${provider}-holds`, 'Whose?');
    expect(client.said(read)).toEqual({ text: MASKED, calls: [] });
    expect(text).not.toMatch(/kate|miller|ler@/);
    expect(JSON.stringify(log)).not.toMatch(/kate|miller|ler@/);
  });

  it.each(ROWS)('$from, $form, $provider: in an answer is rejected', async (row) => {
    const { client, form, provider } = row;
    const { thrown, text, id, log } = await ask(client, form, `${provider}-rejects`, 'Whose?');
    expect(thrown).toBeInstanceOf(client.errors[400]!);
    expectRejection(client, JSON.parse(text), id);
    expect(log).toMatchObject({ status: 'rejected', http_status: 400, attempts: [{ status: 'success' }] });
    expect(JSON.stringify(log)).not.toContain(ADDRESS);
  });

  it.each(
    ROWS.filter(({ form }) => form === 'streamed').flatMap((row) => [
      { ...row, name: 'cut', message: 'The model broke off its answer.' },
      { ...row, name: 'error', message: expect.stringMatching(/^(The server had an error|Overloaded)/) },
    ]),
  )('$from, $provider: is masked in a stream that is held and fails ($name)', async (row) => {
    const { client, provider, name, message } = row;
    const pieces = [`Write to ${ADDRESS}`, '', ''];
    gateway.provider.enqueue(tellingReply(pieces, name));
    const { thrown, text, log } = await ask(client, 'streamed', `${provider}-holds`, 'Whose?');
    expect(thrown).toBeInstanceOf(Error);
    expect(text).toContain('Write to <EMAIL_ADDRESS>');
    expect(text).not.toMatch(/kate|miller|"finish_reason":"stop"|message_stop|response.completed|\[DONE\]/);
    expect(JSON.parse(text.trim().split('data: ').at(-1)!)).toHaveProperty(
      client.dialect === 'openai.responses' ? 'message' : 'error.message',
    );
    expect(log).toMatchObject({ status: 'error', error: { code: 'upstream_unavailable', message } });
  });

  it.each(ROWS.filter(({ form }) => form === 'streamed'))(
    '$from, $provider: ends a stream of which something went out',
    async ({ client, provider }) => {
      gateway.provider.enqueue(tellingReply([HARMLESS, HARMLESS, `Write to ${ADDRESS}.`]));
      const { thrown, status, text, id, log } = await ask(
        client,
        'streamed',
        `${provider}-rejects`,
        'Whose?',
      );
      expect(status).toBe(200);
      expect(thrown).toBeInstanceOf(Error);
      expect(text).toContain('The weather is fine');
      expect(text).not.toMatch(/kate|miller|ler@/);
      const [event, data] = text.trim().split('\n').slice(-2);
      if (!['openai.chat', 'gemini.generate'].includes(client.dialect)) expect(event).toBe('event: error');
      expectRejection(client, JSON.parse(data!.replace(/^data: /, '')), id);
      expect(log).toMatchObject({ status: 'rejected', http_status: 200 });
      expect(JSON.stringify(log)).not.toMatch(/kate|miller|ler@/);
    },
  );
});
