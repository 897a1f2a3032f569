import type { Answer } from '../../core/answer.js';
import type { JsonValue } from '../../core/json.js';
import type { LogStatus } from '../../core/log-record.js';
import type { Exchange } from './exchange.js';
import type { Services } from './ports.js';

/** How an exchange ended. */
export interface Ending {
  status: LogStatus;
  httpStatus: number;
  /** What went on after the response plugins, in the client's dialect; a stream in its plain form. Holds no secret. */
  response: JsonValue;
  /** The same as text, where it exists already. */
  responseText?: string;
  /** The model's original answer, where a plugin changed or rejected it. */
  responseAsCame?: JsonValue;
  /** What the client got, where it is not `response`. */
  clientResponse?: JsonValue;
  /**
   * What the client got contains what plugins found, such as restored values. Only a log with `log_content: full` may
   * have it.
   */
  isHidden?: true;
  /** The same answer as `response` in neutral form, where a model gave one. */
  answer?: Answer;
  /** The number of pieces of output, for a stream that was released as it arrived. */
  outputChunks?: number;
  error?: { code: string; message: string };
}

/** What an ending says of the answer itself. */
export type EndingAnswer = Pick<
  Ending,
  'response' | 'responseText' | 'responseAsCame' | 'clientResponse' | 'isHidden' | 'answer' | 'outputChunks'
>;

/** Ends an exchange and appends its record; `finish` of the layer `end`, which the layers before it get as an argument. */
export type FinishExchange = (exchange: Exchange, ending: Ending, services: Services) => Promise<void>;
