import type { Socket } from 'node:net';
import { dialectOfRequest, fixtureText, folderOf } from './dialect-provider.js';
import type { Reply } from './replies.js';

/** A provider whose connection is closed in the middle of a streamed text, when a test says so. */
export class HardCut {
  readonly #open = new Set<Socket>();

  /** Sends the beginning of the fixture `text`. */
  readonly reply: Reply = (response, request) => {
    const events = fixtureText(`${folderOf(dialectOfRequest(request))}/text.sse`).split('\n\n');
    const begun = events.slice(0, events.findIndex((event) => event.includes('Because')) + 1);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(`${begun.join('\n\n')}\n\n`);
    this.#open.add(response.socket!);
  };

  cut(): void {
    for (const socket of this.#open) socket.destroy();
    this.#open.clear();
  }
}
