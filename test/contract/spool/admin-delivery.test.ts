import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { SluiceError } from '../../../src/core/errors.js';
import { Secret } from '../../../src/core/secret.js';
import { NotReached } from '../../../src/spool/deliver.js';
import type { Entry } from '../../../src/spool/entry.js';
import { AdminDelivery } from '../../../src/spool/remote/admin-delivery.js';
import { encodeBatch } from '../../../src/spool/remote/batch.js';
import { KEYS as ADMIN_KEYS, type AdminApi, openAdminApi } from '../../support/admin-api.js';
import { logRecord } from '../../support/log-record.js';
import { missingMongod } from '../../support/mongod.js';

const ENGINE_KEY = 'engines-alone';
const BATCH: Entry[] = [{ kind: 'log', record: logRecord() }];

describe('what an engine makes of answers to a batch', () => {
  let server: Server;
  let delivery: AdminDelivery;
  let answer: { status: number; body: string };

  beforeAll(async () => {
    server = createServer((request, response) => {
      request.resume();
      response.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.body);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    delivery = new AdminDelivery({ url: `http://127.0.0.1:${port}`, key: () => new Secret(ENGINE_KEY) });
  });
  afterAll(async () => {
    await delivery.close();
    server.close();
  });

  const failureOf = (status: number, body: string): Promise<Error> => {
    answer = { status, body };
    return delivery.deliver(BATCH).then(
      () => expect.unreachable(),
      (error) => error,
    );
  };
  const coded = (code: string) => JSON.stringify({ error: { code } });

  it.each([
    [401, coded('invalid_api_key'), 'it answered 401 invalid_api_key'],
    [404, coded('not_found'), 'it answered 404 not_found; is it an admin service of this version?'],
    [429, coded('rate_limited'), 'it answered 429 rate_limited'],
    [502, '<html>', 'it answered 502'],
    [503, coded('storage_unavailable'), 'it answered 503 storage_unavailable'],
    [503, coded('overloaded'), 'it answered 503 overloaded'],
    [200, '<html>', 'its answer does not report them'],
    [200, '{"stored":2,"refused":[]}', 'its answer does not report them'],
    [200, '{"stored":0,"refused":[{"index":1,"reason":""}]}', 'its answer does not report them'],
  ])('%s %s: no single log is at fault', async (status, body, message) => {
    const failure = await failureOf(status, body);
    expect(failure).toBeInstanceOf(NotReached);
    expect(failure.message).toContain(`did not accept logs: ${message}`);
  });

  it.each([
    [400, coded('invalid_request')],
    [413, coded('request_too_large')],
    [500, coded('internal_error')],
  ])('%s %s: a single log may be at fault', async (status, body) => {
    expect(await failureOf(status, body)).not.toBeInstanceOf(NotReached);
  });

  it('no connection: no single log is at fault', async () => {
    const nowhere = new AdminDelivery({ url: 'http://127.0.0.1:1', key: () => undefined });
    await expect(nowhere.deliver(BATCH)).rejects.toThrow(NotReached);
    await nowhere.close();
  });
});

describe.skipIf(missingMongod !== null)('the call that takes logs of engines', () => {
  let api: AdminApi;
  const take = vi.fn(async (_batch: Buffer) => ({ stored: 1, refused: [] }));

  beforeAll(async () => {
    api = await openAdminApi({
      engineFeed: { isKey: (text) => text === ENGINE_KEY, follow: () => undefined },
      engineLogs: { take },
      limits: () => ({
        metadata_bytes: 1,
        body_values: 1_000,
        feedback_per_log: 1,
        request_body_bytes: 1,
        response_body_bytes: 1,
      }),
      rateLimit: { perKey: 5, perAddress: 600 },
    });
  });
  afterAll(() => api.close());

  const post = async (body: Buffer, key?: string, headers: Record<string, string> = {}) => {
    const answer = await api.server.inject({
      method: 'POST',
      url: '/api/logs',
      headers: {
        'content-type': 'application/octet-stream',
        ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
        ...headers,
      },
      payload: body,
    });
    return [answer.statusCode, answer.json().error?.code ?? answer.json()];
  };

  it('accepts the key of engines only, whose calls are not limited', async () => {
    const batch = await encodeBatch(BATCH);
    for (const key of [undefined, 'wrong', ADMIN_KEYS.admin, ADMIN_KEYS.all]) {
      expect(await post(batch, key)).toEqual([401, 'invalid_api_key']);
    }
    expect(take).not.toHaveBeenCalled();
    for (let call = 0; call < 10; call++) {
      expect(await post(batch, ENGINE_KEY)).toEqual([200, { stored: 1, refused: [] }]);
    }
    expect(take.mock.lastCall).toEqual([batch]);
  });

  it('refuses a batch that is larger than any log can be, before it reads it', async () => {
    expect(await post(Buffer.alloc(17 << 20), ENGINE_KEY)).toEqual([413, 'request_too_large']);
  });

  it('refuses a batch while others use all the memory allowed for them, and accepts it when they are done', async () => {
    const large = Buffer.alloc(16 << 20);
    let finish: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      finish = resolve;
    });
    take.mockImplementation(async () => {
      await held;
      return { stored: 1, refused: [] };
    });
    const calls = Array.from({ length: 4 }, () => post(large, ENGINE_KEY));
    await expect
      .poll(() => take.mock.calls.filter(([batch]) => batch.length === large.length).length)
      .toBe(4);
    expect(await post(Buffer.from('x'), ENGINE_KEY)).toEqual([503, 'overloaded']);
    finish();
    for (const call of calls) expect(await call).toEqual([200, { stored: 1, refused: [] }]);
    expect(await post(Buffer.from('x'), ENGINE_KEY)).toEqual([200, { stored: 1, refused: [] }]);
  });

  it('reports what cannot be read, and an outage, as errors of the API', async () => {
    take.mockRejectedValueOnce(new SluiceError('invalid_request', 'The batch cannot be read.'));
    expect(await post(Buffer.from('x'), ENGINE_KEY)).toEqual([400, 'invalid_request']);
    take.mockRejectedValueOnce(new SluiceError('storage_unavailable', 'Away.'));
    expect(await post(Buffer.from('x'), ENGINE_KEY)).toEqual([503, 'storage_unavailable']);
    expect(await post(Buffer.from('{}'), ENGINE_KEY, { 'content-type': 'application/json' })).toEqual([
      415,
      'unsupported_media_type',
    ]);
  });
});
