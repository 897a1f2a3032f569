import type { Answer } from '../../core/answer.js';
import type { JsonValue } from '../../core/json.js';
import type { LogStatus } from '../../core/log-record.js';
import type { Exchange } from './exchange.js';
import type { Services } from './ports.js';

/** How an exchange ended. */
export interface Ending {
  status: LogStatus;
  httpStatus: number;
  /** What the response plugins let through, in the client's dialect; a stream in its plain form. It contains no secrets. */
  response: JsonValue;
  /** The response as JSON text, where it exists already. */
  responseText?: string;
  /** The model's original answer, where a plugin changed or rejected it. */
  responseAsCame?: JsonValue;
  /** What the client got, where it differs from `response`. */
  clientResponse?: JsonValue;
  /**
   * Set where the client got something that plugins found, such as restored values. Only a log with `log_content:
   * full` may contain it.
   */
  isHidden?: true;
  /** The answer in neutral form, where `response` is that of a model. */
  answer?: Answer;
  /** The number of pieces of output, for a stream that was released as it arrived. */
  outputChunks?: number;
  error?: { code: string; message: string };
}

/** The part of an ending that describes the answer itself. */
export type EndingAnswer = Pick<
  Ending,
  'response' | 'responseText' | 'responseAsCame' | 'clientResponse' | 'isHidden' | 'answer' | 'outputChunks'
>;

/**
 * Ends an exchange and appends its record. It is `finish` of the layer `end`, which the earlier layers get as an argument.
 */
export type FinishExchange = (exchange: Exchange, ending: Ending, services: Services) => Promise<void>;
