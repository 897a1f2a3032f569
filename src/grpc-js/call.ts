import type * as grpc from '@grpc/grpc-js';
import { type Call, type CallListener, type Service, STATUS } from '../grpc/call.js';

/** One call of the library, as services see calls. */
export class GrpcJsCall implements Call {
  readonly metadata: ReadonlyMap<string, string>;
  #open = true;
  #ended = false;
  #listener?: CallListener;

  constructor(
    private readonly stream: grpc.ServerDuplexStream<Buffer, Buffer>,
    private readonly onError: (error: unknown) => void,
  ) {
    this.metadata = new Map(
      Object.entries(stream.metadata.getMap()).map(([name, value]) => [name, String(value)]),
    );
  }

  serve(service: Service): void {
    const { stream } = this;
    this.#tell(() => {
      this.#listener = service(this);
    });
    stream.on('data', (message: Buffer) => this.#tell(() => this.#listener?.onMessage(message)));
    // The library tells the end of a call that was broken off ahead of the break.
    stream.on('end', () => setImmediate(() => this.#end(stream.cancelled)));
    stream.on('cancelled', () => this.#end(true));
    stream.on('error', () => this.#end(true));
  }

  get writable(): boolean {
    return this.#open && !this.stream.cancelled;
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

  #end(lost: boolean): void {
    if (this.#ended) return;
    this.#ended = true;
    if (lost) this.#open = false;
    this.#tell(() => this.#listener?.onEnd(lost));
  }

  #tell(call: () => void): void {
    try {
      call();
    } catch (error) {
      this.onError(error);
      this.fail(STATUS.internal, 'the service failed');
    }
  }
}
