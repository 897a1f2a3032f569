import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, credentials, Metadata } from '@grpc/grpc-js';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { FLAG, FRAME, frame, numberFrame, PREFACE, settingsFrame } from '../../src/grpc/frames.js';
import { GrpcServer } from '../../src/grpc/server.js';
import { outcome } from '../support/suites/calls.js';

/*
 * Connections to the engine's socket that begin well and then break the protocol: frames of a true call in any order, cut,
 * repeated, with other lengths, flags and streams. Each ends, no error is left over, and a call beside it is served.
 */

const SECONDS = Number(process.env.FUZZ_SECONDS ?? 60);
const SEED = Number(process.env.SEED ?? Date.now() % 2 ** 31);
const PATH = Buffer.concat([Buffer.from([4, 10]), Buffer.from('/test/Echo')]);
const bytesOf = (value: Buffer) => value;

const folder = mkdtempSync(join(tmpdir(), 'socket-'));
const socketPath = join(folder, 'engine.sock');
const errors: unknown[] = [];
let server: GrpcServer;
let client: Client;

beforeAll(async () => {
  server = await GrpcServer.listen({
    socketPath,
    services: new Map([
      ['/test/Echo', (call) => ({ onMessage: (message) => call.write(message), onEnd: () => call.end() })],
    ]),
    maxMessageBytes: () => 1 << 20,
    keepaliveMs: 5_000,
    onError: (error) => errors.push(error),
  });
  client = new Client(`unix:${socketPath}`, credentials.createInsecure());
});
afterAll(() => {
  client.close();
  server.destroy();
  rmSync(folder, { recursive: true });
});

const message = (text: string) => {
  const bytes = Buffer.from(text);
  const prefix = Buffer.alloc(5);
  prefix.writeUInt32BE(bytes.length, 1);
  return Buffer.concat([prefix, bytes]);
};

const stream = fc.oneof(fc.constantFrom(0, 1, 1, 1, 3, 2, 5, 0x7fffffff), fc.nat());
const anyFrame = fc.oneof(
  stream.map((id) => frame(FRAME.headers, FLAG.endHeaders, id, PATH)),
  fc.tuple(stream, fc.string({ maxLength: 40 })).map(([id, text]) => frame(FRAME.data, 0, id, message(text))),
  fc
    .tuple(stream, fc.nat(255), fc.uint8Array({ maxLength: 60 }))
    .map(([id, flags, bytes]) => frame(FRAME.data, flags, id, Buffer.from(bytes))),
  fc.tuple(stream, fc.nat(0x7fffffff)).map(([id, more]) => numberFrame(FRAME.windowUpdate, id, more)),
  fc.tuple(stream, fc.nat(20)).map(([id, code]) => numberFrame(FRAME.resetStream, id, code)),
  fc.tuple(fc.nat(10), fc.nat(0x7fffffff)).map(([name, value]) => settingsFrame([[name, value]])),
  fc
    .tuple(fc.nat(12), fc.nat(255), stream, fc.uint8Array({ maxLength: 60 }))
    .map(([type, flags, id, bytes]) => frame(type, flags, id, Buffer.from(bytes))),
);
const conversation = fc
  .tuple(
    fc.array(anyFrame, { maxLength: 20, size: 'max' }),
    fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 3 }),
    fc.nat(),
  )
  .map(([frames, changes, cut]) => {
    const begin = [
      settingsFrame([]),
      frame(FRAME.headers, FLAG.endHeaders, 1, PATH),
      frame(FRAME.data, 0, 1, message('a')),
    ];
    const bytes = Buffer.concat([...begin, ...frames]);
    for (const [at, value] of changes) bytes[at % bytes.length] = value;
    return bytes.subarray(0, bytes.length - (cut % 4 === 0 ? cut % bytes.length : 0));
  });

it(`closes connections that break the protocol, and serves the others, for ${SECONDS} s`, async () => {
  console.log(`SEED=${SEED}`);
  const until = performance.now() + SECONDS * 1_000;
  for (let round = 0; performance.now() < until; round++) {
    await fc.assert(
      fc.asyncProperty(conversation, async (bytes) => {
        const socket = connect(socketPath);
        socket.on('error', () => {});
        socket.write(PREFACE);
        socket.end(bytes);
        await new Promise<void>((resolve) => socket.resume().once('close', () => resolve()));
      }),
      { numRuns: 100, seed: SEED + round },
    );
    expect(errors).toEqual([]);
    const call = client.makeBidiStreamRequest('/test/Echo', bytesOf, bytesOf, new Metadata());
    const result = outcome(call);
    call.end(Buffer.from('still here'));
    expect((await result).messages).toEqual([Buffer.from('still here')]);
  }
});
