import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { MongoClient } from 'mongodb';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DRAINED_FILE } from '../../../src/envoy/names.js';
import { acceptsConnections } from '../../../src/local/ports.js';
import { runProgram } from '../../../src/local/processes/run-program.js';
import { waitFor } from '../../../src/local/processes/wait.js';
import { type Gateway, startGateway } from '../../support/gateway.js';
import { type OpenStreams, openStreams } from '../../support/open-streams.js';
import { missingPrograms } from '../../support/start-sluice.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const COUNT = 10;
const MAIN = fileURLToPath(new URL('../../../dist/main.js', import.meta.url));

const drain = (directory: string, ...options: string[]) =>
  runProgram(process.execPath, [MAIN, 'drain', ...options], {
    environment: { ...process.env, SLUICE_DATA_DIR: directory },
  });

describe.skipIf(missingPrograms !== null)('a gateway that is told to end', () => {
  let gateway: Gateway;
  let streams: OpenStreams;

  beforeEach(async () => {
    gateway = await startGateway();
    streams = await openStreams(gateway, COUNT, ['support', 'chain']);
  });
  afterEach(() => gateway?.stop());

  async function expectLogs(status = 'success'): Promise<void> {
    const { ids } = streams;
    const client = await MongoClient.connect(gateway.sluice.mongodbUri);
    try {
      const found = await client
        .db()
        .collection('logs')
        .find({ _id: { $in: ids as never[] } })
        .toArray();
      expect(found.map(({ status }) => status)).toEqual(ids.map(() => status));
    } finally {
      await client.close();
    }
  }

  it('lets the streams finish behind Envoy, exits with 0, and has written their logs', async () => {
    const drained = gateway.sluice.drain();
    const port = Number(new URL(gateway.sluice.gatewayUrl).port);
    const refuses = async () => !(await acceptsConnections(port));
    await waitFor('Envoy takes no new connection', refuses, { timeoutMs: 20_000 });
    expect(await streams.finish()).toBe(COUNT);
    expect(await drained).toEqual({ code: 0, signal: null });
    await expectLogs();
  });

  it('lets the streams finish when only the engine gets the signal, even twice', async () => {
    gateway.sluice.engine.signal('SIGTERM');
    const log = () => gateway.sluice.engineLog();
    await waitFor('the engine drains', async () => (await log()).includes('"draining"'), {
      timeoutMs: 20_000,
    });
    gateway.sluice.engine.signal('SIGTERM');
    gateway.sluice.engine.signal('SIGINT');
    expect(await streams.finish()).toBe(COUNT);
    expect(await gateway.sluice.engine.stop()).toEqual({ code: 0, signal: null });
    await expectLogs();
  });

  it('does not wait for ever for streams that do not end: they are cut off, and logged', async () => {
    const { code, output } = await drain(gateway.sluice.dataFolder, '--timeout', '0.5');
    expect([code, output.trim()]).toEqual([
      0,
      `${COUNT} requests had not finished after 0.5 s and will be cut off`,
    ]);
    expect(existsSync(join(gateway.sluice.dataFolder, DRAINED_FILE))).toBe(true);
    await gateway.sluice.envoy.stop();
    await streams.closed();
    expect(await gateway.sluice.engine.stop()).toEqual({ code: 0, signal: null });
    await expectLogs('aborted');
  });
});

describe('sluice drain', () => {
  it('succeeds where Envoy has already ended', async () => {
    const { code, output } = await drain(await temporaryFolder());
    expect([code, output]).toEqual([0, expect.stringContaining('no Envoy to drain')]);
  });

  it('reports a data directory that does not exist', async () => {
    const directory = join(await temporaryFolder(), 'none');
    const { code, output } = await drain(directory);
    expect([code, output]).toEqual([1, expect.stringContaining(`${directory} is not a data directory`)]);
  });
});
