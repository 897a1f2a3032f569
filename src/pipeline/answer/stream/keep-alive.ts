import type { Clock } from '../../../core/clock.js';
import { answerKind, isSuccess } from '../../attempt/read/answer-collector.js';
import type { Exchange } from '../../exchange/exchange.js';
import type { AnswerHead, AnswerOutlet } from '../../exchange/http.js';

/** A client waits so long for the next piece of a stream until it is told that there is more to come. */
const KEEP_ALIVE_MS = 15_000;

/** Says when a client that waits for more of a stream is to get what keeps its connection open. */
export class KeepAlive {
  #head?: AnswerHead;
  /** When the client last got something, or the head came that it waits for. */
  #sentAt = 0;
  /** Comments of the provider that the client knows of. */
  #comments = 0;

  constructor(
    private readonly exchange: Exchange,
    private readonly clock: Clock,
    private readonly outlet: Pick<AnswerOutlet, 'body'>,
  ) {}

  onHead(head: AnswerHead): void {
    this.#head = head;
    this.#sentAt = this.clock.monotonic();
  }

  /** To the client. */
  send(bytes: Buffer): void {
    this.#sentAt = this.clock.monotonic();
    this.outlet.body(bytes);
  }

  /** What is sent; undefined where the client waits for no stream, or where clients of its API would stumble over it. */
  get bytes(): Buffer | undefined {
    const { exchange } = this;
    const { keepAlive } = exchange.dialect;
    const isStream =
      this.#head !== undefined && isSuccess(this.#head.status) && answerKind(this.#head) === 'stream';
    const isWaiting = isStream && exchange.view?.stream === true && exchange.outcome === undefined;
    return isWaiting && !exchange.ended && keepAlive !== undefined ? Buffer.from(keepAlive) : undefined;
  }

  /** Milliseconds until it is due. */
  timeLeft(): number {
    return this.bytes === undefined
      ? Number.POSITIVE_INFINITY
      : this.#sentAt + KEEP_ALIVE_MS - this.clock.monotonic();
  }

  /** The provider has sent so many comments by now. A new one goes on where nothing else does (`isSilent`). */
  onComments(comments: number, isSilent: boolean): void {
    const isNew = comments > this.#comments;
    this.#comments = comments;
    const { bytes } = this;
    if (isNew && isSilent && bytes !== undefined) this.send(bytes);
  }
}
