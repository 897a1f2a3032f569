import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { FLAG, FRAME, frame, numberFrame } from '../../../src/grpc/frames.js';
import { RawHttp2, SETTING } from '../../support/raw-http2.js';

/** Where an adversary attacks, and with what. */
export interface Target {
  gatewayUrl: string;
  /** Of a chat completion in the adversary's own project. */
  path: string;
  key: string;
  /** An endpoint whose model answers well, and much. */
  endpoint: string;
}

/** Goes on until its process ends. */
type Attack = (target: Target) => Promise<void>;

const AT_ONCE = 3;
const CANCEL = 8;
const EMPTY = Buffer.alloc(0);

const head = ({ path, key }: Target, more: Record<string, string> = {}) => ({
  ':method': 'POST',
  ':scheme': 'http',
  ':authority': 'gateway',
  ':path': path,
  authorization: `Bearer ${key}`,
  'content-type': 'application/json',
  ...more,
});

const question = ({ endpoint }: Target) =>
  Buffer.from(
    JSON.stringify({ model: endpoint, stream: true, messages: [{ role: 'user', content: 'Say much.' }] }),
  );

/** Several connections, each opened anew when it is closed. */
async function overConnections(
  target: Target,
  attack: (client: RawHttp2) => Promise<void>,
  settings: Parameters<typeof RawHttp2.connect>[1] = [],
  count = AT_ONCE,
): Promise<void> {
  const one = async () => {
    for (;;) {
      const client = await RawHttp2.connect(target.gatewayUrl, settings).catch(() => undefined);
      if (client === undefined) await sleep(50);
      else {
        await attack(client).catch(() => undefined);
        client.close();
      }
    }
  };
  await Promise.all(Array.from({ length: count }, one));
}

const oneByteFrames = (frames: number): Attack => {
  const body = Buffer.alloc(frames, ' ');
  return (target) => overConnections(target, (client) => client.body(client.open(head(target)), body).then());
};

/** Clients that speak HTTP/2 as no client does. */
export const HOSTILE_CLIENTS: Record<string, Attack> = {
  'frames of one byte, without a key': (target) => oneByteFrames(11_000)({ ...target, key: 'sk-none' }),
  'frames of one byte, with a key': oneByteFrames(2_000_000),
  'requests that are reset at once': (target) =>
    overConnections(target, async (client) => {
      while (!client.closed) {
        for (let at = 0; at < 100; at++) {
          await client.send(numberFrame(FRAME.resetStream, client.open(head(target)), CANCEL));
        }
        await sleep(1);
      }
    }),
  'headers without end': (target) =>
    overConnections(target, async (client) => {
      const stream = client.open(head(target), 0);
      const piece = Buffer.alloc(8_000, 'h');
      const field = Buffer.concat([Buffer.from([0, 1, 0x78, 0x7f, 0xc1, 0x3d]), piece]);
      while (!client.closed) await client.send(frame(FRAME.continuation, 0, stream, field));
    }),
  'as many headers as are taken': (target) =>
    overConnections(target, async (client) => {
      const many = Object.fromEntries(Array.from({ length: 80 }, (_, at) => [`x-h-${at}`, 'v'.repeat(500)]));
      while (!client.closed) {
        const stream = client.open(
          head({ ...target, key: 'sk-none' }, many),
          FLAG.endHeaders | FLAG.endStream,
        );
        while (!client.closed && !client.received.has(stream)) await sleep(1);
        client.received.clear();
      }
    }),
  'windows of one byte': (target) =>
    overConnections(
      target,
      async (client) => {
        const stream = client.open(head(target));
        await client.body(stream, question(target), { frameBytes: 1_000, end: true });
        while (!client.closed) {
          await client.send(numberFrame(FRAME.windowUpdate, stream, 1));
          await sleep(1);
        }
      },
      [[SETTING.initialWindowSize, 1]],
      20,
    ),
  'pings and settings': (target) =>
    overConnections(target, async (client) => {
      const flood = Buffer.concat(
        Array.from({ length: 500 }, (_, at) =>
          at % 2 === 0 ? frame(FRAME.ping, 0, 0, Buffer.alloc(8)) : frame(FRAME.settings, 0, 0, EMPTY),
        ),
      );
      while (!client.closed) await client.send(flood);
    }),
  'bodies without a length and without an end': (target) =>
    overConnections(target, async (client) => {
      const piece = Buffer.alloc(16_000_000, ' ');
      const streams = Array.from({ length: 8 }, () => client.open(head(target)));
      while (!client.closed) {
        for (const stream of streams) await client.body(stream, piece, { frameBytes: 16_000 });
      }
    }),
  'readers that stop': (target) => overSockets(target, 40, async () => sleep(5_000)),
  'bodies that come letter by letter': (target) =>
    overSockets(
      target,
      200,
      async (write) => {
        for (let at = 0; at < 200; at++) {
          write(' ');
          await sleep(100);
        }
      },
      5_000,
    ),
};

/** Connections of HTTP/1.1 that ask and do not read; `missing` bytes of the body are not sent. */
async function overSockets(
  target: Target,
  count: number,
  goOn: (write: (text: string) => void) => Promise<unknown>,
  missing = 0,
): Promise<void> {
  const { hostname, port } = new URL(target.gatewayUrl);
  const body = question(target);
  const one = async () => {
    for (;;) {
      const socket = connect(Number(port), hostname);
      socket.on('error', () => {});
      socket.pause();
      socket.write(
        `POST ${target.path} HTTP/1.1\r\nhost: gateway\r\nauthorization: Bearer ${target.key}\r\n` +
          `content-type: application/json\r\ncontent-length: ${body.length + missing}\r\n\r\n${body}`,
      );
      await goOn((text) => socket.writable && socket.write(text));
      socket.destroy();
    }
  };
  await Promise.all(Array.from({ length: count }, one));
}
