import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { waitFor } from '../../src/local/processes/wait.js';
import { BehindControlPlane, type ControlPlane } from './behind-control-plane.js';
import { chunk } from './chat.js';
import { COMPLETION, CREDENTIAL, PROJECT } from './gateway.js';
import { jsonReply } from './replies.js';

/** Longer than the time that Envoy Gateway gives a call of an extension. */
const LONG_STREAM_MS = 12_000;

/** What an Envoy without the chain does, whatever made its configuration of our manifests. */
export function describeWithoutChain(
  name: string,
  missing: string | null,
  controlPlane: Omit<ControlPlane, 'chain'> & { isPatient?: boolean },
): void {
  describe.skipIf(missing !== null)(`${name}${missing === null ? '' : ` (${missing})`}`, () => {
    let gateway: BehindControlPlane;

    beforeAll(async () => {
      const models = ['large', 'small'].map((model) => ({ provider: 'fake', model }));
      gateway = await BehindControlPlane.start(
        { ...controlPlane, chain: false },
        {
          endpoints: [
            { name: 'first-alone', models, fallback_on: [] },
            { name: 'checked', models: [models[0]!], json_validation: true },
            { name: 'moved', models: [{ provider: 'late', model: 'large' }] },
          ],
          providers: (base_url) => ({ late: { api: 'openai', base_url, api_key_env: 'FAKE_KEY' } }),
        },
      );
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
      // Nothing of ours, and nothing of the client's address.
      expect(Object.keys(headers).filter((name) => name.startsWith('x-'))).toEqual(['x-request-id']);
      await waitFor(
        'the log lands',
        () =>
          gateway.sluice.database
            .collection('logs')
            .findOne({ _id: id as never })
            .then((log) => log !== null),
        { timeoutMs: 20_000 },
      );
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

    it('carries a megabyte there and back', async () => {
      const content = 'm'.repeat(1 << 20);
      const [choice] = COMPLETION.choices;
      const answer = { ...COMPLETION, choices: [{ ...choice, message: { role: 'assistant', content } }] };
      gateway.provider.enqueue(jsonReply(answer));
      const { status, text } = await gateway.ask({ messages: [{ role: 'user', content }] });
      expect([status, JSON.parse(text).choices[0].message.content === content]).toEqual([200, true]);
      expect(gateway.provider.requests.at(-1)!.json().messages).toEqual([{ role: 'user', content }]);
    });

    const aLongStream = async () => {
      gateway.provider.enqueue(async (response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.write(chunk({ content: 'On its ' }));
        await sleep(LONG_STREAM_MS);
        response.end(`${chunk({ content: 'way.' })}${chunk({}, 'stop')}data: [DONE]\n\n`);
      });
      const { status, text } = await gateway.ask({ stream: true });
      expect(status).toBe(200);
      expect(text).toMatch(/way\.[\s\S]*\[DONE\]/);
    };
    if (controlPlane.isPatient) it('serves a stream that takes longer than ten seconds', aLongStream);

    it('checks an output', async () => {
      gateway.provider.always(jsonReply(COMPLETION));
      const schema = { type: 'object', required: ['answer'] };
      const response_format = { type: 'json_schema', json_schema: { name: 'a', schema } };
      const { status, text } = await gateway.ask({ model: 'checked', response_format });
      expect([status, JSON.parse(text).error.code]).toEqual([422, 'output_validation_failed']);
    });

    it('refuses, with words, a request that needs the chain; the command that wrote it had said so', async () => {
      const before = gateway.provider.requests.length;
      const { status, text } = await gateway.ask({ model: 'chain' });
      expect([status, JSON.parse(text).error]).toMatchObject([
        503,
        { code: 'chain_unavailable', message: expect.stringContaining('2 models to try') },
      ]);
      expect(gateway.provider.requests).toHaveLength(before);
      expect(gateway.told).toContain(`Endpoint "chain" of project ${PROJECT} has 2 models.`);
      expect(gateway.told).not.toContain('"first-alone"');
      const isTold = /provider "fake" is on 127.0.0.1. Envoy Gateway takes no backend/.test(gateway.told);
      expect(isTold).toBe(controlPlane.mesh === 'envoy-gateway');
    });

    it('tries the first model alone where the endpoint never goes on to the next', async () => {
      gateway.provider.always(jsonReply(COMPLETION));
      expect((await gateway.ask({ model: 'first-alone' })).status).toBe(200);
      expect(gateway.provider.requests.at(-1)!.json().model).toBe('large');
    });

    it('brings nothing to a provider that the manifests do not have where it is now', async () => {
      const before = gateway.provider.requests.length;
      const { status } = await gateway.ask({ model: 'moved' });
      expect(status).toBe(502);
      expect(gateway.provider.requests).toHaveLength(before);
    });

    it('does not let a client choose the provider', async () => {
      const { status } = await gateway.ask(
        { model: 'moved' },
        { 'x-sluice-provider': `provider-fake@${new URL(gateway.provider.baseUrl).origin}` },
      );
      expect(status).toBe(502);
    });

    it('brings feedback to the admin service', async () => {
      const { id } = await gateway.ask();
      expect(await gateway.giveFeedback(id)).toBe(200);
    });
  });
}
