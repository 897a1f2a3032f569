import { SluiceError, toSluiceError } from '../../core/errors.js';
import { formatFrame } from '../../dialects/wire/sse.js';
import { attemptHeaders, attemptStatusOf, statusOfError } from '../attempt/attempt-outcome.js';
import { closeAttempt } from '../attempt/prepare-attempt.js';
import { UnreadableAnswer } from '../exchange/content-decoder.js';
import type { Ending, FinishExchange } from '../exchange/ending.js';
import type { Exchange } from '../exchange/exchange.js';
import type { AnswerOutlet } from '../exchange/http.js';
import type { Services } from '../exchange/ports.js';
import { errorReply, loggedBody } from '../exchange/replies.js';
import type { ClientAnswer } from './client-answer.js';
import { DISCONNECTS, type DisconnectedSide } from './disconnect.js';
import { emittedText, rejectedStream } from './emitted-text.js';
import type { KeptAnswer } from './kept-answer.js';
import type { LiveStream } from './stream/live-stream.js';

/** Ends an exchange, with the record of its log: regularly, with an error, or because somebody has left. */
export class AnswerEnding {
  /** The stream that flows to the client, if the answer is one. */
  live?: LiveStream;
  /** Collects the answer for the cache of the endpoint. */
  kept?: KeptAnswer;
  /** Set while the log is being written. */
  #finishing?: Promise<void>;

  constructor(
    private readonly exchange: Exchange,
    private readonly services: Services,
    private readonly client: ClientAnswer,
    private readonly outlet: AnswerOutlet,
    private readonly finishExchange: FinishExchange,
  ) {}

  /** Resolves once the log that is being written is appended. Never rejects. */
  async finished(): Promise<void> {
    await this.#finishing?.catch(() => {});
  }

  finish(ending: Ending): Promise<void> {
    // The answer is kept before requests that wait for the same answer continue.
    if (this.#finishing === undefined) this.kept?.keep(ending, this.client.head);
    const finishing = this.finishExchange(this.exchange, ending, this.services);
    // Only the first call has an effect.
    this.#finishing ??= finishing;
    return finishing;
  }

  closeAttempt(status: 'success' | 'server_error' | 'timeout' | 'aborted', message?: string): void {
    const attempt = this.exchange.currentAttempt;
    if (attempt === undefined || attempt.closed) return;
    const error = message === undefined || status === 'success' ? null : { message };
    closeAttempt(attempt, { status, error, ...this.live?.usage() }, this.services);
  }

  /** Ends an exchange whose client, model or gateway has left. Never rejects. */
  async left(side: DisconnectedSide): Promise<void> {
    try {
      await this.#endLeft(side);
    } catch (error) {
      await this.#finishAnyway(error);
    }
  }

  async #endLeft(side: DisconnectedSide): Promise<void> {
    const { exchange } = this;
    const { code, message, note } = DISCONNECTS[side];
    const byModel = side === 'model';
    exchange.cancel();
    this.live?.closeGuard(note);
    this.closeAttempt(byModel ? 'server_error' : 'aborted', message);
    await this.finish({
      status: byModel ? 'error' : 'aborted',
      // Envoy tells the client of a provider that broke off where nothing was released.
      httpStatus: this.client.headReleased ? this.client.head!.status : byModel ? 502 : 499,
      ...(await emittedText(this.live, exchange, this.services)),
      error: { code, message },
    });
  }

  /** Ends with an error of ours: a reply, or an error event where the headers were already sent. Never rejects. */
  async failed(error: unknown): Promise<void> {
    const unreadable = error instanceof UnreadableAnswer;
    const known = unreadable ? new SluiceError('upstream_unavailable', error.message) : toSluiceError(error);
    try {
      await this.#endFailed(known);
    } catch (cause) {
      await this.#finishAnyway(cause);
      this.#answerAnyway(cause);
    }
  }

  async #endFailed(error: SluiceError): Promise<void> {
    const { exchange } = this;
    exchange.cancel();
    if (error.code === 'internal_error') {
      this.services.logger.error({ err: error.cause ?? error, log_id: exchange.id }, 'exchange failed');
    }
    if (this.client.head !== undefined) this.closeAttempt(attemptStatusOf(error), error.logMessage);
    this.live?.closeGuard(error.message);
    return this.client.headReleased ? this.#failReleased(error) : this.#replyFailed(error);
  }

  async #replyFailed(error: SluiceError): Promise<void> {
    const { exchange } = this;
    const reply = errorReply(exchange.dialect, error, exchange.id);
    Object.assign(reply.headers, attemptHeaders(exchange, false));
    const shown = exchange.released.rejected ?? (await rejectedStream(this.live, error));
    try {
      await this.finish({
        status: statusOfError(error),
        httpStatus: reply.status,
        response: shown?.masked ?? loggedBody(reply, error),
        responseAsCame: shown?.asCame,
        clientResponse: shown === undefined ? undefined : loggedBody(reply, error),
        error: { code: error.clientCode, message: error.logMessage },
      });
      this.outlet.reply(reply);
    } catch (noRoom) {
      this.outlet.reply(errorReply(exchange.dialect, noRoom, exchange.id));
    }
  }

  async #failReleased(error: SluiceError): Promise<void> {
    await this.finish({
      status: statusOfError(error),
      httpStatus: this.client.head!.status,
      ...(await emittedText(this.live, this.exchange, this.services)),
      error: { code: error.clientCode, message: error.logMessage },
    }).catch((err) => this.#reportLostLog(err));
    const frames = this.exchange.dialect.writeStreamError(error, this.exchange.id);
    this.outlet.end(Buffer.from(frames.map(formatFrame).join('')));
  }

  /** Ends the exchange after an error that happened while another one was handled. It is still logged. */
  async #finishAnyway(cause: unknown): Promise<void> {
    const { exchange, services, client } = this;
    services.logger.error({ err: cause, log_id: exchange.id }, 'an exchange failed while it was ended');
    const error = toSluiceError(cause);
    const httpStatus = client.headReleased ? client.head!.status : error.status;
    const logged = { code: error.clientCode, message: error.logMessage };
    const ending: Ending = { status: 'error', httpStatus, response: null, error: logged };
    await this.finish(ending).catch((err) => this.#reportLostLog(err));
  }

  #reportLostLog(err: unknown): void {
    this.services.logger.error({ err, log_id: this.exchange.id }, 'a log was lost');
  }

  #answerAnyway(cause: unknown): void {
    try {
      if (this.client.headReleased) this.outlet.end();
      else this.outlet.reply(errorReply(this.exchange.dialect, cause, this.exchange.id));
    } catch (err) {
      const { logger } = this.services;
      logger.error({ err, log_id: this.exchange.id }, 'an error could not be sent to the client');
    }
  }
}
