import { setImmediate as nextRound } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { BodiesInFlight } from '../core/pacing/bodies-in-flight.js';
import { PassedStream, PassedStreams } from './passed-stream.js';

const MEBIBYTE = 1 << 20;
const bytes = (text: string) => Buffer.from(text);

/** The client's stream, which takes one event at a time, and only while it is told to. */
class Client {
  readonly bodies: BodiesInFlight;
  readonly passed: PassedStream;
  readonly pieces: string[] = [];
  errors: unknown[] = [];
  ends = 0;
  #due = 0;

  constructor(most = 64 * MEBIBYTE, all = new PassedStreams()) {
    this.bodies = new BodiesInFlight(() => most);
    const outlet = {
      wake: () => {
        this.#due++;
      },
      fail: (error: unknown) => this.errors.push(error),
    };
    this.passed = new PassedStream(this.bodies.open(), outlet, all);
  }

  /** Takes all events that are due, also those of the next round of the event loop. */
  async take(onChunk: (piece: string) => void = () => {}): Promise<string> {
    for (let rounds = 0; rounds < 3; rounds++) await nextRound();
    while (this.#due > 0) {
      this.#due--;
      await this.passed.giveTo({
        onChunk: async (piece) => {
          const text = piece.length < MEBIBYTE ? piece.toString() : '';
          this.pieces.push(text);
          onChunk(text);
        },
        onEnd: async () => {
          this.ends++;
        },
      });
    }
    return this.pieces.join('');
  }
}

describe('a stream that an attempt lets pass', () => {
  it('waits until the gateway may write a body, and arrives whole and in order', async () => {
    const client = new Client();
    client.passed.pass(bytes('one '));
    client.passed.pass(bytes('two '));
    expect(await client.take()).toBe('');
    client.passed.open();
    expect(await client.take()).toBe('one two ');
    client.passed.pass(bytes('three'));
    client.passed.end();
    expect([await client.take(), client.ends]).toEqual(['one two three', 1]);
  });

  it.each([
    ['before', true],
    ['behind', false],
  ])('may be empty, with its end %s the gateway', async (_when, first) => {
    const client = new Client();
    if (first) client.passed.end();
    client.passed.open();
    if (!first) client.passed.end();
    client.passed.open();
    expect([await client.take(), client.ends]).toEqual(['', 1]);
  });

  it('delivers what arrives meanwhile with a later event, and its end last', async () => {
    const client = new Client();
    client.passed.open();
    client.passed.pass(bytes('a'));
    let isFirst = true;
    await client.take(() => {
      if (!isFirst) return;
      isFirst = false;
      client.passed.pass(bytes('b'));
      client.passed.end();
    });
    expect([client.pieces, client.ends]).toEqual([['a', 'b'], 1]);
  });

  it('is handed over in one piece where it came in one turn', async () => {
    const client = new Client();
    client.passed.open();
    for (const text of ['one ', 'two ', 'three']) client.passed.pass(bytes(text));
    await client.take();
    expect(client.pieces).toEqual(['one two three']);
  });

  it('joins small pieces that wait', async () => {
    const client = new Client();
    for (let at = 0; at < 10_000; at++) client.passed.pass(bytes('x'));
    client.passed.open();
    expect(await client.take()).toBe('x'.repeat(10_000));
    expect(client.pieces.length).toBeLessThan(10);
  });

  it('ends with an error where more than 32 MiB of it wait, and accepts nothing more', async () => {
    const client = new Client();
    client.passed.open();
    for (let count = 0; count < 32; count++) client.passed.pass(Buffer.alloc(MEBIBYTE));
    expect(client.errors).toEqual([]);
    client.passed.pass(bytes('x'));
    client.passed.pass(bytes('y'));
    client.passed.end();
    expect(client.errors).toMatchObject([{ code: 'upstream_unavailable' }]);
    expect([await client.take(), client.ends, client.passed.hasWaiting]).toEqual(['', 0, false]);
  });

  it('ends with an error where it has most of more than 64 MiB that wait of all such streams', async () => {
    const all = new PassedStreams();
    const clients = [20, 22, 18].map((mebibytes) => {
      const client = new Client(64 * MEBIBYTE, all);
      client.passed.open();
      client.passed.pass(Buffer.alloc(mebibytes * MEBIBYTE));
      return client;
    });
    const errors = () => clients.map((client) => client.errors.length);
    // What was taken, or dropped, does not wait.
    await clients[0]!.take();
    clients[2]!.passed.drop();
    const [taken, waiting] = clients;
    taken!.passed.pass(Buffer.alloc(21 * MEBIBYTE));
    clients.push(new Client(64 * MEBIBYTE, all));
    clients[3]!.passed.pass(Buffer.alloc(21 * MEBIBYTE));
    expect(errors()).toEqual([0, 0, 0, 0]);
    taken!.passed.pass(bytes('x'));
    expect(errors()).toEqual([0, 1, 0, 0]);
    expect(waiting!.errors).toMatchObject([{ code: 'upstream_unavailable' }]);
    clients[3]!.passed.pass(Buffer.alloc(MEBIBYTE));
    expect(errors()).toEqual([0, 1, 0, 0]);
  });

  it('may be of any length where it is read as it arrives', async () => {
    const client = new Client();
    client.passed.open();
    for (let count = 0; count < 40; count++) {
      client.passed.pass(Buffer.alloc(MEBIBYTE));
      await client.take();
    }
    expect([client.errors, client.pieces.length]).toEqual([[], 40]);
  });

  it('counts among the bodies in flight, with the most that was waiting', async () => {
    const client = new Client(4 * MEBIBYTE);
    client.passed.open();
    for (let count = 0; count < 4; count++) {
      client.passed.pass(Buffer.alloc(MEBIBYTE));
      client.passed.pass(Buffer.alloc(MEBIBYTE));
      await client.take();
    }
    expect(client.bodies.bytes).toBeLessThanOrEqual(2 * MEBIBYTE);
    for (let count = 0; count < 5; count++) client.passed.pass(Buffer.alloc(MEBIBYTE));
    expect(client.errors).toMatchObject([{ code: 'overloaded' }]);
  });

  it('is dropped where nobody reads it any more', async () => {
    const client = new Client();
    client.passed.open();
    client.passed.pass(bytes('one'));
    client.passed.drop();
    client.passed.pass(bytes('two'));
    client.passed.end();
    expect([await client.take(), client.ends, client.passed.hasWaiting]).toEqual(['', 0, false]);
  });

  it('is not read to its end for a client that leaves meanwhile', async () => {
    const client = new Client();
    for (let count = 0; count < 3; count++) client.passed.pass(Buffer.alloc(2_000, 'x'));
    client.passed.open();
    await client.take(() => client.passed.drop());
    expect([client.pieces.length, client.ends]).toEqual([1, 0]);
  });
});
