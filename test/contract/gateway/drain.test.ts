import { MongoClient } from 'mongodb';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { acceptsConnections } from '../../../src/local/ports.js';
import { waitFor } from '../../../src/local/processes/wait.js';
import { type Gateway, startGateway } from '../../support/gateway.js';
import { ControlledStream } from '../../support/replies.js';
import { missingPrograms } from '../../support/start-sluice.js';

const FIRST = 'data: {"id":"a","model":"large","choices":[{"index":0,"delta":{"content":"half"}}]}\n\n';
const LAST =
  'data: {"id":"a","model":"large","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n';
const COUNT = 10;

describe.skipIf(missingPrograms !== null)('a gateway that is told to end', () => {
  let gateway: Gateway;
  let streams: ControlledStream[];
  let answers: Promise<Response>[];

  beforeEach(async () => {
    gateway = await startGateway();
    streams = Array.from({ length: COUNT }, () => new ControlledStream());
    gateway.provider.enqueue(...streams.map((stream) => stream.reply()));
    answers = streams.map((_stream, index) =>
      gateway.open({ model: index % 2 === 0 ? 'support' : 'chain', stream: true }),
    );
    for (const stream of streams) await stream.send(FIRST);
    await Promise.all(answers);
  });
  afterEach(() => gateway?.stop());

  async function finishStreams(): Promise<string[]> {
    for (const stream of streams) {
      await stream.send(LAST);
      await stream.end();
    }
    return Promise.all(answers.map(async (answer) => (await answer).text()));
  }

  async function expectLogs(): Promise<void> {
    const ids = await Promise.all(
      answers.map(async (answer) => (await answer).headers.get('x-inference-log-id')),
    );
    const client = await MongoClient.connect(gateway.sluice.mongodbUri);
    try {
      const found = await client
        .db()
        .collection('logs')
        .find({ _id: { $in: ids as never[] } })
        .toArray();
      expect(found.map(({ status }) => status)).toEqual(ids.map(() => 'success'));
    } finally {
      await client.close();
    }
  }

  it('lets the streams finish behind Envoy, ends with 0, and has written their logs', async () => {
    const drained = gateway.sluice.drain();
    const port = Number(new URL(gateway.sluice.gatewayUrl).port);
    const refuses = async () => !(await acceptsConnections(port));
    await waitFor('Envoy takes no new connection', refuses, { timeoutMs: 20_000 });
    const texts = await finishStreams();
    expect(texts.every((text) => text.endsWith('data: [DONE]\n\n'))).toBe(true);
    expect(await drained).toEqual({ code: 0, signal: null });
    await expectLogs();
  });

  it('lets the streams finish when the engine alone gets the signal, even twice', async () => {
    gateway.sluice.engine.signal('SIGTERM');
    const log = () => gateway.sluice.engineLog();
    await waitFor('the engine drains', async () => (await log()).includes('"draining"'), {
      timeoutMs: 20_000,
    });
    gateway.sluice.engine.signal('SIGTERM');
    gateway.sluice.engine.signal('SIGINT');
    const texts = await finishStreams();
    expect(texts.every((text) => text.endsWith('data: [DONE]\n\n'))).toBe(true);
    expect(await gateway.sluice.engine.stop()).toEqual({ code: 0, signal: null });
    await expectLogs();
  });
});
