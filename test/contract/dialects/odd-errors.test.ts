import { describe, expect, it } from 'vitest';
import type { ConversationId } from '../../../src/core/dialect-ids.js';
import type { JsonObject } from '../../../src/core/json.js';
import { PROJECT } from '../../support/gateway.js';
import { chunk, chunks, hello, SAID, useOddGateway } from '../../support/odd-providers.js';
import { bytesReply, jsonReply, type Reply, streamReply } from '../../support/replies.js';
import { missingPrograms } from '../../support/start-sluice.js';

/* Errors in the shapes in which servers really send them. */

describe.skipIf(missingPrograms !== null)('a provider that fails', () => {
  const odd = useOddGateway([
    {
      name: 'two',
      models: ['odd-one', 'odd-two'].map((model) => ({ provider: 'chat', model })),
      timeout_ms: 20_000,
    },
    ...(['gemini', 'claude', 'responses'] as const).map((provider) => ({
      name: `two-${provider}`,
      models: ['odd-three', 'odd-four'].map((model) => ({ provider, model })),
    })),
  ]);

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
      odd.gateway.provider.enqueue(chunks(chunk({ role: 'assistant', content: '' }), event));
      odd.gateway.provider.always(chunks(chunk({ content: 'Hi' }), chunk({}, 'stop'), 'data: [DONE]'));
      const answer = await odd.ask(client, 'two', bodyOf(client));
      expect(answer.text).toContain('Hi');
      expect(answer.headers.get('x-sluice-attempts')).toBe('2');
      expect((await odd.gateway.log(answer.id)).attempts).toMatchObject([
        { status: 'server_error' },
        { status: 'success' },
      ]);
    });

    it.each(cases)(
      '%s: an error %s, in the middle: an error event, and the log says so',
      async (client, _name, event) => {
        odd.gateway.provider.always(chunks(chunk({ content: 'Hel' }), event, 'data: [DONE]'));
        const answer = await odd.ask(client, 'chat', bodyOf(client));
        expect(answer.text).toContain('Hel');
        expect(answer.text).toMatch(/"error"/);
        expect(await odd.gateway.log(answer.id)).toMatchObject({
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
      odd.gateway.provider.enqueue(bad);
      const next = await odd.ask(client, 'two', body);
      expect([next.status, next.headers.get('x-sluice-attempts')]).toEqual([200, '2']);
      odd.gateway.provider.enqueue(bad);
      const only = await odd.ask(client, 'chat', body);
      expect(only.status).toBe(502);
      expect(only.text).toContain('Provider overloaded');
      expect(await odd.gateway.log(only.id)).toMatchObject({
        status: 'error',
        attempts: [{ status: 'server_error' }],
      });
    });

    it.each<[string, Reply]>([
      ['its end alone', chunks('data: [DONE]')],
      ['the frame around an answer', chunks(chunk({ role: 'assistant', content: '' }), 'data: [DONE]')],
      ['comments alone', chunks(': OPENROUTER PROCESSING', ': OPENROUTER PROCESSING')],
      ['nothing', streamReply([])],
    ])('a stream with %s counts as an error', async (_name, reply) => {
      odd.gateway.provider.enqueue(reply);
      odd.gateway.provider.always(chunks(chunk({ content: 'Hi' }), chunk({}, 'stop'), 'data: [DONE]'));
      const next = await odd.ask('anthropic.messages', 'two', said);
      expect([next.text.includes('Hi'), next.headers.get('x-sluice-attempts')]).toEqual([true, '2']);
      odd.gateway.provider.always(reply);
      for (const client of clients) {
        const only = await odd.ask(client, 'chat', bodyOf(client));
        expect(only.text).toContain('error');
        expect(await odd.gateway.log(only.id)).toMatchObject({
          status: 'error',
          attempts: [{ status: 'server_error' }],
        });
      }
    });

    it.each(['MALFORMED_FUNCTION_CALL', 'UNEXPECTED_TOOL_CALL'])(
      "Gemini's %s counts as an error",
      async (finishReason) => {
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
          odd.gateway.provider.enqueue(reply, good);
          const next = await odd.ask('openai.chat', 'two-gemini', body);
          expect([next.text.includes('Hi'), next.headers.get('x-sluice-attempts')]).toEqual([true, '2']);
          odd.gateway.provider.enqueue(reply);
          const only = await odd.ask('anthropic.messages', 'gemini', body);
          expect(only.text).toContain('Malformed call');
          expect(await odd.gateway.log(only.id)).toMatchObject({ status: 'error' });
        }
      },
    );
  });

  describe('an error with status 200, before a client of the same API', () => {
    const cases: [string, ConversationId, string, JsonObject, JsonObject][] = [
      [
        'a malformed call of Gemini',
        'gemini.generate',
        'gemini',
        { contents: [{ role: 'user', parts: [{ text: 'x' }] }] },
        { candidates: [{ content: { role: 'model', parts: [] }, finishReason: 'MALFORMED_FUNCTION_CALL' }] },
      ],
      [
        'a response that failed',
        'openai.responses',
        'responses',
        { input: 'x' },
        {
          ...SAID['openai.responses'],
          status: 'failed',
          output: [],
          error: { code: 'server_error', message: 'Overloaded' },
        },
      ],
      [
        'an error of Messages',
        'anthropic.messages',
        'claude',
        { messages: [{ role: 'user', content: 'x' }] },
        { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } },
      ],
    ];

    it.each(cases)('%s: the next model answers', async (_name, client, provider, body, bad) => {
      odd.gateway.provider.enqueue(jsonReply(bad));
      const next = await odd.ask(client, `two-${provider}`, body);
      expect([next.text.includes('Hi'), next.headers.get('x-sluice-attempts')]).toEqual([true, '2']);
      odd.gateway.provider.enqueue(jsonReply(bad));
      const only = await odd.ask(client, provider, body);
      expect(only.text).not.toContain('Hi');
      expect(await odd.gateway.log(only.id)).toMatchObject({ attempts: [{ status: 'server_error' }] });
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
  ])('the message of an error %s reaches a client of another API', async (_name, reply, words) => {
    odd.gateway.provider.always(reply);
    for (const client of ['anthropic.messages', 'openai.responses', 'gemini.generate'] as const) {
      const body: JsonObject =
        client === 'openai.responses'
          ? { input: 'x' }
          : client === 'gemini.generate'
            ? { contents: [{ parts: [{ text: 'x' }] }] }
            : { messages: [{ role: 'user', content: 'x' }] };
      const answer = await odd.ask(client, 'chat', body);
      expect(answer.status).toBeGreaterThanOrEqual(400);
      expect(answer.json.error.message).toContain(words);
      expect(answer.json.error.message).not.toContain('<');
    }
  });

  it('does not get requests for a WebSocket: the client gets a 426 and continues with HTTP', async () => {
    const { status } = await upgrade(`${odd.gateway.sluice.gatewayUrl}/${PROJECT}/openai/v1/responses`);
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
