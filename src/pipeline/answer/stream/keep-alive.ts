import type { Clock } from '../../../core/clock.js';
import { answerKind, isSuccess } from '../../attempt/read/answer-collector.js';
import type { Exchange } from '../../exchange/exchange.js';
import type { AnswerHead, AnswerOutlet } from '../../exchange/http.js';

/** After this long without data, the client is sent a sign that the stream continues. */
const KEEP_ALIVE_MS = 15_000;

/** Keeps the connection of a waiting client open, by comments or empty events. */
export class KeepAlive {
  #isStream = false;
  /** When the client last got data, or when the headers of its answer arrived. */
  #sentAt = 0;
  /** Comments of the provider that were passed on or were not needed. */
  #comments = 0;

  constructor(
    private readonly exchange: Exchange,
    private readonly clock: Clock,
    private readonly outlet: Pick<AnswerOutlet, 'body'>,
  ) {}

  onHead(head: AnswerHead): void {
    this.#isStream = isSuccess(head.status) && answerKind(head) === 'stream';
    this.#sentAt = this.clock.monotonic();
  }

  /** Sends a piece of the answer to the client. */
  send(bytes: Buffer): void {
    this.#sentAt = this.clock.monotonic();
    this.outlet.body(bytes);
  }

  /** Tells the client that more is to come, where it waits for a stream. */
  sendSign(): void {
    const sign = this.#sign;
    if (sign !== undefined) this.send(Buffer.from(sign));
  }

  /**
   * The sign. Undefined where the client does not wait for a stream, or where clients of its API could not read such a sign.
   */
  get #sign(): string | undefined {
    const { exchange } = this;
    const isWaiting = this.#isStream && exchange.view?.stream === true && exchange.outcome === undefined;
    return isWaiting && !exchange.ended ? exchange.dialect.keepAlive : undefined;
  }

  /** The milliseconds until a sign must be sent. */
  timeLeft(): number {
    if (this.#sign === undefined) return Number.POSITIVE_INFINITY;
    return this.#sentAt + KEEP_ALIVE_MS - this.clock.monotonic();
  }

  /**
   * `comments` is how many comments the provider has sent so far. A new one is passed on as a sign where nothing else
   * goes to the client (`isSilent`).
   */
  onComments(comments: number, isSilent: boolean): void {
    const isNew = comments > this.#comments;
    this.#comments = comments;
    if (isNew && isSilent) this.sendSign();
  }
}
