import type * as grpc from '@grpc/grpc-js';
import { type Call, type CallListener, type Service, STATUS } from '../grpc/call.js';

/** For a larger message the service is first asked whether it wants it, as in our own server (src/grpc). */
const LARGE_MESSAGE_BYTES = 65_535;

/** A call of the library `@grpc/grpc-js`, in the form that services expect. */
export class GrpcJsCall implements Call {
  readonly metadata: ReadonlyMap<string, string>;
  #listener?: CallListener;
  readonly #waiting: Buffer[] = [];
  /** Whether the service is handling a message. */
  #busy = false;
  /** Whether the client can still receive what is written. */
  #open = true;
  /** How the client left the call; undefined while it has not. */
  #left?: 'ended' | 'lost';
  #endReported = false;

  constructor(
    private readonly stream: grpc.ServerDuplexStream<Buffer, Buffer>,
    private readonly onError: (error: unknown) => void,
  ) {
    const headers = Object.entries(stream.metadata.getMap());
    this.metadata = new Map(headers.map(([name, value]) => [name, String(value)]));
  }

  serve(service: Service): void {
    const { stream } = this;
    this.#try(() => {
      this.#listener = service(this);
    });
    stream.on('data', (message: Buffer) => {
      this.#waiting.push(message);
      this.#give();
    });
    // For a call that broke off, the library emits `end` before `error`.
    stream.on('end', () => setImmediate(() => this.#leave(stream.cancelled ? 'lost' : 'ended')));
    stream.on('cancelled', () => this.#leave('lost'));
    stream.on('error', () => this.#leave('lost'));
  }

  get writable(): boolean {
    return this.#open && !this.stream.cancelled;
  }

  get hasWaiting(): boolean {
    return this.#waiting.length > 0 || this.stream.readableLength > 0;
  }

  write(message: Buffer): void {
    if (this.writable) this.stream.write(message);
  }

  end(): void {
    if (!this.#open) return;
    this.#open = false;
    this.stream.end();
  }

  fail(code: number, details: string): void {
    if (!this.#open) return;
    this.#open = false;
    this.stream.emit('error', { code, details });
  }

  /** Delivers one message at a time. While the service handles one, no more are read from the client. */
  #give(): void {
    while (!this.#busy && this.#waiting.length > 0) {
      const message = this.#waiting.shift()!;
      this.#try(() => {
        if (message.length > LARGE_MESSAGE_BYTES && this.#listener?.accepts?.(message.length) === false)
          return;
        const pending = this.#listener?.onMessage(message);
        if (pending !== undefined) this.#await(pending);
      });
    }
    if (!this.#busy) this.#reportEnd();
  }

  #await(pending: Promise<void>): void {
    this.#busy = true;
    this.stream.pause();
    const goOn = () => {
      this.#busy = false;
      this.stream.resume();
      this.#give();
    };
    pending.then(goOn, (error) => {
      this.#fail(error);
      goOn();
    });
  }

  #leave(how: 'ended' | 'lost'): void {
    if (this.#left !== undefined) return;
    this.#left = how;
    if (how === 'lost') {
      this.#open = false;
      this.#waiting.length = 0;
    }
    this.#try(() => this.#listener?.onLeave?.(how === 'lost'));
    // Messages of a client that disconnected are dropped.
    if (how === 'lost' || !this.#busy) this.#reportEnd();
  }

  #reportEnd(): void {
    if (this.#left === undefined || this.#endReported) return;
    if (this.#left === 'ended' && this.#waiting.length > 0) return;
    this.#endReported = true;
    this.#try(() => this.#listener?.onEnd(this.#left === 'lost'));
  }

  #try(call: () => void): void {
    try {
      call();
    } catch (error) {
      this.#fail(error);
    }
  }

  #fail(error: unknown): void {
    this.onError(error);
    this.fail(STATUS.internal, 'the service failed');
  }
}
