import { randomBytes } from 'node:crypto';
import { connect as connectHttp2 } from 'node:http2';
import type { Duplex } from 'node:stream';
import { type ChannelCredentials, Client, type ClientDuplexStream, Metadata, status } from '@grpc/grpc-js';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Call, Service } from '../../../src/grpc/call.js';
import { CONNECTION_WINDOW } from '../../../src/grpc/connection.js';

/* What a service sees of calls, and a client of the service, with either of the two gRPC servers between them. */

export const MAX_MESSAGE_BYTES = 1 << 20;

export interface CallServerOptions {
  services: ReadonlyMap<string, Service>;
  onError: (error: unknown) => void;
}

/** The server that the suite tests. */
export interface CallServer {
  /** The server's address, in the form that the gRPC library takes. */
  target: string;
  credentials: ChannelCredentials;
  /** Opens a separate connection. */
  connect(): Duplex;
  drain(): Promise<void>;
  destroy(): void;
}

const bytesOf = (value: Buffer) => value;

/** All messages of a call, and its final status. */
export function outcome(
  call: ClientDuplexStream<Buffer, Buffer>,
): Promise<{ messages: Buffer[]; code: number; details: string }> {
  const messages: Buffer[] = [];
  return new Promise((resolve) => {
    call.on('data', (message: Buffer) => messages.push(message));
    call.on('error', () => {});
    call.on('status', ({ code, details }) => resolve({ messages, code, details }));
  });
}

export async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resume) => setImmediate(resume));
}

export function describeCalls(
  name: string,
  start: (options: CallServerOptions) => Promise<CallServer>,
): void {
  describe(name, () => callSuite(start));
}

function callSuite(start: (options: CallServerOptions) => Promise<CallServer>): void {
  let server: CallServer;
  let client: Client;
  /** The calls whose end was reported. A call is in it once for each report. */
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

  beforeEach(async () => {
    [ended, calls, errors] = [[], [], []];
    server = await start({
      services: new Map([
        ['/test/Echo', echo],
        ['/test/Silent', silent],
        ['/test/Broken', broken],
      ]),
      onError: (error) => errors.push(error),
    });
    client = new Client(server.target, server.credentials, {
      'grpc.max_receive_message_length': -1,
      'grpc.max_send_message_length': -1,
    });
  });

  afterEach(() => {
    client.close();
    server.destroy();
  });

  function open(method: string, metadata = new Metadata()): ClientDuplexStream<Buffer, Buffer> {
    return client.makeBidiStreamRequest(`/test/${method}`, bytesOf, bytesOf, metadata);
  }

  describe('a call', () => {
    it('has all messages in their order, of any size and however many beside it', async () => {
      const sizes = fc.array(fc.oneof(fc.nat(40), fc.constantFrom(0, 16_379, 16_380, 65_536, 300_000)), {
        maxLength: 8,
      });
      await fc.assert(
        fc.asyncProperty(fc.array(sizes, { minLength: 1, maxLength: 6 }), async (callsOfSizes) => {
          const results = callsOfSizes.map(async (list) => {
            const sent = list.map((size) => randomBytes(size));
            const call = open('Echo');
            const result = outcome(call);
            for (const message of sent) call.write(message);
            call.end();
            const { messages, code } = await result;
            expect(code).toBe(status.OK);
            expect(Buffer.concat(messages).equals(Buffer.concat(sent))).toBe(true);
            expect(messages.map(({ length }) => length)).toEqual(list);
          });
          await Promise.all(results);
        }),
        { numRuns: 25 },
      );
    });

    it('has its headers, whatever stands in them and however many calls came before', async () => {
      const value = fc.string({
        unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)),
      });
      await fc.assert(
        fc.asyncProperty(fc.array(value, { maxLength: 12 }), fc.nat(6000), async (values, long) => {
          const metadata = new Metadata();
          for (const [index, text] of values.entries()) metadata.set(`x-${index}`, text);
          metadata.set('x-long', 'l'.repeat(long));
          const call = open('Echo', metadata);
          const result = outcome(call);
          call.end();
          await result;
          const seen = calls.at(-1)!.metadata;
          expect(values.map((_, index) => seen.get(`x-${index}`))).toEqual(values);
          expect(seen.get('x-long')).toHaveLength(long);
        }),
        { numRuns: 100 },
      );
    });

    it.each([
      ['Nowhere', status.UNIMPLEMENTED, expect.stringMatching(/method/)],
      ['Broken', status.INTERNAL, 'the service failed'],
    ])('of %s fails with a status', async (method, code, details) => {
      const call = open(method);
      const result = outcome(call);
      call.write(Buffer.from('hello'));
      expect(await result).toMatchObject({ code, details });
      expect(errors).toHaveLength(method === 'Broken' ? 1 : 0);
    });

    it('with a message over the limit fails, and the ones beside it go on', async () => {
      const beside = open('Echo');
      const [good, call] = [outcome(beside), open('Echo')];
      const result = outcome(call);
      call.write(Buffer.alloc(MAX_MESSAGE_BYTES + 1));
      expect((await result).code).toBe(status.RESOURCE_EXHAUSTED);
      beside.end(Buffer.from('here'));
      expect((await good).messages).toEqual([Buffer.from('here')]);
    });

    it('that its client gives up has ended, once', async () => {
      const call = open('Silent');
      const result = outcome(call);
      call.write(Buffer.from('hello'));
      await until(() => calls.length === 1);
      call.cancel();
      await result;
      await until(() => !calls[0]!.writable);
      expect(ended.filter((one) => one === calls[0])).toHaveLength(1);
    });

    it('whose connection is lost has ended, once', async () => {
      const session = connectHttp2('http://x', { createConnection: () => server.connect() });
      session.on('error', () => {});
      const call = session.request({
        ':method': 'POST',
        ':path': '/test/Silent',
        'content-type': 'application/grpc',
        te: 'trailers',
      });
      call.on('error', () => {});
      await until(() => calls.length === 1);
      session.destroy();
      await until(() => !calls[0]!.writable);
      expect(ended.filter((one) => one === calls[0])).toHaveLength(1);
    });
  });

  it('lets the calls of a connection have much under way together', async () => {
    const session = connectHttp2('http://x', { createConnection: () => server.connect() });
    session.on('error', () => {});
    await until(() => session.state.remoteWindowSize === CONNECTION_WINDOW);
    session.destroy();
  });

  describe('a drain', () => {
    it('lets the calls under way end, and takes no new ones', async () => {
      const call = open('Echo');
      const result = outcome(call);
      call.write(Buffer.from('before'));
      await until(() => calls.length === 1);
      let drained = false;
      const drain = server.drain().then(() => {
        drained = true;
      });
      call.write(Buffer.from('after'));
      const late = outcome(open('Echo'));
      expect((await late).code).toBe(status.UNAVAILABLE);
      expect(drained).toBe(false);
      call.end();
      expect(await result).toMatchObject({
        code: status.OK,
        messages: [Buffer.from('before'), Buffer.from('after')],
      });
      await drain;
    });
  });
}
