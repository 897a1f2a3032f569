import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { TestAuthority } from '../../test/support/certificates.js';
import type { ProviderCall, ProviderEvent, ProviderRequest } from '../pipeline/exchange/ports.js';
import { HttpProviderClient } from './provider-client.js';

const servers: Server[] = [];
const clients: HttpProviderClient[] = [];

afterEach(async () => {
  for (const client of clients.splice(0)) await client.close();
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

async function listening(server: Server): Promise<number> {
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

interface Asked {
  events: ProviderEvent[];
  call: ProviderCall;
  /** Resolves with the last event. */
  over: Promise<ProviderEvent>;
}

function askAt(origin: string, more: Partial<ProviderRequest> = {}, trusted?: string): Asked {
  const client = new HttpProviderClient(trusted);
  clients.push(client);
  const events: ProviderEvent[] = [];
  let end!: (event: ProviderEvent) => void;
  const over = new Promise<ProviderEvent>((resolve) => {
    end = resolve;
  });
  const request = { origin, path: '/v1', headers: {}, body: Buffer.from('{}'), ...more };
  const call = client.ask(request, (event) => {
    events.push(event);
    if (event.kind === 'end' || event.kind === 'failed') end(event);
  });
  return { events, call, over };
}

async function ask(reply: RequestListener, more: Partial<ProviderRequest> = {}): Promise<Asked> {
  return askAt(`http://127.0.0.1:${await listening(createServer(reply))}`, more);
}

function headOf({ events }: Asked) {
  const [first] = events;
  return first?.kind === 'head' ? first.head : undefined;
}

describe('the request to a provider', () => {
  /** The values of a header, as the bytes that came. */
  async function received(headers: Record<string, string>): Promise<IncomingMessage['headers']> {
    let seen: IncomingMessage['headers'] = {};
    const asked = await ask(
      (request, response) => {
        seen = request.headers;
        response.end();
      },
      { headers },
    );
    expect(await asked.over).toEqual({ kind: 'end' });
    return seen;
  }

  it('has headers in UTF-8, as Envoy passes them on', async () => {
    const { 'user-agent': agent } = await received({ 'user-agent': 'Müller 日本' });
    expect(Buffer.from(agent!, 'latin1').toString()).toBe('Müller 日本');
  });

  it('is not a failure of the provider where a client sends control characters in a header', async () => {
    expect(await received({ 'user-agent': 'a\u0001b\u007f' })).toMatchObject({ 'user-agent': 'ab' });
  });
});

describe('an answer of a provider', () => {
  it('has its names in lower case, repeated values joined, and no cookies', async () => {
    const asked = await ask((_request, response) => {
      response.setHeader('X-Many', ['a', 'b']);
      response.setHeader('Set-Cookie', ['c=1', 'd=2']);
      response.setHeader('X-Name', Buffer.from('Müller').toString('latin1'));
      // Beside a text, Node.js writes headers in UTF-8.
      response.end(Buffer.from('yes'));
    });
    await asked.over;
    expect(headOf(asked)?.headers).toMatchObject({ 'x-many': 'a, b', 'x-name': 'Müller' });
    expect(headOf(asked)?.headers).not.toHaveProperty('set-cookie');
  });

  it.each([
    ['headers', Object.fromEntries(Array.from({ length: 90 }, (_, index) => [`x-${index}`, 'a']))],
    ['bytes of headers', { 'x-long': 'a'.repeat(57 * 1024) }],
  ])('with more %s than Envoy can pass on is an error', async (_what, headers) => {
    const asked = await ask((_request, response) => response.writeHead(200, headers).end('yes'));
    expect(await asked.over).toEqual({ kind: 'failed', connected: true });
    expect(headOf(asked)).toBeUndefined();
  });

  it('is passed on in one piece where many chunks come at once', async () => {
    const asked = await ask((_request, response) => {
      const head = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n';
      response.socket!.end(`${head}1\r\na\r\n1\r\nb\r\n1\r\nc\r\n0\r\n\r\n`);
    });
    await asked.over;
    expect(asked.events.slice(1)).toEqual([{ kind: 'chunk', chunk: Buffer.from('abc') }, { kind: 'end' }]);
  });

  it('includes what came before its connection broke', async () => {
    const asked = await ask((_request, response) => {
      response.socket!.end('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1\r\na\r\n1\r\nb\r\n');
    });
    await asked.over;
    const came = asked.events.flatMap((event) => (event.kind === 'chunk' ? [event.chunk] : []));
    expect(Buffer.concat(came).toString()).toBe('ab');
    expect(asked.events.at(-1)).toEqual({ kind: 'failed', connected: true });
  });

  it('is read no faster than it is used', async () => {
    const piece = Buffer.alloc(64 * 1024);
    let written = 0;
    const asked = await ask((_request, response) => {
      const write = () => {
        while (written < 64 * 1024 * 1024) {
          written += piece.length;
          if (!response.write(piece)) return void response.once('drain', write);
        }
        response.end();
      };
      write();
    });
    const bytes = () =>
      asked.events.reduce((sum, event) => sum + (event.kind === 'chunk' ? event.chunk.length : 0), 0);
    // It has stopped: so many turns of the event loop would have brought all of it.
    for (let turn = 0; turn < 2_000; turn++) await new Promise((resume) => setImmediate(resume));
    const unread = bytes();
    expect(unread).toBeGreaterThan(0);
    expect(unread).toBeLessThan(1024 * 1024);
    asked.call.taken(unread);
    await expect.poll(bytes).toBeGreaterThan(unread);
    asked.call.cancel();
  });

  it('ends its connection, and calls nobody, once nobody waits for it', async () => {
    let isClosed = false;
    const asked = await ask((request, response) => {
      request.socket.on('close', () => {
        isClosed = true;
      });
      response.write('a');
    });
    await expect.poll(() => asked.events.length).toBe(2);
    asked.call.cancel();
    await expect.poll(() => isClosed).toBe(true);
    expect(asked.events).toHaveLength(2);
  });

  it('is not requested where nobody waits for it by the time there is a connection', async () => {
    let requests = 0;
    const port = await listening(createServer((_request, response) => void response.end(String(requests++))));
    const { call, events } = askAt(`http://127.0.0.1:${port}`);
    call.cancel();
    await askAt(`http://127.0.0.1:${port}`).over;
    expect(requests).toBe(1);
    expect(events).toEqual([]);
  });
});

describe('a provider with TLS', () => {
  let folder: string;
  let authority: TestAuthority;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'sluice-provider-'));
    authority = new TestAuthority(folder);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  async function answerOf(place: string, trusted: string) {
    const { cert, key } = authority.issue(`provider-${place}`, place);
    const requests: string[] = [];
    const options = { cert: readFileSync(cert), key: readFileSync(key) };
    const server = createTlsServer(options, (request, response) => {
      requests.push(request.url!);
      response.end();
    });
    const origin = `https://127.0.0.1:${await listening(server)}`;
    return { event: await askAt(origin, {}, trusted).over, requests };
  }

  it('is used where a trusted authority confirms its name', async () => {
    expect(await answerOf('127.0.0.1', authority.ca)).toEqual({ event: { kind: 'end' }, requests: ['/v1'] });
  });

  it('is not used where its certificate belongs to somebody else, and counts as not connected', async () => {
    const failed = { event: { kind: 'failed', connected: false }, requests: [] };
    expect(await answerOf('127.0.0.2', authority.ca)).toEqual(failed);
  });

  it('is not used where no trusted authority signed its certificate', async () => {
    const failed = { event: { kind: 'failed', connected: false }, requests: [] };
    expect(await answerOf('127.0.0.1', join(folder, 'missing.pem'))).toEqual(failed);
  });
});
