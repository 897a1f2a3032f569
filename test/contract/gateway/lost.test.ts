import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { waitFor } from '../../../src/local/processes/wait.js';
import { CHAT_PATH, type Gateway, KEYS, MESSAGES, startGateway } from '../../support/gateway.js';
import { type OpenStreams, openStreams } from '../../support/open-streams.js';
import { hangReply } from '../../support/replies.js';
import { missingPrograms } from '../../support/start-sluice.js';

const COUNT = 12;
const CHUNK_BYTES = 3_000;

describe.skipIf(missingPrograms !== null)('requests under way when Envoy is gone', () => {
  let gateway: Gateway;
  let streams: OpenStreams;

  beforeEach(async () => {
    gateway = await startGateway();
    streams = await openStreams(gateway, COUNT, ['support', 'chain']);
  });
  afterEach(async () => {
    await gateway?.stop();
    await streams?.closed();
  });

  it('end as aborted at once, and the engine can still be stopped', async () => {
    gateway.provider.always(hangReply);
    const calls = Array.from({ length: COUNT }, (_, at) =>
      gateway.ask({ model: at % 2 === 0 ? 'support' : 'chain' }).catch(() => {}),
    );
    // Half a request: its exchange has begun, and its body never comes.
    const halves = Array.from({ length: COUNT }, () => halfRequest().catch(() => {}));
    await waitFor('all wait for the provider', async () => gateway.provider.requests.length >= 2 * COUNT, {
      timeoutMs: 20_000,
    });
    await gateway.sluice.envoy.kill();
    await expectAborted(2 * COUNT);
    expect(await gateway.sluice.engine.stop()).toEqual({ code: 0, signal: null });
    await Promise.all([...calls, ...halves]);
  });

  it('end in the same way where messages of Envoy are still unread', async () => {
    const before = await sentToEngine();
    gateway.sluice.engine.signal('SIGSTOP');
    await streams.send('x'.repeat(CHUNK_BYTES));
    const arrived = async () => (await sentToEngine()) - before > COUNT * CHUNK_BYTES;
    await waitFor('Envoy has passed them on', arrived, { timeoutMs: 20_000 });
    await gateway.sluice.envoy.kill();
    gateway.sluice.engine.signal('SIGCONT');
    await expectAborted(COUNT);
    expect(await gateway.sluice.engine.stop()).toEqual({ code: 0, signal: null });
  });

  /** The time of each of them is two minutes. */
  async function expectAborted(count: number): Promise<void> {
    const logs = await waitFor(
      'their logs land',
      async () => {
        const found = await gateway.sluice.database.collection('logs').find().toArray();
        return found.length >= count && found;
      },
      { timeoutMs: 20_000 },
    );
    for (const { status, error } of logs) {
      expect(status).toBe('aborted');
      expect(['gateway_lost', 'client_closed']).toContain(error.code);
    }
  }

  async function sentToEngine(): Promise<number> {
    const stats = await gateway.sluice.envoyAdmin.stats(
      '^cluster\\.engine(-attempts)?\\.upstream_cx_tx_bytes_total$',
    );
    return [...stats.values()].reduce((sum, bytes) => sum + bytes, 0);
  }

  function halfRequest(): Promise<Response> {
    const body = new ReadableStream({
      start(controller) {
        controller.enqueue(
          Buffer.from(JSON.stringify({ model: 'support', messages: MESSAGES }).slice(0, -2)),
        );
      },
    });
    return fetch(`${gateway.sluice.gatewayUrl}${CHAT_PATH}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${KEYS.all}`, 'content-type': 'application/json' },
      body,
      duplex: 'half',
    } as RequestInit);
  }
});
