import type { Exchange } from '../exchange/exchange.js';
import type { AnswerHead, AnswerOutlet } from '../exchange/http.js';
import type { Services } from '../exchange/ports.js';
import { KeepAlive } from './stream/keep-alive.js';
import { writeHead } from './write-head.js';

/** The answer on its way to the client: headers, which are sent once and late, and a body that is sent as it comes. */
export class ClientAnswer {
  /** The head of the answer that Envoy shows. */
  head?: AnswerHead;
  /** Whether the headers were sent, so that the status cannot change any more. */
  headReleased = false;
  readonly keepAlive: KeepAlive;
  readonly #exchange: Exchange;
  readonly #outlet: AnswerOutlet;
  /** The bytes that wait until the headers are sent. */
  #waiting: Buffer[] = [];

  constructor(exchange: Exchange, { clock }: Services, outlet: AnswerOutlet) {
    this.#exchange = exchange;
    this.#outlet = outlet;
    this.keepAlive = new KeepAlive(exchange, clock, outlet);
  }

  onHead(head: AnswerHead): void {
    this.head = head;
    this.keepAlive.onHead(head);
  }

  releaseHead(): void {
    if (this.headReleased) return;
    this.headReleased = true;
    const exchange = this.#exchange;
    exchange.currentAttempt?.endHold?.();
    if (!exchange.ended) exchange.move('releasing');
    writeHead(this.#outlet, exchange, this.head!, { 'content-type': this.head!.headers['content-type']! });
  }

  /** Keeps bytes until the headers are sent. */
  hold(bytes: Buffer): void {
    this.#waiting.push(bytes);
  }

  /** Sends the headers, what waits for them, and these bytes. */
  send(bytes: Buffer): void {
    this.#release();
    this.keepAlive.send(bytes);
  }

  /** Sends what was not sent yet, and ends the answer. */
  end(): void {
    this.#release();
    this.#outlet.end();
  }

  #release(): void {
    this.releaseHead();
    if (this.#waiting.length === 0) return;
    for (const held of this.#waiting) this.keepAlive.send(held);
    this.#waiting = [];
  }
}
