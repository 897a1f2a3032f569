import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ConversationId } from '../../../src/core/dialect-ids.js';
import type { JsonObject } from '../../../src/core/json.js';
import { landedLog } from '../../support/chat.js';
import { CASE_HEADER, fixtureJson, folderOf, replyFromFixtures } from '../../support/dialect-provider.js';
import { borrowGateway, CREDENTIAL, type Gateway, KEYS, TEST_HEADERS } from '../../support/gateway.js';
import {
  OFFICIAL_CLIENTS,
  type OfficialClient,
  recordingFetch,
  type Said,
} from '../../support/official-clients.js';
import type { ReceivedRequest } from '../../support/received-request.js';
import { missingPrograms } from '../../support/start-sluice.js';
import { expectError, expectedRequest, expectPlain, expectStream, type SeenAnswer } from './expectations.js';

/*
 * Four APIs in, five kinds of provider out, plain and streamed. The clients are the makers' own SDKs.
 */

/** A kind of provider, and the API that a client's request reaches it in. */
interface Column {
  name: string;
  provider: JsonObject;
  speaks(client: ConversationId): ConversationId;
  path: Record<string, string>;
  /** Where a stream has another path. */
  streamPath?: string;
  /** Headers that the provider needs. */
  credential: Record<string, unknown>;
}

const PRICES = {
  large: { input_per_mtok: 2, output_per_mtok: 8, cached_input_per_mtok: 0.5 },
};
/** Of 19 tokens in, 8 of them cached, and 10 out, which all fixtures tell. */
const COST = (11 * 2 + 8 * 0.5 + 10 * 8) / 1_000_000;

const COLUMNS: Column[] = [
  {
    name: 'openai',
    provider: { api: 'openai' },
    speaks: () => 'openai.chat',
    path: { 'openai.chat': '/v1/chat/completions' },
    credential: { authorization: `Bearer ${CREDENTIAL}` },
  },
  {
    name: 'openai_responses',
    provider: { api: 'openai', responses: true },
    speaks: (client) => (client === 'openai.responses' ? client : 'openai.chat'),
    path: { 'openai.chat': '/v1/chat/completions', 'openai.responses': '/v1/responses' },
    credential: { authorization: `Bearer ${CREDENTIAL}` },
  },
  {
    name: 'anthropic',
    provider: { api: 'anthropic' },
    speaks: () => 'anthropic.messages',
    path: { 'anthropic.messages': '/v1/messages' },
    credential: {
      'x-api-key': CREDENTIAL,
      'anthropic-version': expect.stringMatching(/^20\d\d-\d\d-\d\d$/),
    },
  },
  {
    name: 'azure_openai',
    provider: { api: 'azure_openai', api_version: '2024-10-21' },
    speaks: () => 'openai.chat',
    path: { 'openai.chat': '/openai/deployments/large/chat/completions?api-version=2024-10-21' },
    credential: { 'api-key': CREDENTIAL },
  },
  {
    name: 'gemini',
    provider: { api: 'gemini' },
    speaks: () => 'gemini.generate',
    path: { 'gemini.generate': '/v1/models/large:generateContent' },
    streamPath: '/v1/models/large:streamGenerateContent?alt=sse',
    credential: { 'x-goog-api-key': CREDENTIAL },
  },
];

const TEXT: Said = { text: 'Because of Rayleigh scattering. 🌍', calls: [] };
/** Some models say something first. */
const CALLS: Partial<Said> = {
  calls: [{ name: 'weather', arguments: { city: 'Rome' } }, expect.anything()],
};
const OUTPUT: Said = { text: '{"city":"Rome","degrees":21.0}', calls: [] };
const REFUSAL: Said = { text: "I can't help with that.", calls: [] };

/** What the request asks for, what the provider answers, and what the client understands. */
const ANSWERED: [name: string, request: string, answer: string, said: Partial<Said>][] = [
  ['text', 'text', 'text', TEXT],
  ['a tool call', 'tool-call', 'tool-call', CALLS],
  ['the result of a tool', 'tool-result', 'text', TEXT],
  ['an image', 'image', 'text', TEXT],
  ['a document', 'document', 'text', TEXT],
  ['reasoning', 'text', 'reasoning', { text: 'Yes.', calls: [] }],
  ['structured output', 'structured-output', 'structured-output', OUTPUT],
  ['a refusal', 'text', 'refusal', REFUSAL],
];

/** Errors as the two makers tell them, and what kind of failure they are. */
const FAILING: [
  status: number,
  message: Record<string, string>,
  types: { openai: string; anthropic: string },
  reason: string,
][] = [
  [
    401,
    {
      openai: 'Incorrect API key provided.',
      anthropic: 'invalid x-api-key',
      gemini: 'API keys are not supported by this API.',
    },
    { openai: 'authentication_error', anthropic: 'authentication_error' },
    'client_error',
  ],
  [
    429,
    {
      openai: 'Rate limit reached for large in organization org-x.',
      anthropic: 'Number of request tokens has exceeded your per-minute rate limit',
      gemini: 'You exceeded your current quota.',
    },
    { openai: 'rate_limit_error', anthropic: 'rate_limit_error' },
    'rate_limited',
  ],
  [
    500,
    {
      openai: 'The server had an error while processing your request.',
      anthropic: 'Internal server error',
      gemini: 'An internal error has occurred.',
    },
    { openai: 'server_error', anthropic: 'api_error' },
    'server_error',
  ],
];

let gateway: Gateway;

beforeAll(async () => {
  if (missingPrograms !== null) return;
  gateway = await borrowGateway({
    providers: (url) =>
      Object.fromEntries(COLUMNS.map(({ name, provider }) => [name, providerEntry(provider, url)])),
    endpoints: COLUMNS.flatMap(({ name }): JsonObject[] => {
      const models = [{ provider: name, model: 'large', structured_output: true }];
      return [
        { name, models },
        { name: `${name}-validated`, models, json_validation: true },
      ];
    }),
  });
  gateway.provider.always(replyFromFixtures);
});

afterAll(() => gateway?.stop());

function providerEntry(provider: JsonObject, url: string): JsonObject {
  const base = provider.api === 'azure_openai' ? new URL(url).origin : url;
  return {
    ...provider,
    base_url: base,
    api_key_env: 'FAKE_KEY',
    prices: PRICES,
    forward_headers: TEST_HEADERS,
  };
}

interface Outcome extends SeenAnswer {
  /** What the SDK threw. */
  thrown: unknown;
  received: ReceivedRequest;
  status: number;
  headers: Headers;
  log: JsonObject;
}

/** One request through the SDK, with all that there is to see of it. */
async function run(
  client: OfficialClient,
  column: Column,
  stream: boolean,
  request: string,
  answer: string,
): Promise<Outcome> {
  const recorder = recordingFetch();
  const test = `${client.dialect} ${column.name} ${stream} ${request} ${answer}`;
  const endpoint = request === 'structured-output' ? `${column.name}-validated` : column.name;
  const body = { ...fixtureJson(`${folderOf(client.dialect)}/${request}.request.json`), model: endpoint };
  const options = { fetch: recorder.fetch, headers: { [CASE_HEADER]: answer, 'x-test': test } };
  const [read, thrown] = await client[stream ? 'stream' : 'create'](gateway, body, options).then(
    (value) => [value, undefined],
    (error: unknown) => [undefined, error],
  );
  const [wire, ...others] = recorder.answers;
  if (wire === undefined || others.length > 0) throw thrown ?? new Error('not one answer came');
  const { status, headers, id } = wire;
  const received = gateway.provider.requests.filter((one) => one.headers['x-test'] === test);
  expect(received, `what the provider received of a request that ended with ${status}`).toHaveLength(1);
  return {
    read,
    thrown,
    received: received[0]!,
    status,
    headers,
    id,
    text: await wire.textSoFar,
    log: (await landedLog(gateway.sluice, id)) as JsonObject,
  };
}

const forms = [
  ['plain', false],
  ['streamed', true],
] as const;

describe
  .skipIf(missingPrograms !== null)
  .concurrent.each(
    OFFICIAL_CLIENTS.flatMap((client) =>
      COLUMNS.map((column) => [client.dialect, column.name, client, column] as const),
    ),
  )('%s in, %s out', (_dialect, _name, client, column) => {
  const spoken = column.speaks(client.dialect);

  for (const [form, stream] of forms) {
    it.each(ANSWERED)(`${form}: %s`, async (_case, request, answer, said) => {
      const outcome = await run(client, column, stream, request, answer);

      const { received } = outcome;
      expect(received.path).toBe((stream && column.streamPath) || column.path[spoken]);
      expect(received.headers).toMatchObject(column.credential);
      expect(JSON.stringify(received.headers) + received.text).not.toContain(KEYS.inference);
      expect(received.json()).toEqual(expectedRequest(client.dialect, spoken, request, stream));

      expect(outcome.thrown).toBeUndefined();
      expect(client.said(outcome.read)).toMatchObject(said);
      expect(outcome.status).toBe(200);
      expect(outcome.headers.get('x-sluice-model')).toBe(`${column.name}/large`);
      const asked = fixtureJson(`${folderOf(client.dialect)}/${request}.request.json`);
      (stream ? expectStream : expectPlain)(client.dialect, spoken, answer, outcome, asked);

      const { log } = outcome;
      expect(log).toMatchObject({
        api: client.dialect,
        status: 'success',
        http_status: 200,
        stream,
        model: `${column.name}/large`,
        attempts: [{ provider: column.name, model: 'large', status: 'success', http_status: 200 }],
      });
      expect(client.said(log.response)).toMatchObject(said);
      expectUsage(log, spoken, stream, answer);
      expect(JSON.stringify(log)).not.toContain(CREDENTIAL);
    });

    it.each(FAILING)(`${form}: an error with status %i`, async (status, message, types, reason) => {
      const outcome = await run(client, column, stream, 'text', `error-${status}`);
      const type = types[client.dialect === 'anthropic.messages' ? 'anthropic' : 'openai'];
      const family = (dialect: ConversationId) => dialect.split('.')[0]!;

      expect(outcome.status).toBe(status);
      expect(outcome.thrown).toBeInstanceOf(client.errors[status]!);
      expect(String(outcome.thrown)).toContain(message[family(spoken)]);
      const body = JSON.parse(outcome.text) as JsonObject;
      if (client.dialect === spoken) {
        expect(body).toEqual(fixtureJson(`${folderOf(spoken)}/error-${status}.response.json`));
      } else if (client.dialect === 'anthropic.messages') {
        const error = { type, message: message[family(spoken)] };
        expect(body).toEqual({ type: 'error', error, request_id: outcome.id });
      } else if (client.dialect === 'gemini.generate') {
        expect(body).toMatchObject({ error: { message: message[family(spoken)], code: status } });
      } else {
        expect(body).toMatchObject({ error: { message: message[family(spoken)], param: null } });
        if (spoken === 'anthropic.messages') expect(body).toMatchObject({ error: { type, code: null } });
      }
      expect(outcome.log).toMatchObject({
        api: client.dialect,
        status: 'error',
        http_status: status,
        response: body,
        model: null,
        usage: null,
        cost: null,
        attempts: [
          { status: reason, http_status: status, error: { message: message[family(spoken)] }, usage: null },
        ],
      });
    });

    it(`${form}: an unreadable answer`, async () => {
      const outcome = await run(client, column, stream, 'text', 'unknown');
      const attempt = { provider: column.name, http_status: 200 };
      const failed = { ...attempt, status: 'server_error' };
      if (client.dialect === spoken) {
        expect([outcome.status, outcome.text]).toEqual([200, '{"unexpected":true}']);
        expect(outcome.log).toMatchObject({ status: 'error', http_status: 200, attempts: [failed] });
        return;
      }
      expect(outcome.status).toBe(502);
      expect(outcome.thrown).toBeInstanceOf(client.errors[502]!);
      expectError(client.dialect, JSON.parse(outcome.text), 'upstream_unavailable', outcome.id);
      expect(outcome.log).toMatchObject({ status: 'error', http_status: 502, attempts: [failed] });
    });

    it(`${form}: an answer that is cut off`, async () => {
      const outcome = await run(client, column, stream, 'text', 'cut');
      expect(outcome.log).toMatchObject({
        api: client.dialect,
        status: 'error',
        attempts: [{ status: 'server_error', error: { message: 'The model broke off its answer.' } }],
        error: { code: 'upstream_unavailable' },
      });
      expect(String(outcome.thrown)).toContain('The model broke off its answer.');
      const last = outcome.text
        .trim()
        .split('\n')
        .at(-1)!
        .replace(/^data: /, '');
      expectError(client.dialect, JSON.parse(last) as JsonObject, 'upstream_unavailable', outcome.id);
      expect(outcome.status).toBe(stream ? 200 : 502);
      if (stream) expect(outcome.text).toContain('Because');
      else expect(outcome.thrown).toBeInstanceOf(client.errors[502]!);
    });
  }
});

function expectUsage(log: JsonObject, spoken: ConversationId, stream: boolean, answer: string): void {
  // Only one of Chat's streams in the fixtures tells usage.
  if (stream && spoken === 'openai.chat' && answer !== 'text') {
    expect(log.usage).toMatchObject({ estimated: true });
    expect(log.cost).toBeGreaterThan(0);
    return;
  }
  expect(log.usage).toMatchObject({ input_tokens: 19, output_tokens: 10, cached_input_tokens: 8 });
  expect(log.cost).toBeCloseTo(COST, 12);
}
