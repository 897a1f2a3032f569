import type { Answer, NeutralRequest } from '../../core/answer.js';

/** What a finished record does not say of its exchange. All of it is optional, and so is what is made of it. */
export interface ExchangeDetails {
  /** A schema was in force: each output was checked. */
  validated?: boolean;
  /** Pieces of output that came in the stream of the last try. */
  outputChunks?: number;
  /** The endpoint lets its logs hold what was said: spans may too, where the operator wants that. */
  contentKept?: boolean;
  /** As it went on to the models, after masking. */
  request?: NeutralRequest;
  /** Of the last try, as it went on to the client. */
  answer?: Answer;
}
