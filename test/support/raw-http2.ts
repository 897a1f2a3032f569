import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import {
  DEFAULT_WINDOW,
  FLAG,
  FRAME,
  FRAME_HEADER_BYTES,
  frame,
  MAX_WINDOW,
  PREFACE,
  SETTING,
  settingsFrame,
} from '../../src/grpc/frames.js';
import { waitFor } from '../../src/local/processes/wait.js';

const EMPTY = Buffer.alloc(0);

/** One HTTP/2 connection of a client that can write any frames. Its streams have the numbers 1, 3, 5 and so on. */
export class RawHttp2 {
  /** How many bytes of DATA the peer accepts now. */
  window = DEFAULT_WINDOW;
  /** Types of the frames that came, by stream. */
  readonly received = new Map<number, number[]>();
  /** The error code of a received GOAWAY. */
  goAway: number | undefined;
  readonly #socket: Socket;
  #rest: Buffer = EMPTY;
  #nextStream = 1;
  #waiting: (() => void)[] = [];

  static async connect(url: string, settings: Parameters<typeof settingsFrame>[0] = []): Promise<RawHttp2> {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    await once(socket, 'connect');
    const client = new RawHttp2(socket);
    socket.write(Buffer.concat([PREFACE, settingsFrame(settings)]));
    return client;
  }

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('data', (chunk: Buffer) => this.#read(chunk));
    socket.on('error', () => {});
    socket.on('close', () => this.#wake());
  }

  get closed(): boolean {
    return this.#socket.destroyed;
  }

  /** Opens a stream and returns its number. */
  open(headers: Readonly<Record<string, string>>, flags: number = FLAG.endHeaders): number {
    const stream = this.#nextStream;
    this.#nextStream += 2;
    this.#socket.write(frame(FRAME.headers, flags, stream, headerBlock(headers)));
    return stream;
  }

  /** Writes bytes as they are. */
  async send(bytes: Buffer): Promise<void> {
    if (!this.#socket.write(bytes) && !this.closed) {
      await Promise.race([once(this.#socket, 'drain'), once(this.#socket, 'close')]).catch(() => undefined);
    }
  }

  /**
   * Sends a body in DATA frames of `frameBytes` each, as fast as the peer's window allows. Returns false where the
   * peer hung up.
   */
  async body(stream: number, body: Buffer, { frameBytes = 1, end = false } = {}): Promise<boolean> {
    const together = 1_000 * frameBytes;
    for (let at = 0; at < body.length; at += together) {
      const piece = body.subarray(at, at + together);
      while (this.window < piece.length && !this.closed) await this.#change();
      if (this.closed) return false;
      this.window -= piece.length;
      const last = end && at + together >= body.length;
      await this.send(dataFrames(stream, piece, frameBytes, last));
    }
    return !this.closed;
  }

  close(): void {
    this.#socket.destroy();
  }

  #read(chunk: Buffer): void {
    let input = Buffer.concat([this.#rest, chunk]);
    while (input.length >= FRAME_HEADER_BYTES) {
      const end = FRAME_HEADER_BYTES + input.readUIntBE(0, 3);
      if (input.length < end) break;
      this.#take(input[3]!, input[4]!, input.readUInt32BE(5) & MAX_WINDOW, input.subarray(9, end));
      input = input.subarray(end);
    }
    this.#rest = input;
    this.#wake();
  }

  #take(type: number, flags: number, stream: number, payload: Buffer): void {
    this.received.set(stream, [...(this.received.get(stream) ?? []), type]);
    if (type === FRAME.settings && (flags & FLAG.ack) === 0) {
      this.#socket.write(frame(FRAME.settings, FLAG.ack, 0, EMPTY));
    }
    if (type === FRAME.ping && (flags & FLAG.ack) === 0) {
      this.#socket.write(frame(FRAME.ping, FLAG.ack, 0, payload));
    }
    if (type === FRAME.windowUpdate && stream === 0) this.window += payload.readUInt32BE();
    if (type === FRAME.goAway) this.goAway = payload.readUInt32BE(4);
  }

  #change(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  #wake(): void {
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}

export { SETTING };

/** How many bytes of bodies a client may send on one connection before the server has read them. */
export async function connectionWindow(url: string): Promise<number> {
  const client = await RawHttp2.connect(url);
  const headers = { ':method': 'POST', ':scheme': 'http', ':authority': 'gateway', ':path': '/' };
  const stream = client.open(headers, FLAG.endHeaders | FLAG.endStream);
  // A server tells its window before it answers anything.
  await waitFor('the server has answered', async () => client.received.has(stream), { timeoutMs: 10_000 });
  client.close();
  return client.window;
}

function dataFrames(stream: number, body: Buffer, frameBytes: number, last: boolean): Buffer {
  const frames: Buffer[] = [];
  for (let at = 0; at < body.length; at += frameBytes) {
    const isLast = last && at + frameBytes >= body.length;
    frames.push(frame(FRAME.data, isLast ? FLAG.endStream : 0, stream, body.subarray(at, at + frameBytes)));
  }
  return Buffer.concat(frames);
}

/** Headers as HPACK literals with new names, which are not added to a table. */
function headerBlock(headers: Readonly<Record<string, string>>): Buffer {
  return Buffer.concat(
    Object.entries(headers).flatMap(([name, value]) => [Buffer.from([0]), text(name), text(value)]),
  );
}

function text(value: string): Buffer {
  const bytes = Buffer.from(value, 'latin1');
  if (bytes.length < 127) return Buffer.concat([Buffer.from([bytes.length]), bytes]);
  const length: number[] = [127];
  let left = bytes.length - 127;
  for (; left >= 128; left >>= 7) length.push((left & 127) | 128);
  return Buffer.concat([Buffer.from([...length, left]), bytes]);
}
