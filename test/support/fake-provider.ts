import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ReceivedRequest } from './received-request.js';
import { jsonReply, type Reply } from './replies.js';

/** The error codes of writing to a client that has disconnected. */
const HUNG_UP = new Set(['ECONNRESET', 'EPIPE', 'ERR_STREAM_DESTROYED']);

/**
 * A model provider inside the test's process. Each request takes the next queued reply, or else the default one. Everything
 * received is kept, so that a test can also check what must not have arrived.
 */
export class FakeProvider {
  readonly requests: ReceivedRequest[] = [];
  readonly #server = createServer((request, response) => this.#serve(request, response));
  readonly #queue: Reply[] = [];
  readonly #failures: unknown[] = [];
  #waiting: { count: number; resolve: () => void }[] = [];
  #standing: Reply = jsonReply({ error: { message: 'the test told no reply' } }, { status: 500 });

  /** The `base_url` for an OpenAI or Anthropic provider. */
  get baseUrl(): string {
    return `http://127.0.0.1:${this.port}/v1`;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  listen(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(0, '127.0.0.1', resolve);
    });
  }

  /** Queues these replies: each of them answers one of the next requests, in this order. */
  enqueue(...replies: Reply[]): void {
    this.#queue.push(...replies);
  }

  /** Sets the reply to every request for which none is queued. */
  always(reply: Reply): void {
    this.#standing = reply;
  }

  /** Forgets what was received and the queued replies. The default reply stays. */
  reset(): void {
    this.requests.length = 0;
    this.#queue.length = 0;
  }

  /** The request with this number, counted from 0, as soon as its headers and body have arrived. */
  async received(index = 0): Promise<ReceivedRequest> {
    if (this.requests.length <= index) {
      await new Promise<void>((resolve) => this.#waiting.push({ count: index + 1, resolve }));
    }
    return this.requests[index] as ReceivedRequest;
  }

  /** Closes the server and cuts open connections. Rejects where a reply function of the test threw an error. */
  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
    if (this.#failures.length > 0)
      throw new AggregateError(this.#failures, 'a reply of the fake provider failed');
  }

  async #serve(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readBody(message);
    if (body === undefined) return;
    const request = new ReceivedRequest(message, body, response);
    this.requests.push(request);
    const reply = this.#queue.shift() ?? this.#standing;
    this.#waiting = this.#waiting.filter((waiter) => {
      if (waiter.count <= this.requests.length) waiter.resolve();
      return waiter.count > this.requests.length;
    });
    try {
      await reply(response, request);
    } catch (error) {
      // In some tests the client disconnects in the middle of an answer, which is not an error of the reply.
      const hungUp = response.destroyed || HUNG_UP.has((error as NodeJS.ErrnoException).code ?? '');
      if (!hungUp) this.#failures.push(error);
      response.destroy();
    }
  }
}

export async function startFakeProvider(): Promise<FakeProvider> {
  const provider = new FakeProvider();
  await provider.listen();
  return provider;
}

/** The body of a request; undefined where the sender broke off before it was complete. */
async function readBody(message: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of message) chunks.push(chunk as Buffer);
  } catch {
    return undefined;
  }
  return Buffer.concat(chunks);
}
