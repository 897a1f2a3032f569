import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect as connectHttp2, constants } from 'node:http2';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, type ClientDuplexStream, credentials, Metadata } from '@grpc/grpc-js';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Call, Service } from '../../../src/grpc/call.js';
import { FLAG, FRAME, frame, PREFACE, settingsFrame } from '../../../src/grpc/frames.js';
import { GrpcServer } from '../../../src/grpc/server.js';
import {
  type CallServer,
  type CallServerOptions,
  describeCalls,
  MAX_MESSAGE_BYTES,
  outcome,
  until,
} from '../../support/suites/calls.js';

/* Our gRPC server, called by the library and by Node's own HTTP/2. */

const KEEPALIVE_MS = 300;
const bytesOf = (value: Buffer) => value;

let folder: string;
let socketPath: string;
let server: GrpcServer;
let client: Client;
/** The calls whose end was told, as often as it was. */
let ended: Call[];
let calls: Call[];
let errors: unknown[];

const echo: Service = (call) => {
  calls.push(call);
  return {
    onMessage: (message) => call.write(message),
    onEnd: () => {
      ended.push(call);
      call.end();
    },
  };
};
const silent: Service = (call) => {
  calls.push(call);
  return { onMessage: () => {}, onEnd: () => void ended.push(call) };
};
const broken: Service = () => ({
  onMessage: () => {
    throw new Error('broken');
  },
  onEnd: () => {},
});

/** Its first message is under way until it is told to go on. */
const slow = { given: 0, ended: false, left: false, isFree: false, goOn: () => {} };
const slowService: Service = (call) => ({
  onMessage: () => {
    slow.given++;
    if (slow.isFree) return undefined;
    return new Promise<void>((resolve) => {
      slow.goOn = resolve;
    });
  },
  onLeave: () => {
    slow.left = true;
  },
  onEnd: () => {
    slow.ended = true;
    call.end();
  },
});
/** A millisecond of work for each message. */
const busy = { given: 0 };
const busyService: Service = (call) => ({
  onMessage: () => {
    busy.given++;
    const end = performance.now() + 1;
    while (performance.now() < end);
  },
  onEnd: () => call.end(),
});
const picky: Service = (call) => ({
  accepts: () => false,
  onMessage: (message) => call.write(message),
  onEnd: () => call.end(),
});

beforeEach(async () => {
  Object.assign(slow, { given: 0, ended: false, left: false, isFree: false });
  busy.given = 0;
  folder = mkdtempSync(join(tmpdir(), 'sluice-grpc-'));
  socketPath = join(folder, 's');
  [ended, calls, errors] = [[], [], []];
  server = await GrpcServer.listen({
    socketPath,
    services: new Map([
      ['/test/Echo', echo],
      ['/test/Silent', silent],
      ['/test/Broken', broken],
      ['/test/Slow', slowService],
      ['/test/Busy', busyService],
      ['/test/Picky', picky],
    ]),
    maxMessageBytes: () => MAX_MESSAGE_BYTES,
    keepaliveMs: KEEPALIVE_MS,
    onError: (error) => errors.push(error),
  });
  client = new Client(`unix:${socketPath}`, credentials.createInsecure(), {
    'grpc.max_receive_message_length': -1,
    'grpc.max_send_message_length': -1,
  });
});

afterEach(() => {
  client.close();
  server.destroy();
  rmSync(folder, { recursive: true, force: true });
});

function open(method: string, metadata = new Metadata()): ClientDuplexStream<Buffer, Buffer> {
  return client.makeBidiStreamRequest(`/test/${method}`, bytesOf, bytesOf, metadata);
}

async function startOnSocket({ services, onError }: CallServerOptions): Promise<CallServer> {
  const home = mkdtempSync(join(tmpdir(), 'sluice-grpc-'));
  const path = join(home, 's');
  const maxMessageBytes = () => MAX_MESSAGE_BYTES;
  const started = await GrpcServer.listen({
    socketPath: path,
    services,
    onError,
    maxMessageBytes,
    keepaliveMs: KEEPALIVE_MS,
  });
  return {
    target: `unix:${path}`,
    credentials: credentials.createInsecure(),
    connect: () => connect(path),
    drain: () => started.drain(),
    destroy: () => {
      started.destroy();
      rmSync(home, { recursive: true, force: true });
    },
  };
}

const nextRound = () => new Promise((resolve) => setImmediate(resolve));

describeCalls('on the socket of one Envoy', (options) => startOnSocket(options));

describe('a call with more messages than its service can read', () => {
  const MESSAGES = 40_000;

  it('gets one at a time, and its client may send only a window of further ones', async () => {
    const session = connectHttp2('http://x', { createConnection: () => connect(socketPath) });
    const call = session.request({ ':method': 'POST', ':path': '/test/Slow' });
    const one = Buffer.from([0, 0, 0, 0, 1, 0x78]);
    let isSent = false;
    call.write(Buffer.concat(Array.from({ length: MESSAGES }, () => one)), () => {
      isSent = true;
    });
    await until(() => slow.given > 0);
    for (let round = 0; round < 50; round++) await nextRound();
    expect([slow.given, isSent]).toEqual([1, false]);
    slow.isFree = true;
    slow.goOn();
    await until(() => slow.given === MESSAGES);
    session.destroy();
  });

  it('does not delay the calls beside it', async () => {
    const flood = open('Busy');
    const result = outcome(flood);
    for (let at = 0; at < MESSAGES; at++) flood.write(Buffer.from('x'));
    await until(() => busy.given > 0);
    const beside = open('Echo');
    const answer = outcome(beside);
    beside.end(Buffer.from('here'));
    expect((await answer).messages).toEqual([Buffer.from('here')]);
    expect(busy.given).toBeLessThan(MESSAGES / 2);
    flood.cancel();
    await result;
  });

  it('leaves room for those of a hundred others, which a new call would have to wait for', async () => {
    const session = connectHttp2('http://x', { createConnection: () => connect(socketPath) });
    await until(() => (session.state.remoteWindowSize ?? 0) >= 100 * 65_535);
    session.destroy();
  });

  it('learns of its end after all of them', async () => {
    const call = open('Slow');
    const result = outcome(call);
    for (let at = 0; at < 5; at++) call.write(Buffer.from('x'));
    call.end();
    await until(() => slow.left);
    expect([slow.given, slow.ended]).toEqual([1, false]);
    slow.isFree = true;
    slow.goOn();
    await result;
    expect([slow.given, slow.ended]).toEqual([5, true]);
  });

  it('learns at once that it was cancelled', async () => {
    const call = open('Slow');
    const result = outcome(call);
    for (let at = 0; at < 5; at++) call.write(Buffer.from('x'));
    await until(() => slow.given > 0);
    call.cancel();
    await result;
    await until(() => slow.ended);
    expect(slow.given).toBe(1);
  });
});

describe('a large message', () => {
  it('is skipped as it arrives where its service does not want it, and the next one is read', async () => {
    const call = open('Picky');
    const result = outcome(call);
    for (const size of [100_000, 3, 200_000, 4]) call.write(Buffer.alloc(size));
    call.end();
    expect((await result).messages.map(({ length }) => length)).toEqual([3, 4]);
  });
});

describe('a connection to the socket of one Envoy', () => {
  it('survives more resets than a guard against floods would allow', async () => {
    const session = connectHttp2('http://x', { createConnection: () => connect(socketPath) });
    for (let number = 1; number <= 3000; number++) {
      const call = session.request({ ':method': 'POST', ':path': '/test/Silent' });
      call.on('error', () => {});
      await until(() => calls.length === number);
      call.close(constants.NGHTTP2_CANCEL);
    }
    await until(() => calls.every((call) => !call.writable));
    expect(new Set(ended).size).toBe(3000);
    expect(session.closed).toBe(false);
    session.destroy();
  });

  it('sends no more than a slow reader can take', async () => {
    const session = connectHttp2('http://x', { createConnection: () => connect(socketPath) });
    const call = session.request({ ':method': 'POST', ':path': '/test/Echo' });
    const message = randomBytes(900_000);
    call.write(Buffer.concat([prefix(message.length), message]));
    const got: Buffer[] = [];
    // Reads a little, waits, and reads on: nothing may be lost or come twice.
    for await (const part of call) {
      got.push(part);
      await new Promise((resume) => setImmediate(resume));
      if (Buffer.concat(got).length === message.length + 5) break;
    }
    expect(Buffer.concat(got).subarray(5).equals(message)).toBe(true);
    session.destroy();
  });

  it('accepts a message in pieces of any size', async () => {
    const session = connectHttp2('http://x', { createConnection: () => connect(socketPath) });
    const messages = ['', 'a', 'b'.repeat(300)].map((text) => Buffer.from(text));
    const bytes = Buffer.concat(messages.flatMap((message) => [prefix(message.length), message]));
    for (let size = 1; size < 12; size++) {
      const call = session.request({ ':method': 'POST', ':path': '/test/Echo' });
      for (let at = 0; at < bytes.length; at += size) {
        call.write(bytes.subarray(at, at + size));
        if (at < 50) await new Promise((resume) => setImmediate(resume));
      }
      call.end();
      const got: Buffer[] = [];
      for await (const part of call) got.push(part);
      expect(Buffer.concat(got).equals(bytes)).toBe(true);
    }
    session.destroy();
  });

  it('whose peer stays silent is closed together with its calls', async () => {
    const socket = connect(socketPath);
    const path = Buffer.concat([Buffer.from([4, 12]), Buffer.from('/test/Silent')]);
    // It answers no ping.
    socket.write(Buffer.concat([PREFACE, settingsFrame([]), frame(FRAME.headers, FLAG.endHeaders, 1, path)]));
    await new Promise<void>((resolve) => socket.resume().once('close', () => resolve()));
    await until(() => ended.length === 1);
  });

  it('that speaks another protocol is closed', async () => {
    const socket = connect(socketPath);
    socket.write('GET / HTTP/1.1\r\nhost: a\r\n\r\n');
    await new Promise<void>((resolve) => socket.resume().once('close', () => resolve()));
  });

  it('withstands any bytes that break the protocol, and the server continues', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ minLength: 9, maxLength: 200, size: 'max' }), async (bytes) => {
        const socket = connect(socketPath);
        socket.on('error', () => {});
        socket.write('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');
        socket.end(Buffer.from(bytes));
        await new Promise<void>((resolve) => socket.resume().once('close', () => resolve()));
      }),
      { numRuns: 200 },
    );
    expect(errors).toEqual([]);
    const call = open('Echo');
    const result = outcome(call);
    call.end(Buffer.from('still here'));
    expect((await result).messages).toEqual([Buffer.from('still here')]);
  });
});

function prefix(length: number): Buffer {
  const bytes = Buffer.alloc(5);
  bytes.writeUInt32BE(length, 1);
  return bytes;
}
