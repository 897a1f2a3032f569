import type { AnswerOutlet, Headers, Reply } from '../pipeline/exchange/http.js';
import { PROVIDER_CORS } from '../pipeline/request/cors.js';
import { bodyPieces, immediateResponse } from './messages.js';
import type { HeaderMutation, ProcessingResponse, Struct } from './protocol.js';

const EMPTY = Buffer.alloc(0);
/** The response code details in Envoy's access log for an answer that the engine wrote completely. */
const DETAILS = 'sluice';

/** Headers that describe the body of Envoy's answer. They are wrong for an answer that replaces it. */
const OF_THE_BODY = ['content-length', 'content-type'];
/** Headers that are valid only for one connection, or for the original body. */
const OF_A_CONNECTION =
  /^(connection|keep-alive|proxy-connection|te|trailer|transfer-encoding|upgrade|content-length|x-envoy-.*)$/;

function passedOn(headers: Headers, stale: readonly string[]): Record<string, string> {
  const names = Object.keys(headers).filter((name) => !OF_A_CONNECTION.test(name) && !stale.includes(name));
  return Object.fromEntries(names.map((name) => [name, headers[name]!]));
}

/** Writes the client's answer in the order that Envoy accepts, which depends on what Envoy has sent of the answer. */
export class AnswerWriter implements AnswerOutlet {
  /** The last part of Envoy's answer that has arrived. It decides how our answer may end. */
  ends: 'open' | 'headers' | 'trailers' = 'open';
  /** The CORS headers for a web page, where the call comes from one. */
  page?: Headers;
  /** The headers of the answer that Envoy shows to the engine. */
  shown?: Headers;
  /** Whether the answer was written completely. */
  finished = false;
  /** Set while Envoy still holds the request. It then accepts the answer only as one message, with this metadata. */
  inOnePiece?: Struct;
  /** The headers of the answer that replaces the one from Envoy. */
  #instead?: Headers;
  /** The answer so far, where Envoy accepts it only as a whole. */
  #held?: { head: HeaderMutation; body: Buffer[] };

  constructor(private readonly write: (message: ProcessingResponse) => void) {}

  /** Sets the headers that the client gets in place of those that Envoy shows. */
  takeHeaders(headers: Headers): void {
    this.#instead = headers;
  }

  head(status: number, ofExchange: Record<string, string>, staleOnes: readonly string[]): void {
    const own = this.#forPage(ofExchange);
    const stale = this.page === undefined ? staleOnes : [...staleOnes, ...PROVIDER_CORS];
    const set = this.#instead === undefined ? own : Object.assign(passedOn(this.#instead, stale), own);
    const gone = this.#instead === undefined ? stale : [...stale, ...OF_THE_BODY];
    const remove = gone.filter((name) => !(name in set));
    const head = { set: { ':status': String(status), ...set }, remove };
    if (this.inOnePiece !== undefined || this.ends === 'headers') this.#held = { head, body: [] };
    else this.write({ responseHeaders: { response: { headerMutation: head } } });
  }

  #forPage(own: Record<string, string>): Record<string, string> {
    if (this.page === undefined) return own;
    const vary = [(this.#instead ?? this.shown)?.vary, this.page.vary].filter(Boolean).join(', ');
    return Object.assign({}, own, this.page, vary === '' ? {} : { vary });
  }

  body(bytes: Buffer): void {
    if (this.#held !== undefined) this.#held.body.push(bytes);
    else for (const response of bodyPieces(bytes, false)) this.write({ responseBody: { response } });
  }

  end(last: Buffer = EMPTY): void {
    this.finished = true;
    if (this.#held !== undefined) {
      const { head, body } = this.#held;
      this.#endHeld(head, body.length === 0 ? last : Buffer.concat([...body, last]));
      return;
    }
    const trailers = this.ends === 'trailers';
    for (const response of bodyPieces(last, !trailers)) this.write({ responseBody: { response } });
    if (trailers) this.write({ responseTrailers: {} });
  }

  #endHeld(head: HeaderMutation, body: Buffer): void {
    if (this.inOnePiece !== undefined) {
      const { ':status': status, ...headers } = head.set;
      this.#reply({ status: Number(status), headers, body });
      return;
    }
    // The provider sent headers without a body. Envoy accepts a body for them only together with the headers.
    const replaced = { status: 'CONTINUE_AND_REPLACE' as const, bodyMutation: { body } };
    this.write({
      responseHeaders: { response: { headerMutation: head, ...(body.length === 0 ? {} : replaced) } },
    });
  }

  reply(reply: Reply): void {
    this.finished = true;
    const headers = this.page === undefined ? reply.headers : Object.assign({}, reply.headers, this.page);
    this.#reply({ ...reply, headers });
  }

  #reply(reply: Parameters<typeof immediateResponse>[0]): void {
    const message = immediateResponse(reply, DETAILS);
    this.write(this.inOnePiece === undefined ? message : { dynamicMetadata: this.inOnePiece, ...message });
  }
}
