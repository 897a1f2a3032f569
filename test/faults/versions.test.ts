import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mainPath } from '../../src/local/parts/engine.js';
import { waitFor } from '../../src/local/processes/wait.js';
import { chunk } from '../support/chat.js';
import { type FakeProvider, startFakeProvider } from '../support/fake-provider.js';
import { COMPLETION, type Gateway, PROJECT, startGateway } from '../support/gateway.js';
import { type OwnMongod, startOwnMongod } from '../support/mongod.js';
import { buildPrevious, missingPrevious } from '../support/previous-version.js';
import { jsonReply, type Reply } from '../support/replies.js';
import { missingPrograms } from '../support/start-sluice.js';

const missing = missingPrograms ?? (await missingPrevious());
if (missing !== null) console.log(`No test of two versions: ${missing}`);

/** A stream that takes a second and a half, or a whole answer. */
const answering: Reply = async (response, request) => {
  if (request.json().stream !== true) return jsonReply(COMPLETION)(response, request);
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (let index = 0; index < 15; index++) {
    response.write(chunk({ content: `piece ${index} ` }));
    await new Promise((resume) => setTimeout(resume, 100));
  }
  response.end(`${chunk({}, 'stop')}data: [DONE]\n\n`);
};

/** Clients that go on until they are told to stop; what went wrong is kept. */
class Traffic {
  readonly ids: string[] = [];
  readonly failures: string[] = [];
  readonly #clients: Promise<void>[];
  #stopped = false;

  constructor(public target: Gateway) {
    this.#clients = Array.from({ length: 6 }, (_none, index) => this.#client(index));
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all(this.#clients);
  }

  async #client(index: number): Promise<void> {
    for (let turn = index; !this.#stopped; turn++) {
      const stream = turn % 2 === 0;
      const model = ['support', 'chain', 'made'][turn % 3];
      const answer = await this.target.ask({ model, stream }).catch((error) => String(error));
      const whole =
        typeof answer !== 'string' && answer.status === 200 && (!stream || answer.text.includes('[DONE]'));
      if (whole) this.ids.push(answer.id);
      else this.failures.push(typeof answer === 'string' ? answer : `${answer.status} ${answer.text}`);
    }
  }
}

/** An endpoint of the file's project, made by the admin API. Gives how often it was asked until it served. */
async function makeEndpoint(gateway: Gateway): Promise<number> {
  const { sluice } = gateway;
  const answer = await fetch(`${sluice.adminUrl}/api/projects/${PROJECT}/endpoints`, {
    method: 'POST',
    headers: { authorization: `Bearer ${sluice.adminKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'made', models: [{ provider: 'fake', model: 'large' }] }),
  });
  expect(answer.status, await answer.text()).toBe(201);
  let asked = 0;
  const serves = async () => {
    asked++;
    return (await gateway.ask({ model: 'made' })).status === 200;
  };
  await waitFor('the endpoint serves', serves, { timeoutMs: 20_000 });
  return asked;
}

async function logCounts(uri: string, ids: string[]): Promise<{ found: number; all: number }> {
  const client = await MongoClient.connect(uri);
  try {
    const logs = client.db().collection('logs');
    const found = await logs.countDocuments({ _id: { $in: ids as never[] }, status: 'success' });
    return { found, all: await logs.countDocuments() };
  } finally {
    await client.close();
  }
}

describe.skipIf(missing !== null)('two versions', () => {
  let programs: Record<'before' | 'now', string>;
  let provider: FakeProvider;
  let mongod: OwnMongod;
  let folder: string;
  const gateways: Gateway[] = [];

  beforeAll(async () => {
    programs = { before: await buildPrevious(), now: mainPath };
    provider = await startFakeProvider();
    provider.always(answering);
    mongod = await startOwnMongod();
    folder = await mkdtemp(join(tmpdir(), 'sluice-versions-'));
  });
  afterAll(async () => {
    for (const gateway of gateways) await gateway.sluice.stop();
    await mongod?.stop();
    await provider?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const uriOf = (database: string) => mongod.uri.replace('/test?', `/${database}?`);

  async function start(version: 'before' | 'now', database: string, dataFolder?: string): Promise<Gateway> {
    const gateway = await startGateway({
      provider,
      // Only what both versions know.
      providers: (base_url) => ({ fake: { api: 'openai', base_url, api_key_env: 'FAKE_KEY' } }),
      start: { program: programs[version], mongodbUri: uriOf(database), dataFolder },
    });
    gateways.push(gateway);
    return gateway;
  }

  describe.each([
    ['an upgrade', 'before', 'now'],
    ['a downgrade', 'now', 'before'],
  ] as const)('%s', (name, from, to) => {
    it('cuts no request and loses no log, with traffic moving from one to the other', async () => {
      const database = `traffic-${from}`;
      const first = await start(from, database);
      const asked = await makeEndpoint(first);
      const traffic = new Traffic(first);
      await waitFor('there is traffic', async () => traffic.ids.length > 20, { timeoutMs: 60_000 });
      const second = await start(to, database);
      traffic.target = second;
      const before = traffic.ids.length;
      expect(await first.sluice.drain()).toMatchObject({ code: 0 });
      await waitFor('the other serves', async () => traffic.ids.length > before + 20, { timeoutMs: 60_000 });
      await traffic.stop();
      expect(traffic.failures).toEqual([]);
      expect(new Set(traffic.ids).size).toBe(traffic.ids.length);
      await waitFor(
        'each request has one log',
        async () => (await logCounts(uriOf(database), traffic.ids)).found === traffic.ids.length,
        { timeoutMs: 60_000 },
      );
      expect(await second.sluice.drain()).toMatchObject({ code: 0 });
      expect((await logCounts(uriOf(database), [])).all).toBe(asked + traffic.ids.length);
    });

    it(`reads the directory and the spool that the other one left (${name})`, async () => {
      const database = `left-${from}`;
      const dataFolder = join(folder, database);
      const first = await start(from, database, dataFolder);
      await makeEndpoint(first);
      // Its logs stay in the spool, and it dies.
      await mongod.kill();
      const answers = await Promise.all(Array.from({ length: 20 }, () => first.ask({ model: 'made' })));
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
      await first.sluice.engine.kill();
      await first.sluice.envoy.stop();

      const second = await start(to, database, dataFolder);
      const { status, id } = await second.ask({ model: 'made' });
      expect(status).toBe(200);
      await mongod.restart();
      const ids = [...answers.map((answer) => answer.id), id];
      await waitFor(
        'all logs land',
        async () => (await logCounts(uriOf(database), ids)).found === ids.length,
        { timeoutMs: 90_000 },
      );
      expect(await second.sluice.drain()).toMatchObject({ code: 0 });
    });
  });
});
