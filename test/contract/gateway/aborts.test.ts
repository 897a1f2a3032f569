import { once } from 'node:events';
import { request } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { waitFor } from '../../../src/local/processes/wait.js';
import { borrowGateway, CHAT_PATH, type Gateway, KEYS, MESSAGES } from '../../support/gateway.js';
import { ControlledStream, hangReply } from '../../support/replies.js';
import { missingPrograms } from '../../support/start-sluice.js';

const EVENT = 'data: {"id":"a","choices":[{"index":0,"delta":{"content":"half"}}]}\n\n';

describe.skipIf(missingPrograms !== null)('a client that hangs up', () => {
  let gateway: Gateway;
  beforeAll(async () => {
    const models = (...names: string[]) => names.map((model) => ({ provider: 'fake', model }));
    gateway = await borrowGateway({
      endpoints: [
        { name: 'breaking', models: models('breaking') },
        { name: 'breaking-chain', models: models('ended-one', 'ended-two'), fallback_on: [] },
      ],
    });
  });
  afterAll(() => gateway?.stop());
  beforeEach(() => gateway.provider.reset());

  /** The one log with this id of the client's. */
  const logOf = (clientRequestId: string) =>
    waitFor(
      'the log lands',
      async () => {
        const found = await gateway.sluice.database
          .collection('logs')
          .findOne({ client_request_id: clientRequestId });
        return found === null ? undefined : gateway.log(String(found._id));
      },
      { timeoutMs: 20_000 },
    );

  it.each(['support', 'chain'])(
    'in the middle of a stream ends it at the provider, and leaves its log (%s)',
    async (model) => {
      const stream = new ControlledStream();
      gateway.provider.enqueue(stream.reply());
      const client = new AbortController();
      const opened = gateway.open({ model, stream: true }, { signal: client.signal });
      await stream.send(EVENT);
      const response = await opened;
      await response.body!.getReader().read();
      client.abort();
      expect(await (await gateway.provider.received()).answered).toBe(false);
      expect(await gateway.log(response.headers.get('x-inference-log-id')!)).toMatchObject({
        status: 'aborted',
        http_status: 200,
        response: { choices: [{ message: { content: 'half' } }] },
        attempts: [{ status: 'aborted' }],
        usage: { input_tokens: 9, output_tokens: 1, estimated: true },
        error: { code: 'client_closed' },
      });
      expect(gateway.provider.requests).toHaveLength(1);
    },
  );

  it.each(['support', 'chain'])(
    'before the answer ends the call at the provider, and leaves its log (%s)',
    async (model) => {
      gateway.provider.enqueue(hangReply);
      const client = new AbortController();
      const headers = { 'x-client-request-id': `waiting-${model}` };
      const asked = gateway.ask({ model }, { signal: client.signal, headers });
      const received = await gateway.provider.received();
      client.abort();
      await expect(asked).rejects.toThrow();
      expect(await received.answered).toBe(false);
      expect(await logOf(`waiting-${model}`)).toMatchObject({
        status: 'aborted',
        http_status: 499,
        response: null,
        attempts: [{ status: 'aborted', http_status: null }],
      });
      expect(gateway.provider.requests).toHaveLength(1);
    },
  );

  it('in the middle of its request reaches no provider, and leaves its log', async () => {
    const call = request(`${gateway.sluice.gatewayUrl}${CHAT_PATH}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${KEYS.all}`, 'x-client-request-id': 'sending' },
    });
    call.on('error', () => {});
    const socket = (await once(call, 'socket'))[0];
    await new Promise((resolve) =>
      call.write(JSON.stringify({ model: 'support', messages: MESSAGES }).slice(0, 20), resolve),
    );
    await waitFor(
      'Envoy has the request',
      async () => (await gateway.sluice.envoyAdmin.requestsInFlight()) === 1,
      { timeoutMs: 10_000, intervalMs: 20 },
    );
    socket.destroy();
    expect(await logOf('sending')).toMatchObject({
      status: 'aborted',
      http_status: 499,
      attempts: [],
      request: null,
    });
    expect(gateway.provider.requests).toEqual([]);
  });

  it('leaves the requests beside it alone', async () => {
    const clients = Array.from({ length: 20 }, () => new AbortController());
    gateway.provider.enqueue(...clients.map(() => hangReply));
    const hangers = clients.map(({ signal }) => gateway.ask({}, { signal }).catch(() => 'hung up'));
    await gateway.provider.received(19);
    for (const client of clients) client.abort();
    const others = await Promise.all(Array.from({ length: 20 }, () => gateway.ask()));
    expect(others.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200));
    expect(new Set(await Promise.all(hangers))).toEqual(new Set(['hung up']));
  });

  it.each(['breaking', 'breaking-chain'])(
    'is distinguished from a provider that breaks off in the middle of an answer (%s)',
    async (model) => {
      const stream = new ControlledStream();
      gateway.provider.enqueue(stream.reply({ headers: { 'content-type': 'application/json' } }));
      const headers = { 'x-client-request-id': `broken-${model}` };
      const asked = gateway.ask({ model }, { headers }).then(
        ({ status, json }) => [status, json.error.code],
        () => 'cut',
      );
      await stream.send('{"choices":[');
      await stream.reset();
      expect(await asked).toEqual([502, 'upstream_unavailable']);
      expect(await logOf(`broken-${model}`)).toMatchObject({
        status: 'error',
        http_status: 502,
        attempts: [{ status: 'server_error' }],
      });
    },
  );
});
