import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { constants, createGzip, type Gzip, gzipSync } from 'node:zlib';
import type { ReceivedRequest } from './received-request.js';

/** Answers one request. It may look at the request, wait for the test, or never answer. */
export type Reply = (response: ServerResponse, request: ReceivedRequest) => void | Promise<void>;

export interface ReplyOptions {
  status?: number;
  headers?: OutgoingHttpHeaders;
  gzip?: boolean;
  /** The answer begins only after this promise resolves. */
  after?: Promise<unknown>;
}

export function jsonReply(value: unknown, options: ReplyOptions = {}): Reply {
  return bytesReply(JSON.stringify(value), {
    ...options,
    headers: { 'content-type': 'application/json', ...options.headers },
  });
}

/** A reply with any body, such as HTML of a proxy or JSON that is cut off. */
export function bytesReply(body: string | Buffer, options: ReplyOptions = {}): Reply {
  return async (response) => {
    await options.after;
    const bytes = options.gzip ? gzipSync(body) : Buffer.from(body);
    response.writeHead(options.status ?? 200, { ...options.headers, ...encodingOf(options) });
    response.end(bytes);
  };
}

/** A reply with a stream that is sent at once. Each element is one write of its own. */
export function streamReply(chunks: readonly (string | Buffer)[], options: ReplyOptions = {}): Reply {
  return async (response, request) => {
    const stream = new ControlledStream();
    const sent = stream.reply(options)(response, request);
    for (const chunk of chunks) await stream.send(chunk);
    stream.end();
    await sent;
  };
}

/** Accepts the request and never answers. */
export const hangReply: Reply = () => {};

/** Breaks the connection before any answer. */
export const resetReply: Reply = (response) => {
  response.socket?.resetAndDestroy();
};

/** A streamed answer for one request. The test says when each piece is sent and how the answer ends. */
export class ControlledStream {
  #response: ServerResponse | undefined;
  #gzip: Gzip | undefined;
  #begin!: () => void;
  readonly #begun = new Promise<void>((resolve) => {
    this.#begin = resolve;
  });

  /** Sends the headers at once, or after `after`. */
  reply(options: ReplyOptions = {}): Reply {
    return async (response) => {
      await options.after;
      response.writeHead(options.status ?? 200, {
        'content-type': 'text/event-stream',
        ...options.headers,
        ...encodingOf(options),
      });
      response.flushHeaders();
      response.socket?.setNoDelay(true);
      this.#response = response;
      if (options.gzip) {
        this.#gzip = createGzip({ flush: constants.Z_SYNC_FLUSH });
        this.#gzip.pipe(response);
      }
      this.#begin();
    };
  }

  /** Resolves when the request has arrived and the operating system has taken the chunk. */
  async send(chunk: string | Buffer): Promise<void> {
    const target = await this.#target();
    await promisify((done: (error?: Error | null) => void) => target.write(chunk, done))();
  }

  async end(): Promise<void> {
    (await this.#target()).end();
  }

  /** Breaks the connection in the middle of the answer. */
  async reset(): Promise<void> {
    await this.#target();
    this.#response?.socket?.resetAndDestroy();
  }

  async #target(): Promise<ServerResponse | Gzip> {
    await this.#begun;
    return this.#gzip ?? (this.#response as ServerResponse);
  }
}

function encodingOf(options: ReplyOptions): OutgoingHttpHeaders {
  return options.gzip ? { 'content-encoding': 'gzip' } : {};
}
