import { copyFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { waitFor } from '../../../src/local/processes/wait.js';
import { type FakeProvider, startFakeProvider } from '../../support/fake-provider.js';
import {
  borrowGateway,
  COMPLETION,
  type Gateway,
  type GatewayOptions,
  gatewayConfig,
  PROJECT,
} from '../../support/gateway.js';
import { ControlledStream, jsonReply } from '../../support/replies.js';
import { missingPrograms } from '../../support/start-sluice.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const BEHAVING = fileURLToPath(new URL('../../fixtures/plugins/behaving.mjs', import.meta.url));
const PATIENCE = { timeoutMs: 20_000, intervalMs: 20 };
const EXTRA: GatewayOptions = {
  endpoints: [{ name: 'extra', models: [{ provider: 'fake', model: 'extra' }] }],
};
const FIRST = 'data: {"id":"a","choices":[{"index":0,"delta":{"content":"half"}}]}\n\n';
const LAST = 'data: {"id":"a","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n';

describe.skipIf(missingPrograms !== null)('a changed configuration', () => {
  let gateway: Gateway;
  let other: FakeProvider;
  let unchanged: string;

  beforeAll(async () => {
    other = await startFakeProvider();
    other.always(jsonReply({ ...COMPLETION, id: 'other' }));
    gateway = await borrowGateway();
    unchanged = JSON.stringify(gatewayConfig(gateway.provider.baseUrl));
  });
  afterAll(async () => {
    await gateway?.stop();
    await other?.stop();
  });
  beforeEach(() => gateway.provider.reset());
  afterEach(async () => {
    await gateway.sluice.writeConfig(unchanged);
    await untilNames(['support', 'chain']);
    await untilAnswers('chatcmpl-provider-1');
  });

  const write = (providerUrl: string, options?: GatewayOptions) =>
    gateway.sluice.writeConfig(JSON.stringify(gatewayConfig(providerUrl, options)));

  /** Until the list of models is this. */
  function untilNames(names: string[]): Promise<unknown> {
    return waitFor(
      `the endpoints are ${names}`,
      async () => {
        const { json } = await gateway.call('GET', `/${PROJECT}/openai/v1/models`);
        return json.data?.map(({ id }: { id: string }) => id).join() === names.join();
      },
      PATIENCE,
    );
  }

  /** Until the provider with this answer is asked. */
  function untilAnswers(id: string): Promise<unknown> {
    return waitFor(`the answer is ${id}`, async () => (await gateway.ask()).json.id === id, PATIENCE);
  }

  it('takes effect while requests run, without losing one', async () => {
    let over = false;
    const answers: Promise<{ status: number; id: string }[]>[] = ['support', 'chain', 'support', 'chain'].map(
      async (model) => {
        const seen = [];
        while (!over) seen.push(await gateway.ask({ model }));
        return seen;
      },
    );
    await write(gateway.provider.baseUrl, EXTRA);
    await untilNames(['support', 'chain', 'extra']);
    await write(other.baseUrl, EXTRA);
    await untilAnswers('other');
    await write(gateway.provider.baseUrl);
    await untilAnswers('chatcmpl-provider-1');
    over = true;
    const all = (await Promise.all(answers)).flat();
    expect(all.length).toBeGreaterThan(0);
    expect(all.filter(({ status }) => status !== 200)).toEqual([]);
    for (const { id } of all) expect((await gateway.log(id)).status).toBe('success');
  });

  it.each(['support', 'chain'])('lets a stream finish whose provider was removed (%s)', async (model) => {
    const stream = new ControlledStream();
    gateway.provider.enqueue(stream.reply());
    const opened = gateway.open({ model, stream: true });
    await stream.send(FIRST);
    const response = await opened;
    const config = gatewayConfig(other.baseUrl) as { providers: Record<string, unknown> };
    const renamed = JSON.stringify(config).replaceAll('"fake"', '"renamed"');
    await gateway.sluice.writeConfig(renamed);
    await untilAnswers('other');
    await stream.send(LAST);
    await stream.end();
    expect(await response.text()).toMatch(/data: \[DONE\]\n\n$/);
    const log = await gateway.log(response.headers.get('x-inference-log-id')!);
    expect(log).toMatchObject({ status: 'success', attempts: [{ provider: 'fake' }] });
  });

  it('with mistakes changes nothing, and the mistakes are reported with their places', async () => {
    await gateway.sluice.writeConfig(`${unchanged.slice(0, -1)},\n"provders": {}}`);
    const told = await waitFor(
      'the mistake is told',
      async () => {
        const lines = (await gateway.sluice.engineLog()).split('\n');
        return lines.find((line) => line.includes('provders'));
      },
      PATIENCE,
    );
    expect(JSON.parse(told)).toMatchObject({
      level: 50,
      mistakes: expect.stringMatching(/sluice\.yaml:2\b.*provders/s),
    });
    expect((await gateway.ask()).status).toBe(200);
    await untilNames(['support', 'chain']);
    await write(gateway.provider.baseUrl, EXTRA);
    await untilNames(['support', 'chain', 'extra']);
  });

  it('can remove a key and an endpoint', async () => {
    const config = unchanged.replace('"sk-all"', '"sk-new"').replace('"name":"support"', '"name":"renamed"');
    await gateway.sluice.writeConfig(config);
    await waitFor('the key is unknown', async () => (await gateway.ask()).status === 401, PATIENCE);
    const body = { model: 'renamed', messages: [{ role: 'user', content: 'x' }] };
    expect((await gateway.ask(body, { key: 'sk-new' })).status).toBe(200);
    expect((await gateway.ask({}, { key: 'sk-new' })).status).toBe(404);
  });

  it('takes a key from the file that it names, and the new one when that file is replaced', async () => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, 'all'), 'sk-old-of-file\n');
    const config = unchanged.replace('"key":"sk-all"', `"key_file":${JSON.stringify(join(folder, 'all'))}`);
    await gateway.sluice.writeConfig(config);
    const isTaken = (key: string) => async () => (await gateway.ask({}, { key })).status === 200;
    await waitFor('the key of the file is taken', isTaken('sk-old-of-file'), PATIENCE);
    await writeFile(join(folder, 'next'), 'sk-new-of-file\n');
    await rename(join(folder, 'next'), join(folder, 'all'));
    await waitFor('the new one is taken', isTaken('sk-new-of-file'), PATIENCE);
    expect((await gateway.ask({}, { key: 'sk-old-of-file' })).status).toBe(401);
    expect(await gateway.sluice.engineLog()).not.toMatch(/sk-(old|new)-of-file/);
  });

  it('changes limits, and is read again at SIGHUP too', async () => {
    gateway.sluice.engine.signal('SIGHUP');
    await write(gateway.provider.baseUrl, { settings: { limits: { request_body_bytes: 10 } } });
    gateway.sluice.engine.signal('SIGHUP');
    await waitFor('the limit is in force', async () => (await gateway.ask()).status === 413, PATIENCE);
  });

  it('sets what the spool does when it is full', async () => {
    await write(gateway.provider.baseUrl, { settings: { spool: { max_bytes: 1 << 20, on_full: 'refuse' } } });
    const messages = [{ role: 'user', content: 'x'.repeat(1 << 20) }];
    const isRefused = async () => (await gateway.ask({ messages })).json.error?.code === 'spool_full';
    await waitFor('a log that finds no room is refused', isRefused, PATIENCE);
  });

  it('loads a plugin that did not exist when the file first named it', async () => {
    const module = join(await temporaryFolder(), 'late.mjs');
    const plugins = [{ plugin: 'behaving', config: { behaviour: 'pass' } }];
    const models = [{ provider: 'fake', model: 'extra' }];
    const options = { endpoints: [{ name: 'extra', models, plugins }], settings: { plugins: [module] } };
    const config = JSON.stringify(gatewayConfig(gateway.provider.baseUrl, options));
    await gateway.sluice.writeConfig(config);
    const isReported = async () => (await gateway.sluice.engineLog()).includes('late.mjs');
    await waitFor('the missing module is told', isReported, PATIENCE);
    await copyFile(BEHAVING, module);
    await gateway.sluice.writeConfig(`${config}\n`);
    await untilNames(['support', 'chain', 'extra']);
  });
});
