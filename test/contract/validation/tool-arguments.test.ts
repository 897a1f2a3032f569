import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ErrorDetail } from '../../../src/core/errors.js';
import type { JsonObject } from '../../../src/core/json.js';
import { fixtureReply } from '../../support/dialect-provider.js';
import { borrowGateway, type Gateway, PROJECT } from '../../support/gateway.js';
import { OFFICIAL_CLIENTS, type OfficialClient, recordingFetch } from '../../support/official-clients.js';
import { missingPrograms } from '../../support/start-sluice.js';
import { callReply, type Offer, toolRequest } from '../../support/tool-replies.js';

/* Clients that read their output from the arguments of a tool, through the makers' own SDKs. */

const GOOD = callReply('person', '{"name":"Ann"}');
const BAD = callReply('person', '{"wrong":12345}');

const ROWS = OFFICIAL_CLIENTS.flatMap((client) =>
  (['plain', 'streamed'] as const).map((form) => ({ client, from: client.dialect, form })),
);

/** Two models: one of the client's own API, the other of another. */
const CHAIN: Record<string, [string, string]> = {
  'openai.chat': ['openai', 'anthropic'],
  'openai.responses': ['openai', 'anthropic'],
  'anthropic.messages': ['anthropic', 'openai'],
  'gemini.generate': ['gemini', 'anthropic'],
};

const CHECKS: Record<string, JsonObject | boolean> = {
  on: true,
  all: { tools: 'all' },
  none: { tools: 'none' },
  release: { on_invalid: 'release' },
  include: { include_invalid: true },
};

/** Google has shapes of its own for details. */
function detailsOf({ dialect }: OfficialClient, text: string): ErrorDetail[] {
  const { details } = JSON.parse(text).error;
  if (dialect !== 'gemini.generate') return details;
  const [info, { fieldViolations }] = details;
  return fieldViolations.map(({ field, description }: Record<string, string>) => ({
    path: field,
    message: description,
    output: info.metadata.output,
  }));
}

describe.skipIf(missingPrograms !== null)('arguments of a tool', () => {
  let gateway: Gateway;

  beforeAll(async () => {
    gateway = await borrowGateway({
      providers: (base_url) => ({
        openai: { api: 'openai', base_url, responses: true, api_key_env: 'FAKE_KEY' },
        anthropic: { api: 'anthropic', base_url, api_key_env: 'FAKE_KEY' },
        gemini: { api: 'gemini', base_url, api_key_env: 'FAKE_KEY' },
      }),
      endpoints: [{ name: 'foreign', models: [{ provider: 'anthropic', model: 'm' }] } as JsonObject].concat(
        Object.entries(CHECKS).flatMap(([checks, json_validation]) =>
          Object.entries(CHAIN).map(([dialect, providers]) => ({
            name: `${checks}-${dialect}`,
            json_validation,
            explain_invalid: true,
            models: providers.map((provider) => ({ provider, model: `${provider}-${checks}` })),
          })),
        ),
      ),
    });
  });
  afterAll(() => gateway?.stop());
  beforeEach(() => gateway.provider.reset());

  async function ask(
    client: OfficialClient,
    form: 'plain' | 'streamed',
    checks: string,
    offer: Offer,
    changes: JsonObject = {},
  ) {
    const { fetch, answers } = recordingFetch();
    const endpoint = `${checks}-${client.dialect}`;
    const body = { ...toolRequest(client.dialect, endpoint, offer), ...changes };
    const call = form === 'plain' ? client.create : client.stream;
    const [read, thrown] = await call(gateway, body, { fetch }).then(
      (answer) => [answer, undefined],
      (error: unknown) => [undefined, error as Error],
    );
    const wire = answers[0]!;
    const text = await wire.text;
    const calls = thrown === undefined ? client.said(read).calls : [];
    return { thrown, calls, text, status: wire.status, headers: wire.headers, id: wire.id };
  }

  it.each([
    ['openai/v1/chat/completions', 'openai.chat', 'messages', 'messages[1].tool_calls[0].function.arguments'],
    ['openai/v1/responses', 'openai.responses', 'input', 'input[1].arguments'],
  ])(
    'of %s that are nested too deep for the API of the model are refused with their place',
    async (path, dialect, turns, place) => {
      const deep = '{"a":'.repeat(1_001) + 1 + '}'.repeat(1_001);
      const call = { type: 'function', id: 'c', function: { name: 'f', arguments: deep } };
      const said: JsonObject[] =
        dialect === 'openai.chat'
          ? [
              { role: 'assistant', content: null, tool_calls: [call] },
              { role: 'tool', tool_call_id: 'c', content: 'x' },
            ]
          : [
              { type: 'function_call', call_id: 'c', name: 'f', arguments: deep },
              { type: 'function_call_output', call_id: 'c', output: 'x' },
            ];
      const body = { model: 'foreign', [turns]: [{ role: 'user', content: 'Hi' }, ...said] };
      const { status, json, id } = await gateway.call('POST', `/${PROJECT}/${path}`, { body });
      expect([status, json.error.code, json.error.param]).toEqual([400, 'invalid_request', place]);
      expect(json.error.message).toBe(`'${place}' nests more than 1000 levels deep.`);
      expect(gateway.provider.requests).toEqual([]);
      expect(await gateway.log(id)).toMatchObject({ status: 'error', http_status: 400 });
    },
  );

  it.each(ROWS)(
    '$from, $form: of a required call that are invalid lead to the answer of the next model',
    async (row) => {
      gateway.provider.enqueue(BAD, GOOD);
      const answer = await ask(row.client, row.form, 'on', 'forced');
      expect(answer.calls).toEqual([{ name: 'person', arguments: { name: 'Ann' } }]);
      expect(answer.text).not.toContain('12345');
      expect(answer.headers.get('x-sluice-attempts')).toBe('2');
      expect(await gateway.log(answer.id)).toMatchObject({
        status: 'success',
        attempts: [
          {
            status: 'invalid_output',
            error: { path: '', message: expect.stringContaining('in the arguments of "person"') },
          },
          { status: 'success' },
        ],
      });
      const second = gateway.provider.requests[1]!.body.toString('utf8');
      expect(second).toContain('12345');
      expect(second).toContain('Your last answer was not valid');
      // The call is told as a call, and what was wrong with it as its result.
      expect(second).toMatch(/"(tool_calls|tool_use|function_call|functionCall)"/);
      expect(second).toMatch(/"(tool_call_id|tool_use_id|call_id|functionResponse)"/);
    },
  );

  it.each(ROWS)(
    '$from, $form: of a strict tool that are invalid are an error where no model is left',
    async (row) => {
      gateway.provider.enqueue(BAD, BAD);
      const answer = await ask(row.client, row.form, 'on', 'strict');
      expect(answer.thrown).toBeInstanceOf(row.client.errors[422]);
      expect(detailsOf(row.client, answer.text)).toEqual([
        { path: '', message: expect.stringContaining('in the arguments of "person"') },
      ]);
      expect(answer.text).not.toContain('12345');
      expect(await gateway.log(answer.id)).toMatchObject({ status: 'invalid_output', http_status: 422 });
    },
  );

  it.each(ROWS)(
    '$from, $form: that are invalid are sent, and marked as invalid, with `release`',
    async (row) => {
      gateway.provider.enqueue(BAD, BAD);
      const answer = await ask(row.client, row.form, 'release', 'forced');
      expect(answer.status).toBe(200);
      expect(answer.headers.get('x-sluice-valid')).toBe('false');
      expect(answer.calls).toEqual([{ name: 'person', arguments: { wrong: 12345 } }]);
      const log = await gateway.log(answer.id);
      expect(log).toMatchObject({
        status: 'invalid_output',
        http_status: 200,
        model: expect.stringContaining('-release'),
        error: { code: 'output_validation_failed' },
        attempts: [{ status: 'invalid_output' }, { status: 'invalid_output' }],
      });
      expect(JSON.stringify(log.response)).toContain('12345');
    },
  );

  it.each(ROWS)('$from, $form: that are valid have no such mark with `release`', async (row) => {
    gateway.provider.enqueue(GOOD);
    const answer = await ask(row.client, row.form, 'release', 'forced');
    expect([answer.status, answer.headers.get('x-sluice-valid')]).toEqual([200, null]);
  });

  it.each(ROWS)('$from, $form: are part of the error with `include_invalid`', async (row) => {
    gateway.provider.enqueue(BAD, BAD);
    const answer = await ask(row.client, row.form, 'include', 'forced');
    const [detail] = detailsOf(row.client, answer.text);
    expect(JSON.parse(detail!.output!)).toEqual({ wrong: 12345 });
  });

  it.each([
    ['on', 'free', 200],
    ['none', 'forced', 200],
    ['none', 'strict', 200],
    ['all', 'free', 422],
  ] as const)('are validated or not: json_validation %s, tool %s', async (checks, offer, status) => {
    for (const client of OFFICIAL_CLIENTS) {
      gateway.provider.enqueue(BAD, BAD);
      expect((await ask(client, 'plain', checks, offer)).status).toBe(status);
      gateway.provider.reset();
    }
  });

  it.each(ROWS)('$from, $form: that are missing for a required call are invalid', async (row) => {
    gateway.provider.enqueue(fixtureReply('text'), GOOD);
    const answer = await ask(row.client, row.form, 'on', 'forced');
    expect(answer.calls).toEqual([{ name: 'person', arguments: { name: 'Ann' } }]);
  });

  it('whose schema is invalid are refused, with the name of the tool', async () => {
    const bad = { name: 'person', parameters: { type: 'integr' } };
    const changes = { tools: [{ type: 'function', function: bad }] };
    const answer = await ask(OFFICIAL_CLIENTS[0]!, 'plain', 'on', 'forced', changes);
    expect(JSON.parse(answer.text).error).toMatchObject({
      code: 'invalid_json_schema',
      param: 'tools',
      message: expect.stringContaining('"person"'),
    });
    expect(gateway.provider.requests).toEqual([]);
  });

  it('do not matter to JSON mode, where the text must be a JSON object', async () => {
    const [chat, responses] = OFFICIAL_CLIENTS;
    const modes: [OfficialClient, JsonObject][] = [
      [chat!, { response_format: { type: 'json_object' } }],
      [responses!, { text: { format: { type: 'json_object' } } }],
    ];
    for (const [client, mode] of modes) {
      gateway.provider.enqueue(fixtureReply('text'), fixtureReply('structured-output'));
      const answer = await ask(client, 'plain', 'on', 'free', mode);
      expect(answer.headers.get('x-sluice-attempts')).toBe('2');
    }
  });
});
