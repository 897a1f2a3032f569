import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect as connectTls } from 'node:tls';
import { Client, credentials, Metadata, status } from '@grpc/grpc-js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Service } from '../../../src/grpc/call.js';
import type { CertificateFiles } from '../../../src/grpc-js/certificates.js';
import { TcpServer } from '../../../src/grpc-js/server.js';
import { waitFor } from '../../../src/local/processes/wait.js';
import { type CertificatePair, TestAuthority } from '../../support/certificates.js';
import {
  type CallServer,
  type CallServerOptions,
  describeCalls,
  MAX_MESSAGE_BYTES,
  outcome,
} from '../../support/suites/calls.js';

/* The gRPC server for Envoys of other machines. */

const KEEPALIVE_MS = 20_000;
const LOOK_MS = 50;
const PATIENCE = { timeoutMs: 10_000 };
let folder: string;
let authority: TestAuthority;
let engine: CertificatePair;
let envoy: CertificatePair;
let stranger: CertificatePair;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluice-grpc-'));
  authority = new TestAuthority(folder);
  engine = authority.issue('engine', '127.0.0.1');
  envoy = authority.issue('envoy');
  stranger = new TestAuthority(folder, 'stranger').issue('envoy');
});

afterAll(() => rm(folder, { recursive: true, force: true }));

async function start(
  { services, onError }: CallServerOptions,
  tls?: CertificateFiles,
  onCertificates: (event: { refused: string } | 'changed') => void = () => {},
): Promise<TcpServer> {
  const common = { services, onError, maxMessageBytes: MAX_MESSAGE_BYTES, keepaliveMs: KEEPALIVE_MS };
  return TcpServer.listen({
    ...common,
    host: '127.0.0.1',
    port: 0,
    tls,
    onCertificates,
    certificatesLookMs: LOOK_MS,
  });
}

describeCalls('over TCP', async (options): Promise<CallServer> => {
  const server = await start(options);
  return {
    target: `127.0.0.1:${server.port}`,
    credentials: credentials.createInsecure(),
    connect: () => connect(server.port, '127.0.0.1'),
    drain: () => server.drain(),
    destroy: () => server.destroy(),
  };
});

describeCalls('over TCP with certificates on both sides', async (options): Promise<CallServer> => {
  const server = await start(options, { cert: engine.cert, key: engine.key, clientCa: engine.ca });
  const [ca, key, cert] = [envoy.ca, envoy.key, envoy.cert].map((path) => readFileSync(path));
  return {
    target: `127.0.0.1:${server.port}`,
    credentials: credentials.createSsl(ca, key, cert),
    connect: () => connectTls({ host: '127.0.0.1', port: server.port, ca, key, cert, ALPNProtocols: ['h2'] }),
    drain: () => server.drain(),
    destroy: () => server.destroy(),
  };
});

const echo: Service = (call) => ({ onMessage: (message) => call.write(message), onEnd: () => call.end() });
const options = { services: new Map([['/test/Echo', echo]]), onError: () => {} };

/** The code with which a call ends, on a connection of its own. */
async function call(port: number, ca: string, pair?: CertificatePair): Promise<number> {
  const [key, cert] = pair === undefined ? [] : [readFileSync(pair.key), readFileSync(pair.cert)];
  const client = new Client(`127.0.0.1:${port}`, credentials.createSsl(readFileSync(ca), key, cert), {
    // Else connections of other clients of this process are used again.
    'grpc.use_local_subchannel_pool': 1,
  });
  const stream = client.makeBidiStreamRequest('/test/Echo', bytesOf, bytesOf, new Metadata());
  const result = outcome(stream);
  stream.end(Buffer.from('hello'));
  const { code } = await result;
  client.close();
  return code;
}

describe('a server with certificates', () => {
  it('serves clients with a certificate of its authority, and nobody else', async () => {
    const server = await start(options, { cert: engine.cert, key: engine.key, clientCa: engine.ca });
    expect(await call(server.port, engine.ca, envoy)).toBe(status.OK);
    expect(await call(server.port, engine.ca, stranger)).toBe(status.UNAVAILABLE);
    expect(await call(server.port, engine.ca)).toBe(status.UNAVAILABLE);
    server.destroy();
  });

  it('reads changed files, and keeps the old ones where the new ones do not match', async () => {
    const files = {
      cert: join(folder, 'now.pem'),
      key: join(folder, 'now.key'),
      clientCa: join(folder, 'now-ca.pem'),
    };
    const put = ({ ca, cert, key }: CertificatePair) => {
      copyFileSync(ca, files.clientCa);
      copyFileSync(cert, files.cert);
      copyFileSync(key, files.key);
    };
    put(engine);
    const told: unknown[] = [];
    const server = await start(options, files, (event) => told.push(event));
    expect(await call(server.port, engine.ca, envoy)).toBe(status.OK);
    writeFileSync(files.key, 'no key');
    await waitFor('the broken key is told', async () => told.length === 1, PATIENCE);
    expect(told).toEqual([{ refused: expect.stringContaining('now.key') }]);
    expect(await call(server.port, engine.ca, envoy)).toBe(status.OK);
    const other = new TestAuthority(folder, 'other');
    put(other.issue('engine', '127.0.0.1'));
    await waitFor('the new ones are told', async () => told.at(-1) === 'changed', PATIENCE);
    expect(await call(server.port, other.ca, other.issue('envoy'))).toBe(status.OK);
    expect(await call(server.port, other.ca, envoy)).toBe(status.UNAVAILABLE);
    server.destroy();
  });

  it('does not start with files that are missing or are not certificates', async () => {
    await expect(start(options, { cert: '/nowhere', key: engine.key })).rejects.toThrow(/nowhere/);
    await expect(start(options, { cert: engine.cert, key: envoy.key })).rejects.toThrow(/key/);
  });
});

function bytesOf(bytes: Buffer): Buffer {
  return bytes;
}
