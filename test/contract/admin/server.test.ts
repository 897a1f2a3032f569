import { once } from 'node:events';
import type { Socket } from 'node:net';
import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { text } from 'node:stream/consumers';
import type { FastifyInstance } from 'fastify';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { HealthReport } from '../../../src/admin/dependencies.js';
import { createHealthServer } from '../../../src/admin/health-server.js';
import { systemClock } from '../../../src/core/clock.js';
import { SluiceError } from '../../../src/core/errors.js';
import { type AdminApi, KEYS, openAdminApi, PROJECT } from '../../support/admin-api.js';
import { missingMongod } from '../../support/mongod.js';
import { silentLogger } from '../../support/silent-logger.js';

describe.skipIf(missingMongod !== null)('the admin server', () => {
  let api: AdminApi;
  const ready: HealthReport = { ready: true, parts: { mongodb: 'ready', engine: 'ready' } };
  let health = ready;
  let thrown: unknown;
  const told: { fields: object; message: string }[] = [];

  beforeAll(async () => {
    api = await openAdminApi({
      health: () => health,
      plugins: () => {
        throw thrown;
      },
      logger: {
        debug: () => {},
        info: () => {},
        warn: () => {},
        error: (fields, message) => told.push({ fields, message }),
      },
      rateLimit: { perKey: 1000, perAddress: 30 },
    });
  });

  afterEach(() => {
    health = ready;
    told.length = 0;
  });

  afterAll(() => api.close());

  it('tells whether it is live and what is ready, to everybody', async () => {
    expect((await api.call('GET', '/healthz/live', { key: null })).status).toBe(200);
    // Some load balancers ask so.
    expect((await api.call('HEAD', '/healthz/ready', { key: null })).status).toBe(200);
    const answer = await api.call('GET', '/healthz/ready', { key: null });
    expect([answer.status, answer.json]).toEqual([200, { status: 'ready', parts: ready.parts }]);
    health = { ready: true, parts: { mongodb: 'degraded', engine: 'ready' } };
    const degraded = await api.call('GET', '/healthz/ready', { key: null });
    expect([degraded.status, degraded.json.status]).toEqual([200, 'degraded']);
    health = { ready: false, parts: { mongodb: 'ready', engine: 'starting' } };
    const starting = await api.call('GET', '/healthz/ready', { key: null });
    expect([starting.status, starting.json.status]).toEqual([503, 'starting']);
  });

  it('shows metrics as text', async () => {
    const answer = await api.call('GET', '/metrics', { key: null });
    expect(answer.headers['content-type']).toContain('text/plain');
    expect(answer.text).toContain('\nsluice_spool_records 0\n');
  });

  it('hides the reason of an internal error from the client, and logs it for the operator', async () => {
    thrown = new Error('secret of the inside');
    const answer = await api.call('GET', '/api/plugins', { key: KEYS.admin });
    expect([answer.status, answer.json.error.code]).toEqual([500, 'internal_error']);
    expect(answer.text).not.toMatch(/secret|at \w+ \(/);
    expect(told).toEqual([{ fields: expect.objectContaining({ err: thrown }), message: expect.any(String) }]);
  });

  it('answers 503 while the storage is away', async () => {
    thrown = new SluiceError('storage_unavailable', 'The storage is not available at the moment.');
    const answer = await api.call('GET', '/api/plugins', { key: KEYS.admin });
    expect([answer.status, answer.json.error.code]).toEqual([503, 'storage_unavailable']);
  });

  it('answers what is not HTTP, or too large, with an error in its own format', async () => {
    const url = new URL(await api.server.listen({ host: '127.0.0.1', port: 0 }));
    const send = (text: string) =>
      new Promise<string>((resolve, reject) => {
        let answer = '';
        const socket = connect({ host: url.hostname, port: Number(url.port) }, () => socket.write(text));
        socket.on('data', (bytes) => {
          answer += bytes;
        });
        socket.on('end', () => resolve(answer)).on('error', reject);
      });
    const broken = await send('HELLO\r\n\r\n');
    expect(broken).toMatch(/^HTTP\/1.1 400 .*"code":"invalid_request"/s);
    const path = await send('GET /%zz HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n');
    expect(path).toMatch(/^HTTP\/1.1 400 .*"code":"invalid_request"/s);
    const long = await send(`GET /${'x'.repeat(9_000)} HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n`);
    expect(long).toMatch(/^HTTP\/1.1 414 .*"code":"request_too_large"/s);
    const large = await send(`GET /?${'x'.repeat(200_000)} HTTP/1.1\r\n\r\n`);
    expect(large).toMatch(/^HTTP\/1.1 431 .*"code":"request_too_large"/s);
  });

  it('sends security headers', async () => {
    const { headers } = await api.call('GET', '/healthz/live', { key: null });
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['content-security-policy']).toContain("default-src 'self'");
    expect(headers['x-powered-by']).toBeUndefined();
  });

  it('forbids browsers and proxies to cache its answers', async () => {
    for (const [method, path] of [
      ['GET', `/${PROJECT}/logs`],
      ['GET', '/api/projects'],
      ['POST', '/api/projects'],
    ] as const) {
      const { headers } = await api.call(method, path, { key: KEYS.admin, body: undefined });
      expect(headers['cache-control']).toBe('no-store');
    }
  });

  it('counts calls without a key that came through the gateway apart from direct ones of the same address', async () => {
    const guess = (headers = {}) => api.call('GET', `/${PROJECT}/tags`, { key: 'sk-guess', headers });
    const statuses = new Set<number>();
    for (let call = 0; call < 40; call++) statuses.add((await guess({ 'x-sluice-gateway': '1' })).status);
    expect([...statuses]).toEqual([401, 429]);
    expect((await guess()).status).toBe(401);
  });

  it('slows down those who guess keys, and nobody with a valid one', async () => {
    const statusWith = async (key: string) => (await api.call('GET', `/${PROJECT}/tags`, { key })).status;
    const statuses = new Set<number>();
    for (let call = 0; call < 40; call++) statuses.add(await statusWith(`sk-guess-${call}`));
    expect([...statuses]).toEqual([401, 429]);
    const answer = await api.call('GET', `/${PROJECT}/tags`, { key: 'sk-guess' });
    expect([answer.json.error.code, answer.json.error.type]).toEqual(['rate_limited', 'rate_limit_error']);
    expect(await statusWith(KEYS.all)).toBe(200);
    expect((await api.call('GET', '/healthz/live', { key: null })).status).toBe(200);
    const signedIn = await api.call('POST', '/api/session', { key: null, body: { key: KEYS.admin } });
    expect(signedIn.status).toBe(204);
    const cookie = String(signedIn.headers['set-cookie']).split(';', 1)[0]!;
    const headers = { cookie };
    expect((await api.call('GET', '/api/session', { key: null, headers })).status).toBe(200);
  });
});

describe.skipIf(missingMongod !== null)('a request whose body never ends', () => {
  const requestTimeoutMs = 200;
  const health = () => ({ ready: true, parts: {} });
  const servers: [string, () => Promise<FastifyInstance>][] = [
    ['an admin service', async () => (await openApi({ requestTimeoutMs })).server],
    [
      'an engine',
      async () => createHealthServer({ health, logger: silentLogger, clock: systemClock, requestTimeoutMs }),
    ],
  ];

  it.each(servers)('is answered with 408 by %s when its time is over', async (_whose, create) => {
    const server = await create();
    onTestFinished(() => server.close());
    const { hostname, port } = new URL(await server.listen({ host: '127.0.0.1', port: 0 }));
    const socket = connect(Number(port), hostname);
    socket.write(
      'POST /api/session HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: 1\r\n\r\n',
    );
    expect(await text(socket)).toMatch(
      /^HTTP\/1\.1 408 .*"message":"The request took too long to come in\."/s,
    );
  });
});

const MOST = 1_000;
const AT_ONCE = 100;
/** Connections of the loopback address are not counted. */
const address = Object.values(networkInterfaces())
  .flat()
  .find((own) => own?.family === 'IPv4' && !own.internal)?.address;
const withoutAddress = address === undefined ? 'this machine has no address beside loopback' : missingMongod;

describe.skipIf(withoutAddress !== null)(
  `an address${withoutAddress === null ? '' : ` (${withoutAddress})`}`,
  () => {
    const health = () => ({ ready: true, parts: {} });
    const servers: [string, () => Promise<FastifyInstance>][] = [
      ['an admin service', async () => (await openApi()).server],
      ['an engine', async () => createHealthServer({ health, logger: silentLogger, clock: systemClock })],
    ];

    it.each(servers)(`has ${MOST} connections to the admin port of %s at most`, async (_whose, create) => {
      const server = await create();
      onTestFinished(() => server.close());
      const url = new URL(await server.listen({ host: address!, port: 0 }));
      const sockets: Socket[] = [];
      onTestFinished(() => {
        for (const socket of sockets) socket.destroy();
      });
      // Where more connections arrive at once than may wait, the kernel lets later ones overtake them.
      while (sockets.length < MOST) {
        const some = Array.from({ length: AT_ONCE }, () => connectTo(url));
        sockets.push(...some);
        await Promise.all(some.map((socket) => once(socket, 'connect')));
      }
      const further = connectTo(url);
      await expect.poll(() => further.destroyed, { timeout: 5_000 }).toBe(true);
      expect(sockets.filter(({ destroyed }) => destroyed)).toEqual([]);
      sockets.pop()!.end();
      // The server learns of it in its own time.
      await expect.poll(() => answerTo(url)).toMatch(/^HTTP\/1\.1 200 /);
    });
  },
);

async function openApi(options?: Parameters<typeof openAdminApi>[0]) {
  const api = await openAdminApi(options);
  onTestFinished(() => api.close());
  return api;
}

function connectTo({ hostname, port }: URL): Socket {
  return connect(Number(port), hostname).on('error', () => {});
}

/** What the server answers on a new connection; empty where it closes that. */
async function answerTo(url: URL): Promise<string> {
  const socket = connectTo(url);
  socket.write('GET /healthz/live HTTP/1.1\r\nhost: admin\r\nconnection: close\r\n\r\n');
  let answer = '';
  socket.on('data', (bytes) => {
    answer += bytes;
  });
  await once(socket, 'close');
  return answer;
}
