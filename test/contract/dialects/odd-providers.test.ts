import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ConversationId } from '../../../src/core/dialect-ids.js';
import type { JsonObject, JsonValue } from '../../../src/core/json.js';
import { dialectOfRequest } from '../../support/dialect-provider.js';
import { type Answer, borrowGateway, type Gateway, PROJECT } from '../../support/gateway.js';
import { bytesReply, jsonReply, type Reply, streamReply } from '../../support/replies.js';
import { missingPrograms } from '../../support/start-sluice.js';
import { complaints } from '../../support/strict-providers.js';

/*
 * Requests as agents and other clients send them, to providers as strict as they are, and answers in the shapes that
 * servers really send.
 */

const PATHS: Record<ConversationId, string> = {
  'openai.chat': 'openai/v1/chat/completions',
  'openai.responses': 'openai/v1/responses',
  'anthropic.messages': 'anthropic/v1/messages',
  'gemini.generate': 'gemini/v1beta/models',
};
const PROVIDERS = {
  chat: { api: 'openai' },
  mistral: { api: 'openai', compatible: 'mistral' },
  deepseek: { api: 'openai', compatible: 'deepseek' },
  openrouter: { api: 'openai', compatible: 'openrouter' },
  claude: { api: 'anthropic' },
  gemini: { api: 'gemini' },
} as const;
type ProviderName = keyof typeof PROVIDERS;

const SAID: Record<string, JsonObject> = {
  'openai.chat': {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1,
    model: 'm',
    choices: [{ index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }],
  },
  'anthropic.messages': {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'm',
    content: [{ type: 'text', text: 'Hi' }],
    stop_reason: 'end_turn',
    usage: { input_tokens: 1, output_tokens: 1 },
  },
  'gemini.generate': {
    candidates: [{ content: { role: 'model', parts: [{ text: 'Hi' }] }, finishReason: 'STOP' }],
    responseId: 'r1',
  },
};

/** Says hello in the API that was called. */
const hello: Reply = (response, request) => jsonReply(SAID[dialectOfRequest(request)])(response, request);

/** A stream of Chat Completions. */
function chunks(...values: (JsonValue | string)[]): Reply {
  return streamReply(
    values.map((value) =>
      typeof value === 'string' ? `${value}\n\n` : `data: ${JSON.stringify(value)}\n\n`,
    ),
  );
}

function chunk(delta: JsonObject, finish: string | null = null, more: JsonObject = {}): JsonObject {
  return {
    id: 'c',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'm',
    choices: [{ index: 0, delta, finish_reason: finish }],
    ...more,
  };
}

describe.skipIf(missingPrograms !== null)('a provider as it is', () => {
  let gateway: Gateway;

  beforeAll(async () => {
    gateway = await borrowGateway({
      providers: (url) =>
        Object.fromEntries(
          Object.entries(PROVIDERS).map(([name, provider]) => [
            name,
            { ...provider, base_url: url, api_key_env: 'FAKE_KEY' },
          ]),
        ),
      endpoints: [
        ...Object.keys(PROVIDERS).map((provider) => ({
          name: provider,
          models: [{ provider, model: `${provider}-odd`, structured_output: true }],
        })),
        {
          name: 'two',
          models: ['odd-one', 'odd-two'].map((model) => ({ provider: 'chat', model })),
          timeout_ms: 20_000,
        },
        {
          name: 'two-gemini',
          models: ['odd-three', 'odd-four'].map((model) => ({ provider: 'gemini', model })),
        },
        { name: 'patient', models: [{ provider: 'chat', model: 'patient' }], stream_idle_timeout_ms: 1_500 },
        {
          name: 'masked',
          models: [{ provider: 'claude', model: 'masked' }],
          plugins: [{ plugin: 'pii_detection', config: { mask: true, reject_on_detection: false } }],
        },
      ],
    });
  });
  afterAll(() => gateway?.stop());
  beforeEach(() => {
    gateway.provider.reset();
    gateway.provider.always(hello);
  });

  function ask(
    client: ConversationId,
    endpoint: string,
    body: JsonObject,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    const isGemini = client === 'gemini.generate';
    const path = isGemini ? `${PATHS[client]}/${endpoint}:generateContent` : PATHS[client];
    const sent = isGemini
      ? body
      : { model: endpoint, ...(client === 'anthropic.messages' ? { max_tokens: 100 } : {}), ...body };
    return gateway.call('POST', `/${PROJECT}/${path}`, { body: sent, headers });
  }

  /** The body that the provider got, which it would take. */
  function taken(provider: ProviderName, index = 0): JsonObject {
    const request = gateway.provider.requests[index]!;
    const body = request.json() as JsonObject;
    const server =
      provider === 'claude' || provider === 'gemini' || provider === 'chat' ? 'openai' : provider;
    expect(
      complaints({ dialect: dialectOfRequest(request), body, server, model: `${provider}-odd` }),
    ).toEqual([]);
    return body;
  }

  describe('takes what agents send', () => {
    const codex: JsonObject = {
      input: 'hi',
      store: false,
      tools: [
        {
          type: 'function',
          name: 'exec_command',
          strict: false,
          parameters: { type: 'object', properties: { cmd: { type: 'string' } } },
        },
        {
          type: 'namespace',
          name: 'multi_agent_v1',
          description: 'x',
          tools: [{ type: 'function', name: 'close_agent', parameters: { type: 'object' } }],
        },
        { type: 'web_search', external_web_access: true },
      ],
    };

    it.each<ProviderName>(['chat', 'mistral', 'claude', 'gemini'])(
      "Codex's tools, to %s",
      async (provider) => {
        const answer = await ask('openai.responses', provider, codex);
        expect(answer.status, answer.text).toBe(200);
        const sent = JSON.stringify(taken(provider).tools);
        expect(sent).toContain('multi_agent_v1__close_agent');
        expect(sent).not.toContain('web_search');
        expect(answer.headers.get('x-sluice-left-out')).toBe('tools[2] web_search');
        expect(await gateway.log(answer.id)).toMatchObject({
          status: 'success',
          warnings: ['tools[2] (web_search) was left out: only its own API can run it.'],
        });
      },
    );

    it("a call of a namespace's function goes back to where it belongs, plain and in a stream", async () => {
      const call = {
        id: 'call_1',
        type: 'function',
        function: { name: 'multi_agent_v1__close_agent', arguments: '{"id":1}' },
      };
      const message = { role: 'assistant', content: null, tool_calls: [call] };
      gateway.provider.enqueue(
        jsonReply({ ...SAID['openai.chat'], choices: [{ index: 0, message, finish_reason: 'tool_calls' }] }),
      );
      const item = {
        type: 'function_call',
        namespace: 'multi_agent_v1',
        name: 'close_agent',
        arguments: '{"id":1}',
        call_id: 'call_1',
      };
      expect((await ask('openai.responses', 'chat', codex)).json.output).toMatchObject([item]);
      gateway.provider.enqueue(
        chunks(chunk({ tool_calls: [{ index: 0, ...call }] }), chunk({}, 'tool_calls'), 'data: [DONE]'),
      );
      const { text } = await ask('openai.responses', 'chat', { ...codex, stream: true });
      const done = text.split('\n\n').find((frame) => frame.startsWith('event: response.output_item.done'))!;
      expect(JSON.parse(done.split('\ndata: ')[1]!).item).toMatchObject(item);
    });

    it.each<ProviderName>(['chat', 'mistral', 'deepseek', 'openrouter', 'gemini'])(
      "Claude Code's user, long names of tools and marks for a cache, to %s",
      async (provider) => {
        const name = 'mcp__ymir-privileged__get_failed_pipeline_jobs_from_merge_request_xxxxxxxxxxxxxxx';
        const user_id = JSON.stringify({
          device_id: 'd'.repeat(64),
          account_uuid: '',
          session_id: 's'.repeat(36),
        });
        const cache_control = { type: 'ephemeral' };
        const answer = await ask('anthropic.messages', provider, {
          system: [{ type: 'text', text: 'Be brief.', cache_control }],
          messages: [
            { role: 'user', content: [{ type: 'text', text: 'hi', cache_control }] },
            {
              role: 'assistant',
              content: [
                ...(provider === 'chat' ? [] : [{ type: 'thinking', thinking: 'Run it.', signature: '' }]),
                { type: 'tool_use', id: 'toolu_1', name, input: {} },
              ],
            },
            { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'r' }] },
          ],
          metadata: { user_id },
          tools: [
            { name, input_schema: { type: 'object' } },
            { type: 'web_search_20250305', name: 'web_search' },
          ],
        });
        expect(answer.status, answer.text).toBe(200);
        const sent = JSON.stringify(taken(provider));
        expect(sent).not.toContain('session_id');
        expect(sent.includes('cache_control')).toBe(provider === 'openrouter');
      },
    );

    it('a short name of a tool goes back as the client named it', async () => {
      const name = 'mcp.server:tool';
      gateway.provider.enqueue((response, request) => {
        const [tool] = (request.json() as { tools: { function: { name: string } }[] }).tools;
        const call = {
          id: 'call_1',
          type: 'function',
          function: { name: tool!.function.name, arguments: '{}' },
        };
        const message = { role: 'assistant', content: null, tool_calls: [call] };
        return jsonReply({
          ...SAID['openai.chat'],
          choices: [{ index: 0, message, finish_reason: 'tool_calls' }],
        })(response, request);
      });
      const answer = await ask('gemini.generate', 'chat', {
        contents: [{ role: 'user', parts: [{ text: 'x' }] }],
        tools: [{ functionDeclarations: [{ name, parametersJsonSchema: { type: 'object' } }] }],
      });
      expect((taken('chat').tools as JsonObject[])[0]).toMatchObject({
        function: { name: 'mcp_server_tool' },
      });
      expect(answer.json.candidates[0].content.parts).toMatchObject([{ functionCall: { name } }]);
    });

    it.each<[ConversationId, ProviderName, JsonObject]>([
      [
        'anthropic.messages',
        'deepseek',
        {
          messages: [
            { role: 'user', content: 'u' },
            {
              role: 'assistant',
              content: [
                { type: 'thinking', thinking: 'I should run it.', signature: '' },
                { type: 'tool_use', id: 'call_1', name: 'f', input: {} },
              ],
            },
            { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'call_1', content: 'r' }] },
          ],
        },
      ],
      [
        'openai.responses',
        'deepseek',
        {
          input: [
            { role: 'user', content: 'u' },
            {
              type: 'reasoning',
              summary: [{ type: 'summary_text', text: 'I should run it.' }],
              encrypted_content: null,
            },
            { type: 'function_call', call_id: 'call_1', name: 'f', arguments: '{}' },
            { type: 'function_call_output', call_id: 'call_1', output: 'r' },
          ],
        },
      ],
      [
        'gemini.generate',
        'deepseek',
        {
          contents: [
            { role: 'user', parts: [{ text: 'u' }] },
            {
              role: 'model',
              parts: [
                { text: 'I should run it.', thought: true },
                { functionCall: { id: 'call_1', name: 'f', args: {} } },
              ],
            },
            {
              role: 'user',
              parts: [{ functionResponse: { id: 'call_1', name: 'f', response: { output: 'r' } } }],
            },
          ],
        },
      ],
    ])('reasoning goes back from %s to %s', async (client, provider, body) => {
      const answer = await ask(client, provider, body);
      expect(answer.status, answer.text).toBe(200);
      const turns = taken(provider).messages as JsonObject[];
      expect(turns.find(({ role }) => role === 'assistant')).toMatchObject({
        reasoning_content: 'I should run it.',
      });
    });

    it.each<ConversationId>(['openai.chat', 'openai.responses', 'anthropic.messages'])(
      "calls of a Gemini 3 model go back with a proof, though %s's clients keep none",
      async (client) => {
        const bodies: Record<string, JsonObject> = {
          'openai.chat': {
            messages: [
              { role: 'user', content: 'hi' },
              {
                role: 'assistant',
                content: null,
                tool_calls: [
                  { id: 'call-r1-0', type: 'function', function: { name: 'f', arguments: '{"a":1}' } },
                ],
              },
              { role: 'tool', tool_call_id: 'call-r1-0', content: 'r' },
            ],
          },
          'openai.responses': {
            input: [
              { role: 'user', content: 'hi' },
              { type: 'function_call', call_id: 'call-r1-0', name: 'f', arguments: '{"a":1}' },
              { type: 'function_call_output', call_id: 'call-r1-0', output: 'r' },
            ],
          },
          'anthropic.messages': {
            messages: [
              { role: 'user', content: 'hi' },
              {
                role: 'assistant',
                content: [{ type: 'tool_use', id: 'call-r1-0', name: 'f', input: { a: 1 } }],
              },
              { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'call-r1-0', content: 'r' }] },
            ],
          },
        };
        expect((await ask(client, 'gemini', bodies[client]!)).status).toBe(200);
        const [, turn] = taken('gemini').contents as { parts: JsonObject[] }[];
        expect(turn!.parts).toMatchObject([
          { functionCall: { name: 'f' }, thoughtSignature: 'skip_thought_signature_validator' },
        ]);
      },
    );

    it.each<ProviderName>(['claude', 'gemini', 'chat', 'mistral'])(
      'a system prompt alone, to %s',
      async (provider) => {
        expect(
          (await ask('openai.chat', provider, { messages: [{ role: 'system', content: 'do it' }] })).status,
        ).toBe(200);
        taken(provider);
      },
    );

    it('a schema of OpenAI, to Claude', async () => {
      const properties = {
        age: { type: 'integer', minimum: 0, maximum: 150 },
        name: { type: 'string', minLength: 1 },
        tags: { type: 'array', items: { type: 'string' }, minItems: 2, maxItems: 3 },
      };
      const schema = { type: 'object', properties, required: ['age'] };
      await ask('openai.chat', 'claude', {
        messages: [{ role: 'user', content: 'x' }],
        response_format: { type: 'json_schema', json_schema: { name: 'p', strict: true, schema } },
        temperature: 0.5,
        top_p: 0.5,
      });
      const sent = taken('claude').output_config as { format: { schema: { properties: JsonObject } } };
      expect(sent.format.schema.properties.age).toEqual({
        type: 'integer',
        description: 'Must hold: at least 0; at most 150.',
      });
    });

    it('the limit and the options of a stream, to Mistral, in its words', async () => {
      gateway.provider.always(chunks(chunk({ content: 'Hi' }), chunk({}, 'stop'), 'data: [DONE]'));
      await ask('anthropic.messages', 'mistral', {
        messages: [{ role: 'user', content: 'x' }],
        stream: true,
      });
      expect(taken('mistral')).toMatchObject({ max_tokens: 100 });
      const own = {
        stream: true,
        max_completion_tokens: 7,
        seed: 3,
        user: 'u',
        stream_options: { include_usage: true },
        messages: [{ role: 'developer', content: 'x' }],
      };
      await ask('openai.chat', 'mistral', own);
      expect(taken('mistral', 1)).toEqual({
        model: 'mistral-odd',
        stream: true,
        max_tokens: 7,
        random_seed: 3,
        messages: [{ role: 'system', content: 'x' }],
      });
    });

    it('a choice among some tools: the others are not sent', async () => {
      const tool = (name: string) => ({
        type: 'function',
        function: { name, parameters: { type: 'object' } },
      });
      await ask('openai.chat', 'claude', {
        messages: [{ role: 'user', content: 'x' }],
        tools: [tool('f'), tool('g')],
        tool_choice: {
          type: 'allowed_tools',
          allowed_tools: { mode: 'auto', tools: [{ type: 'function', function: { name: 'f' } }] },
        },
      });
      expect(taken('claude')).toMatchObject({ tools: [{ name: 'f' }], tool_choice: { type: 'auto' } });
    });

    it('marks for a cache, from Chat to Claude', async () => {
      const cache_control = { type: 'ephemeral' };
      await ask('openai.chat', 'claude', {
        messages: [
          { role: 'system', content: [{ type: 'text', text: 'BIG', cache_control }] },
          { role: 'user', content: 'x' },
        ],
      });
      expect(taken('claude').system).toEqual([{ type: 'text', text: 'BIG', cache_control }]);
    });

    it("a version of Anthropic's API from a client of another, which is not its own", async () => {
      await ask(
        'openai.chat',
        'claude',
        { messages: [{ role: 'user', content: 'x' }] },
        { 'anthropic-version': '2020-01-01' },
      );
      expect(gateway.provider.requests[0]!.headers['anthropic-version']).toBe('2023-06-01');
    });

    it('no mask within a number of JSON', async () => {
      for (const iat of [1764194497, 4111111111111111]) {
        await ask('openai.chat', 'masked', { messages: [{ role: 'user', content: `{"iat": ${iat}}` }] });
      }
      const sent = gateway.provider.requests.map(
        (request) => (request.json() as { messages: { content: string }[] }).messages[0]!.content,
      );
      expect(sent.map((text) => JSON.parse(text))).toEqual([{ iat: 1764194497 }, { iat: '<CREDIT_CARD>' }]);
    });
  });

  describe('errors in the form of an answer', () => {
    const error = { code: 502, message: 'Provider overloaded' };
    const errors: [string, JsonObject][] = [
      ['beside choices', chunk({ content: '' }, 'error', { error })],
      ['without choices', { error, choices: [] }],
      ['as the end of a choice', chunk({ content: '' }, 'error')],
      ['in a choice', { ...chunk({}), choices: [{ index: 0, delta: {}, finish_reason: 'error', error }] }],
    ];
    const clients: ConversationId[] = ['openai.chat', 'anthropic.messages', 'openai.responses'];
    const said: JsonObject = { messages: [{ role: 'user', content: 'x' }], stream: true };
    const bodyOf = (client: ConversationId): JsonObject =>
      client === 'openai.responses' ? { input: 'x', stream: true } : said;
    const cases = clients.flatMap((client) => errors.map(([name, event]) => [client, name, event] as const));

    it.each(cases)('%s: an error %s, first: the next model answers', async (client, _name, event) => {
      gateway.provider.enqueue(chunks(chunk({ role: 'assistant', content: '' }), event));
      gateway.provider.always(chunks(chunk({ content: 'Hi' }), chunk({}, 'stop'), 'data: [DONE]'));
      const answer = await ask(client, 'two', bodyOf(client));
      expect(answer.text).toContain('Hi');
      expect(answer.headers.get('x-sluice-attempts')).toBe('2');
      expect((await gateway.log(answer.id)).attempts).toMatchObject([
        { status: 'server_error' },
        { status: 'success' },
      ]);
    });

    it.each(cases)(
      '%s: an error %s, in the middle: an error event, and the log says so',
      async (client, _name, event) => {
        gateway.provider.always(chunks(chunk({ content: 'Hel' }), event, 'data: [DONE]'));
        const answer = await ask(client, 'chat', bodyOf(client));
        expect(answer.text).toContain('Hel');
        expect(answer.text).toMatch(/"error"/);
        expect(await gateway.log(answer.id)).toMatchObject({
          status: 'error',
          attempts: [{ status: 'server_error' }],
        });
      },
    );

    it.each(clients)('%s: an error in a whole answer', async (client) => {
      const bad = jsonReply({
        ...SAID['openai.chat'],
        error,
        choices: [{ index: 0, message: { role: 'assistant', content: '' }, finish_reason: 'error' }],
      });
      const body: JsonObject = { ...bodyOf(client), stream: false };
      gateway.provider.enqueue(bad);
      const next = await ask(client, 'two', body);
      expect([next.status, next.headers.get('x-sluice-attempts')]).toEqual([200, '2']);
      gateway.provider.enqueue(bad);
      const only = await ask(client, 'chat', body);
      expect(only.status).toBe(502);
      expect(only.text).toContain('Provider overloaded');
      expect(await gateway.log(only.id)).toMatchObject({
        status: 'error',
        attempts: [{ status: 'server_error' }],
      });
    });

    it.each<[string, Reply]>([
      ['its end alone', chunks('data: [DONE]')],
      ['the frame around an answer', chunks(chunk({ role: 'assistant', content: '' }), 'data: [DONE]')],
      ['comments alone', chunks(': OPENROUTER PROCESSING', ': OPENROUTER PROCESSING')],
      ['nothing', streamReply([])],
    ])('a stream that says %s is one', async (_name, reply) => {
      gateway.provider.enqueue(reply);
      gateway.provider.always(chunks(chunk({ content: 'Hi' }), chunk({}, 'stop'), 'data: [DONE]'));
      const next = await ask('anthropic.messages', 'two', said);
      expect([next.text.includes('Hi'), next.headers.get('x-sluice-attempts')]).toEqual([true, '2']);
      gateway.provider.always(reply);
      for (const client of clients) {
        const only = await ask(client, 'chat', bodyOf(client));
        expect(only.text).toContain('error');
        expect(await gateway.log(only.id)).toMatchObject({
          status: 'error',
          attempts: [{ status: 'server_error' }],
        });
      }
    });

    it.each(['MALFORMED_FUNCTION_CALL', 'UNEXPECTED_TOOL_CALL'])("Gemini's %s", async (finishReason) => {
      const bad = {
        candidates: [
          { content: { role: 'model', parts: [] }, finishReason, finishMessage: 'Malformed call' },
        ],
        responseId: 'r',
      };
      for (const stream of [false, true]) {
        const reply = stream ? streamReply([`data: ${JSON.stringify(bad)}\n\n`]) : jsonReply(bad);
        const good = stream ? streamReply([`data: ${JSON.stringify(SAID['gemini.generate'])}\n\n`]) : hello;
        const body: JsonObject = { ...said, stream };
        gateway.provider.enqueue(reply, good);
        const next = await ask('openai.chat', 'two-gemini', body);
        expect([next.text.includes('Hi'), next.headers.get('x-sluice-attempts')]).toEqual([true, '2']);
        gateway.provider.enqueue(reply);
        const only = await ask('anthropic.messages', 'gemini', body);
        expect(only.text).toContain('Malformed call');
        expect(await gateway.log(only.id)).toMatchObject({ status: 'error' });
      }
    });
  });

  it.each<[string, Reply, string]>([
    [
      'of vLLM',
      jsonReply(
        { object: 'error', message: 'maximum context length is 4096', type: 'BadRequestError', code: 400 },
        { status: 400 },
      ),
      'maximum context length is 4096',
    ],
    [
      'of FastAPI',
      jsonReply({ detail: [{ loc: ['body', 'x'], msg: 'bad', type: 'v' }] }, { status: 400 }),
      'body.x: bad',
    ],
    [
      'of Mistral',
      jsonReply(
        { object: 'error', message: { detail: [{ loc: ['body', 'y'], msg: 'Extra inputs' }] } },
        { status: 422 },
      ),
      'body.y: Extra inputs',
    ],
    [
      'in a list',
      jsonReply([{ error: { code: 400, message: 'API key not valid' } }], { status: 400 }),
      'API key not valid',
    ],
    [
      'in plain text',
      bytesReply('Too many tokens', { status: 413, headers: { 'content-type': 'text/plain' } }),
      'Too many tokens',
    ],
    [
      'on a page',
      bytesReply('<html><head><style>p{}</style></head><body><h1>403 Forbidden</h1></body></html>', {
        status: 403,
        headers: { 'content-type': 'text/html' },
      }),
      '403 Forbidden',
    ],
  ])('the words of an error %s reach a client of another API', async (_name, reply, words) => {
    gateway.provider.always(reply);
    for (const client of ['anthropic.messages', 'openai.responses', 'gemini.generate'] as const) {
      const body: JsonObject =
        client === 'openai.responses'
          ? { input: 'x' }
          : client === 'gemini.generate'
            ? { contents: [{ parts: [{ text: 'x' }] }] }
            : { messages: [{ role: 'user', content: 'x' }] };
      const answer = await ask(client, 'chat', body);
      expect(answer.status).toBeGreaterThanOrEqual(400);
      expect(answer.json.error.message).toContain(words);
      expect(answer.json.error.message).not.toContain('<');
    }
  });

  it('asks for a WebSocket in vain, and is told to go on by HTTP', async () => {
    const { status } = await upgrade(`${gateway.sluice.gatewayUrl}/${PROJECT}/openai/v1/responses`);
    expect(status).toBe(426);
  });
});

async function upgrade(url: string): Promise<{ status: number }> {
  const { request } = await import('node:http');
  return new Promise((resolve, reject) => {
    const headers = {
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
      authorization: 'Bearer sk-all',
    };
    request(url, { headers }, (response) => {
      response.resume();
      resolve({ status: response.statusCode ?? 0 });
    })
      .on('upgrade', () => resolve({ status: 101 }))
      .on('error', reject)
      .end();
  });
}
