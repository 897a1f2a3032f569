import { Agent, request } from 'node:http';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { waitFor } from '../../../src/local/processes/wait.js';
import { CHAT_PATH, type Gateway, KEYS, MESSAGES, startGateway } from '../../support/gateway.js';
import { missingPrograms } from '../../support/start-sluice.js';

const REQUESTS = 600;
const CONNECTIONS = 32;

describe.skipIf(missingPrograms !== null)(`${REQUESTS} requests at ${CONNECTIONS} connections`, () => {
  let gateway: Gateway;
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  beforeAll(async () => {
    gateway = await startGateway();
  });
  afterAll(async () => {
    agent.destroy();
    await gateway?.stop();
  });

  function ask(model: string): Promise<{ status: number; id: string }> {
    const body = JSON.stringify({ model, messages: MESSAGES });
    return new Promise((resolve, reject) => {
      const headers = {
        authorization: `Bearer ${KEYS.all}`,
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
      };
      const call = request(gateway.sluice.gatewayUrl + CHAT_PATH, { method: 'POST', agent, headers });
      call.on('error', reject);
      call.on('response', (response) => {
        json(response).then((value) => {
          const { inference_log_id: id } = value as { inference_log_id: string };
          resolve({ status: response.statusCode!, id });
        }, reject);
      });
      call.end(body);
    });
  }

  it('get as many answers and logs, and Envoy resets no stream', async () => {
    // One in ten goes through the attempt filter too.
    const model = (index: number) => (index % 10 === 0 ? 'chain' : 'support');
    const answers = await Promise.all(Array.from({ length: REQUESTS }, (_, index) => ask(model(index))));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(REQUESTS);
    expect(new Set(answers.map(({ id }) => id)).size).toBe(REQUESTS);
    expect(gateway.provider.requests).toHaveLength(REQUESTS);
    await waitFor('all logs land', async () => (await gateway.logCount()) >= REQUESTS, { timeoutMs: 30_000 });
    const statuses = await gateway.sluice.database.collection('logs').distinct('status');
    expect([await gateway.logCount(), statuses]).toEqual([REQUESTS, ['success']]);
    const stats = await gateway.sluice.envoyAdmin.stats(
      'ext_proc.*(failed|timeouts|rejected|spurious)|upstream_rq_(rx|tx)_reset|upstream_cx_protocol_error|downstream_rq_5xx',
    );
    expect(stats.get('cluster.engine.upstream_rq_rx_reset')).toBe(0);
    expect(stats.get('cluster.engine.upstream_rq_tx_reset')).toBe(0);
    expect([...stats].filter(([, value]) => value !== 0)).toEqual([]);
  });
});
