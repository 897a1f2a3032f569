import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chunk, landedLog } from '../chat.js';
import { CHAT_PATH, COMPLETION, CREDENTIAL, type Gateway, KEYS, PROJECT, startGateway } from '../gateway.js';
import { connectionWindow } from '../raw-http2.js';
import { jsonReply } from '../replies.js';
import type { Way } from '../ways.js';

/** Longer than the time that Envoy Gateway allows for a call to an extension by default. */
const LONG_STREAM_MS = 12_000;
const PAGE = 'https://app.example.com';

/**
 * Tests an Envoy that a control plane configures with our manifests, except for chains. With `isPatient` long streams are
 * tested too.
 */
export function describeMesh(way: Way, options: { isPatient?: boolean } = {}): void {
  const { name, missing } = way;
  describe.skipIf(missing !== null)(`${name}${missing === null ? '' : ` (${missing})`}`, () => {
    let gateway: Gateway;

    beforeAll(async () => {
      const models = ['large', 'small'].map((model) => ({ provider: 'fake', model }));
      gateway = await startGateway({
        start: { way: withoutMoved(way) },
        endpoints: [
          { name: 'checked', models: [models[0]!], json_validation: true },
          { name: 'moved', models: [{ provider: 'late', model: 'large' }] },
        ],
        cors: { origins: [PAGE] },
        environment: { FAKE_KEY: CREDENTIAL },
        providers: (base_url) => ({ late: { api: 'openai', base_url, api_key_env: 'FAKE_KEY' } }),
      });
    });
    afterAll(() => gateway?.stop());

    it('serves an endpoint with one model, and its log', async () => {
      gateway.provider.always(jsonReply(COMPLETION));
      const { status, id } = await gateway.ask();
      expect(status).toBe(200);
      const { path, headers } = gateway.provider.requests.at(-1)!;
      expect([path, headers.authorization, headers.host]).toEqual([
        '/v1/chat/completions',
        `Bearer ${CREDENTIAL}`,
        expect.anything(),
      ]);
      // The provider gets none of our headers, and none with the client's address.
      expect(Object.keys(headers).filter((name) => name.startsWith('x-'))).toEqual(['x-request-id']);
      expect(await landedLog(gateway.sluice, id)).toMatchObject({ status: 'success' });
    });

    it('lets a client send no more of its bodies ahead than 256 KiB', async () => {
      expect(await connectionWindow(gateway.sluice.gatewayUrl)).toBeLessThanOrEqual(256 << 10);
    });

    it('serves a stream', async () => {
      gateway.provider.enqueue((response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.end(`${chunk({ content: 'On its way.' })}${chunk({}, 'stop')}data: [DONE]\n\n`);
      });
      const { status, text } = await gateway.ask({ stream: true });
      expect(status).toBe(200);
      expect(text).toMatch(/On its way\.[\s\S]*\[DONE\]/);
    });

    it.each(['support', 'chain'])('carries a megabyte there and back (%s)', async (model) => {
      const content = 'm'.repeat(1 << 20);
      const [choice] = COMPLETION.choices;
      const answer = { ...COMPLETION, choices: [{ ...choice, message: { role: 'assistant', content } }] };
      gateway.provider.enqueue(jsonReply(answer));
      const { status, json } = await gateway.ask({ model, messages: [{ role: 'user', content }] });
      expect([status, json.choices[0].message.content === content]).toEqual([200, true]);
      expect(gateway.provider.requests.at(-1)!.json().messages).toEqual([{ role: 'user', content }]);
    });

    it('carries eight megabytes to a client that sent a short request (chain)', async () => {
      const content = 'm'.repeat(8 << 20);
      const [choice] = COMPLETION.choices;
      const answer = { ...COMPLETION, choices: [{ ...choice, message: { role: 'assistant', content } }] };
      gateway.provider.enqueue(jsonReply(answer, { headers: { 'x-said': 'a' } }));
      const { status, headers, json } = await gateway.ask({ model: 'chain' });
      expect([status, headers.get('x-said'), headers.get('content-type')]).toEqual([
        200,
        'a',
        'application/json',
      ]);
      expect(json.choices[0].message.content === content).toBe(true);
    });

    it('gives a stream that nobody asked for as one (chain)', async () => {
      gateway.provider.enqueue((response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.end(`${chunk({ content: 'On its way.' })}${chunk({}, 'stop')}data: [DONE]\n\n`);
      });
      const { status, headers, text } = await gateway.ask({ model: 'chain' });
      expect([status, headers.get('content-type')]).toEqual([200, 'text/event-stream']);
      expect(text).toMatch(/On its way\.[\s\S]*\[DONE\]/);
    });

    describe('with pages of browsers', () => {
      const page = { origin: PAGE };
      const preflight = (origin: string) =>
        gateway.call('OPTIONS', CHAT_PATH, {
          key: null,
          headers: { origin, 'access-control-request-method': 'POST' },
        });

      it('lets those call that the project names, and no others', async () => {
        const asked = gateway.provider.requests.length;
        const { status, headers } = await preflight(PAGE);
        expect([status, headers.get('access-control-allow-origin')]).toEqual([204, PAGE]);
        expect((await preflight('https://elsewhere.example.com')).status).toBe(404);
        expect(gateway.provider.requests).toHaveLength(asked);
      });

      it.each([
        ['support', false],
        ['support', true],
        ['chain', false],
        ['chain', true],
      ])(
        'shows them its answers, and not what a provider says of pages (%s, stream: %s)',
        async (model, stream) => {
          const headers = { 'access-control-allow-origin': '*', vary: 'accept' };
          gateway.provider.enqueue(
            stream
              ? (response) => {
                  response.writeHead(200, { ...headers, 'content-type': 'text/event-stream' });
                  response.end(`${chunk({ content: 'Yes' }, 'stop')}data: [DONE]\n\n`);
                }
              : jsonReply(COMPLETION, { headers }),
          );
          const answer = await gateway.ask({ model, stream }, { headers: page });
          expect(answer.status, answer.text).toBe(200);
          expect(Object.fromEntries(answer.headers)).toMatchObject({
            'access-control-allow-origin': PAGE,
            'access-control-expose-headers': expect.stringContaining('x-inference-log-id'),
            vary: 'accept, origin',
          });
        },
      );

      it.each(['support', 'chain'])('shows them its errors (%s)', async (model) => {
        gateway.provider.always(jsonReply({ error: { message: 'no' } }, { status: 500 }));
        const failed = await gateway.ask({ model }, { headers: page });
        const refused = await gateway.ask({ model }, { headers: page, key: 'sk-unknown' });
        expect([failed.status, refused.status]).toEqual([500, 401]);
        for (const { headers } of [failed, refused])
          expect(headers.get('access-control-allow-origin')).toBe(PAGE);
      });
    });

    const patient = options.isPatient ? it : it.skip;
    patient.each(['support', 'chain'])(
      'serves a stream that takes longer than ten seconds (%s)',
      async (model) => {
        gateway.provider.enqueue(async (response) => {
          response.writeHead(200, { 'content-type': 'text/event-stream' });
          response.write(chunk({ content: 'On its ' }));
          await sleep(LONG_STREAM_MS);
          response.end(`${chunk({ content: 'way.' })}${chunk({}, 'stop')}data: [DONE]\n\n`);
        });
        const { status, text } = await gateway.ask({ model, stream: true });
        expect(status).toBe(200);
        expect(text).toMatch(/way\.[\s\S]*\[DONE\]/);
      },
    );

    it('checks an output', async () => {
      gateway.provider.always(jsonReply(COMPLETION));
      const schema = { type: 'object', required: ['answer'] };
      const response_format = { type: 'json_schema', json_schema: { name: 'a', schema } };
      const { status, json } = await gateway.ask({ model: 'checked', response_format });
      expect([status, json.error.code]).toEqual([422, 'output_validation_failed']);
    });

    it('tries the next model where one fails, and has both tries in one log', async () => {
      gateway.provider.enqueue(
        jsonReply({ error: { message: 'no' } }, { status: 500 }),
        jsonReply(COMPLETION),
      );
      const { status, id } = await gateway.ask({ model: 'chain' });
      expect(status).toBe(200);
      const { attempts } = await landedLog(gateway.sluice, id);
      expect(attempts.map(({ status }: { status: string }) => status)).toEqual(['server_error', 'success']);
    });

    it('brings nothing to a provider that the manifests do not have where it is now', async () => {
      const before = gateway.provider.requests.length;
      const { status } = await gateway.ask({ model: 'moved' });
      expect(status).toBe(502);
      expect(gateway.provider.requests).toHaveLength(before);
    });

    it('does not let a client choose the provider, or answer itself with what is ready for chains', async () => {
      const named = `provider-fake@${new URL(gateway.provider.baseUrl).origin}`;
      const headers = { 'x-sluice-provider': named, 'x-sluice-route': 'engine' };
      expect((await gateway.ask({ model: 'moved' }, { headers })).status).toBe(502);
      expect((await gateway.ask({}, { headers, key: 'sk-unknown' })).status).toBe(401);
      expect((await gateway.ask({}, { headers })).json).toMatchObject({ choices: [{}] });
    });

    it('brings feedback to the admin service', async () => {
      const { id } = await gateway.ask();
      const answer = await gateway.call('POST', `/${PROJECT}/feedback/${id}`, {
        key: KEYS.feedback,
        body: { score: 1, weight: 1 },
      });
      expect(answer.status).toBe(200);
    });

    it('answers 503 where the engine is gone', async () => {
      await gateway.sluice.engine.kill();
      const { status, json } = await gateway.ask();
      // Envoy Gateway cannot be given an error in the form of an API.
      const code = way.mesh === 'envoy-gateway' ? undefined : 'engine_unavailable';
      expect([status, json?.error.code]).toEqual([503, code]);
    });
  });
}

/** Manifests from before the provider `late` moved to its present address. */
function withoutMoved(way: Way): Way {
  return {
    ...way,
    translate: (manifests, place) =>
      way.translate(manifests.replaceAll('provider-late@http', 'provider-late@gone'), place),
  };
}
