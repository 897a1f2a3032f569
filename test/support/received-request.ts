import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { JsonObject } from '../../src/core/json.js';

/** A request that a fake provider received, with its whole body. */
export class ReceivedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  /**
   * Whether the answer was sent completely. It is false where the connection ended before, for example because the client
   * disconnected.
   */
  readonly answered: Promise<boolean>;

  constructor(message: IncomingMessage, body: Buffer, response: ServerResponse) {
    this.method = message.method ?? '';
    this.path = message.url ?? '';
    this.headers = message.headers;
    this.body = body;
    this.answered = new Promise((resolve) =>
      response.once('close', () => resolve(response.writableFinished)),
    );
  }

  get text(): string {
    return this.body.toString('utf8');
  }

  json(): JsonObject {
    return JSON.parse(this.text) as JsonObject;
  }
}
