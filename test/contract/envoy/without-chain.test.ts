import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EnvoyAdmin } from '../../../src/envoy/envoy-admin.js';
import { mainPath } from '../../../src/local/parts/engine.js';
import { reservePort } from '../../../src/local/ports.js';
import { Child } from '../../../src/local/processes/child.js';
import { runProgram } from '../../../src/local/processes/run-program.js';
import { waitFor } from '../../../src/local/processes/wait.js';
import { chunk } from '../../support/chat.js';
import { type FakeProvider, startFakeProvider } from '../../support/fake-provider.js';
import {
  CHAT_PATH,
  COMPLETION,
  CREDENTIAL,
  gatewayConfig,
  KEYS,
  MESSAGES,
  PROJECT,
} from '../../support/gateway.js';
import { olderEnvoy } from '../../support/older-envoy.js';
import { jsonReply } from '../../support/replies.js';
import { missingPrograms, type Sluice, startSluice } from '../../support/start-sluice.js';
import { translateGateway, translateIstio } from '../../support/translated-gateway.js';

const older = await olderEnvoy();
const missing = missingPrograms ?? ('missing' in older ? older.missing : null);
const TRANSLATIONS = { 'envoy-gateway': translateGateway, istio: translateIstio } as const;

describe.skipIf(missing !== null).each(Object.keys(TRANSLATIONS) as (keyof typeof TRANSLATIONS)[])(
  `an Envoy 1.36 that %s configured, without the chain${missing === null ? '' : ` (${missing})`}`,
  (mesh) => {
    let provider: FakeProvider;
    let sluice: Sluice;
    let envoy: Child;
    let url: string;
    let told: string;
    const cleanups: (() => Promise<unknown>)[] = [];

    beforeAll(async () => {
      provider = await startFakeProvider();
      const models = ['large', 'small'].map((model) => ({ provider: 'fake', model }));
      const config = gatewayConfig(provider.baseUrl, {
        endpoints: [
          { name: 'first-alone', models, fallback_on: [] },
          { name: 'checked', models: [models[0]!], json_validation: true },
          { name: 'moved', models: [{ provider: 'late', model: 'large' }] },
        ],
        providers: (base_url) => ({ late: { api: 'openai', base_url, api_key_env: 'FAKE_KEY' } }),
      });
      const environment = { FAKE_KEY: CREDENTIAL };
      sluice = await startSluice({ config: JSON.stringify(config), environment, envoy: false });
      const { port, release } = await reservePort();
      cleanups.push(release);
      url = `http://127.0.0.1:${port}`;
      const rendered = await runProgram(
        process.execPath,
        [
          mainPath,
          'envoy-config',
          '--config',
          sluice.configPath,
          '--for',
          mesh,
          '--no-chain',
          '--name',
          'edge',
        ],
        {
          environment: {
            ...process.env,
            ...environment,
            SLUICE_DATA_DIR: sluice.dataDirectory,
            SLUICE_ADMIN_URL: sluice.adminUrl,
            SLUICE_ADMIN_KEY: sluice.adminKey,
            SLUICE_GATEWAY_PORT: String(port),
          },
        },
      );
      expect(rendered.code, rendered.output).toBe(0);
      told = rendered.output;
      // The manifests are of a time before the provider `late` was where it is now.
      const manifests = rendered.stdout.replaceAll('provider-late@http', 'provider-late@gone');
      const adminSocket = join(sluice.dataDirectory, 'gateway-admin.sock');
      const path = join(sluice.dataDirectory, 'gateway.yaml');
      await writeFile(path, TRANSLATIONS[mesh](manifests, { port, adminSocket }));
      envoy = await Child.start({
        name: 'Envoy',
        command: (older as { binary: string }).binary,
        arguments: ['-c', path, '--use-dynamic-base-id', '--log-level', 'warning'],
        environment: process.env,
        logPath: join(sluice.dataDirectory, 'gateway.log'),
        ownGroup: false,
      });
      const admin = new EnvoyAdmin(adminSocket);
      await waitFor('Envoy is live', () => admin.isLive(), { timeoutMs: 20_000 });
      await sluice.waitUntilReady();
    });

    afterAll(async () => {
      await envoy?.stop(5_000);
      await sluice?.stop();
      await provider?.stop();
      for (const cleanup of cleanups) await cleanup();
    });

    const ask = async (changes: object = {}, headers: Record<string, string> = {}) => {
      const answer = await fetch(`${url}${CHAT_PATH}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${KEYS.all}`, 'content-type': 'application/json', ...headers },
        body: JSON.stringify({ model: 'support', messages: MESSAGES, ...changes }),
      });
      const text = await answer.text();
      return { status: answer.status, text, id: answer.headers.get('x-inference-log-id') ?? '' };
    };

    it('serves an endpoint with one model, and its log', async () => {
      provider.always(jsonReply(COMPLETION));
      const { status, id } = await ask();
      expect(status).toBe(200);
      const { path, headers } = provider.requests.at(-1)!;
      expect([path, headers.authorization, headers.host]).toEqual([
        '/v1/chat/completions',
        `Bearer ${CREDENTIAL}`,
        expect.anything(),
      ]);
      expect(Object.keys(headers).filter((name) => name.startsWith('x-sluice'))).toEqual([]);
      await waitFor(
        'the log lands',
        () =>
          sluice.database
            .collection('logs')
            .findOne({ _id: id as never })
            .then((log) => log !== null),
        { timeoutMs: 20_000 },
      );
    });

    it('serves a stream', async () => {
      provider.enqueue((response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.end(`${chunk({ content: 'On its way.' })}${chunk({}, 'stop')}data: [DONE]\n\n`);
      });
      const { status, text } = await ask({ stream: true });
      expect(status).toBe(200);
      expect(text).toMatch(/On its way\.[\s\S]*\[DONE\]/);
    });

    it('checks an output', async () => {
      provider.always(jsonReply(COMPLETION));
      const schema = { type: 'object', required: ['answer'] };
      const response_format = { type: 'json_schema', json_schema: { name: 'a', schema } };
      const { status, text } = await ask({ model: 'checked', response_format });
      expect([status, JSON.parse(text).error.code]).toEqual([422, 'output_validation_failed']);
    });

    it('refuses, with words, a request that needs the chain; the command that wrote it had said so', async () => {
      const before = provider.requests.length;
      const { status, text } = await ask({ model: 'chain' });
      expect([status, JSON.parse(text).error]).toMatchObject([
        503,
        { code: 'chain_unavailable', message: expect.stringContaining('2 models to try') },
      ]);
      expect(provider.requests).toHaveLength(before);
      expect(told).toContain(`Endpoint "chain" of project ${PROJECT} has 2 models.`);
      expect(told).not.toContain('"first-alone"');
    });

    it('tries the first model alone where the endpoint never goes on to the next', async () => {
      provider.always(jsonReply(COMPLETION));
      expect((await ask({ model: 'first-alone' })).status).toBe(200);
      expect(provider.requests.at(-1)!.json().model).toBe('large');
    });

    it('brings nothing to a provider that the manifests do not have where it is now', async () => {
      const before = provider.requests.length;
      const { status } = await ask({ model: 'moved' });
      expect(status).toBe(502);
      expect(provider.requests).toHaveLength(before);
    });

    it('does not let a client choose the provider', async () => {
      const { status } = await ask(
        { model: 'moved' },
        { 'x-sluice-provider': `provider-fake@${new URL(provider.baseUrl).origin}` },
      );
      expect(status).toBe(502);
    });

    it('brings feedback to the admin service', async () => {
      const { id } = await ask();
      const answer = await fetch(`${url}/${PROJECT}/feedback/${id}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${KEYS.feedback}`, 'content-type': 'application/json' },
        body: JSON.stringify({ score: 1, weight: 1 }),
      });
      expect(answer.status).toBe(200);
    });
  },
);
