import { describe, expect, it } from 'vitest';
import type { ConversationId } from '../../../src/core/dialect-ids.js';
import type { JsonObject } from '../../../src/core/json.js';
import { chunk, chunks, type ProviderName, SAID, useOddGateway } from '../../support/odd-providers.js';
import { jsonReply } from '../../support/replies.js';
import { missingPrograms } from '../../support/start-sluice.js';

/* Requests as agents and other clients send them, to providers as strict as the real ones. */

describe.skipIf(missingPrograms !== null)('a provider accepts unusual requests of clients', () => {
  const odd = useOddGateway([
    {
      name: 'masked',
      models: [{ provider: 'claude', model: 'masked' }],
      plugins: [{ plugin: 'pii_detection', config: { mask: true, reject_on_detection: false } }],
    },
  ]);

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

  it.each<ProviderName>(['chat', 'mistral', 'claude', 'gemini'])("Codex's tools, to %s", async (provider) => {
    const answer = await odd.ask('openai.responses', provider, codex);
    expect(answer.status, answer.text).toBe(200);
    const sent = JSON.stringify(odd.taken(provider).tools);
    expect(sent).toContain('multi_agent_v1__close_agent');
    expect(sent).not.toContain('web_search');
    expect(answer.headers.get('x-sluice-left-out')).toBe('tools[2] web_search');
    expect(await odd.gateway.log(answer.id)).toMatchObject({
      status: 'success',
      warnings: ['tools[2] (web_search) was left out: only its own API can run it.'],
    });
  });

  it('a call of a function in a namespace is returned under its own name, plain and in a stream', async () => {
    const call = {
      id: 'call_1',
      type: 'function',
      function: { name: 'multi_agent_v1__close_agent', arguments: '{"id":1}' },
    };
    const message = { role: 'assistant', content: null, tool_calls: [call] };
    odd.gateway.provider.enqueue(
      jsonReply({ ...SAID['openai.chat'], choices: [{ index: 0, message, finish_reason: 'tool_calls' }] }),
    );
    const item = {
      type: 'function_call',
      namespace: 'multi_agent_v1',
      name: 'close_agent',
      arguments: '{"id":1}',
      call_id: 'call_1',
    };
    expect((await odd.ask('openai.responses', 'chat', codex)).json.output).toMatchObject([item]);
    odd.gateway.provider.enqueue(
      chunks(chunk({ tool_calls: [{ index: 0, ...call }] }), chunk({}, 'tool_calls'), 'data: [DONE]'),
    );
    const { text } = await odd.ask('openai.responses', 'chat', { ...codex, stream: true });
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
      const answer = await odd.ask('anthropic.messages', provider, {
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
      const sent = JSON.stringify(odd.taken(provider));
      expect(sent).not.toContain('session_id');
      expect(sent.includes('cache_control')).toBe(provider === 'openrouter');
    },
  );

  it('a shortened tool name is returned as the client named it', async () => {
    const name = 'mcp.server:tool';
    odd.gateway.provider.enqueue((response, request) => {
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
    const answer = await odd.ask('gemini.generate', 'chat', {
      contents: [{ role: 'user', parts: [{ text: 'x' }] }],
      tools: [{ functionDeclarations: [{ name, parametersJsonSchema: { type: 'object' } }] }],
    });
    expect((odd.taken('chat').tools as JsonObject[])[0]).toMatchObject({
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
  ])('reasoning is sent back from %s to %s', async (client, provider, body) => {
    const answer = await odd.ask(client, provider, body);
    expect(answer.status, answer.text).toBe(200);
    const turns = odd.taken(provider).messages as JsonObject[];
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
      expect((await odd.ask(client, 'gemini', bodies[client]!)).status).toBe(200);
      const [, turn] = odd.taken('gemini').contents as { parts: JsonObject[] }[];
      expect(turn!.parts).toMatchObject([
        { functionCall: { name: 'f' }, thoughtSignature: 'skip_thought_signature_validator' },
      ]);
    },
  );

  it.each<ProviderName>(['claude', 'gemini', 'chat', 'mistral'])(
    'a system prompt alone, to %s',
    async (provider) => {
      expect(
        (await odd.ask('openai.chat', provider, { messages: [{ role: 'system', content: 'do it' }] })).status,
      ).toBe(200);
      odd.taken(provider);
    },
  );

  it('a schema of OpenAI, to Claude', async () => {
    const properties = {
      age: { type: 'integer', minimum: 0, maximum: 150 },
      name: { type: 'string', minLength: 1 },
      tags: { type: 'array', items: { type: 'string' }, minItems: 2, maxItems: 3 },
    };
    const schema = { type: 'object', properties, required: ['age'] };
    await odd.ask('openai.chat', 'claude', {
      messages: [{ role: 'user', content: 'x' }],
      response_format: { type: 'json_schema', json_schema: { name: 'p', strict: true, schema } },
      temperature: 0.5,
      top_p: 0.5,
    });
    const sent = odd.taken('claude').output_config as { format: { schema: { properties: JsonObject } } };
    expect(sent.format.schema.properties.age).toEqual({
      type: 'integer',
      description: 'Must hold: at least 0; at most 150.',
    });
  });

  it('the limit and the options of a stream, to Mistral, in its words', async () => {
    odd.gateway.provider.always(chunks(chunk({ content: 'Hi' }), chunk({}, 'stop'), 'data: [DONE]'));
    await odd.ask('anthropic.messages', 'mistral', {
      messages: [{ role: 'user', content: 'x' }],
      stream: true,
    });
    expect(odd.taken('mistral')).toMatchObject({ max_tokens: 100 });
    const own = {
      stream: true,
      max_completion_tokens: 7,
      seed: 3,
      user: 'u',
      stream_options: { include_usage: true },
      messages: [{ role: 'developer', content: 'x' }],
    };
    await odd.ask('openai.chat', 'mistral', own);
    expect(odd.taken('mistral', 1)).toEqual({
      model: 'mistral-odd',
      stream: true,
      max_tokens: 7,
      random_seed: 3,
      messages: [
        { role: 'system', content: 'x' },
        { role: 'user', content: 'Begin.' },
      ],
    });
  });

  it('a choice among some tools: only these are sent', async () => {
    const tool = (name: string) => ({
      type: 'function',
      function: { name, parameters: { type: 'object' } },
    });
    await odd.ask('openai.chat', 'claude', {
      messages: [{ role: 'user', content: 'x' }],
      tools: [tool('f'), tool('g')],
      tool_choice: {
        type: 'allowed_tools',
        allowed_tools: { mode: 'auto', tools: [{ type: 'function', function: { name: 'f' } }] },
      },
    });
    expect(odd.taken('claude')).toMatchObject({ tools: [{ name: 'f' }], tool_choice: { type: 'auto' } });
  });

  it('cache marks, from Chat to Claude', async () => {
    const cache_control = { type: 'ephemeral' };
    await odd.ask('openai.chat', 'claude', {
      messages: [
        { role: 'system', content: [{ type: 'text', text: 'BIG', cache_control }] },
        { role: 'user', content: 'x' },
      ],
    });
    expect(odd.taken('claude').system).toEqual([{ type: 'text', text: 'BIG', cache_control }]);
  });

  it("a version header for Anthropic's API from a client of another API is not sent on", async () => {
    await odd.ask(
      'openai.chat',
      'claude',
      { messages: [{ role: 'user', content: 'x' }] },
      { 'anthropic-version': '2020-01-01' },
    );
    expect(odd.gateway.provider.requests[0]!.headers['anthropic-version']).toBe('2023-06-01');
  });

  it('JSON in a text, where the mask of a number is put in quotes', async () => {
    for (const iat of [1764194497, 4111111111111111]) {
      await odd.ask('openai.chat', 'masked', { messages: [{ role: 'user', content: `{"iat": ${iat}}` }] });
    }
    const sent = odd.gateway.provider.requests.map(
      (request) => (request.json() as { messages: { content: string }[] }).messages[0]!.content,
    );
    expect(sent.map((text) => JSON.parse(text))).toEqual([{ iat: 1764194497 }, { iat: '<CREDIT_CARD>' }]);
  });
});
