import type { Answer } from '../../core/answer.js';
import type { JsonValue } from '../../core/json.js';
import type { LogStatus } from '../../core/log-record.js';
import type { Exchange } from './exchange.js';
import type { Services } from './ports.js';

/** How an exchange ended. */
export interface Ending {
  status: LogStatus;
  httpStatus: number;
  /** What the client got, in its dialect; a stream in its plain form. */
  response: JsonValue;
  /** The same as text, where it is at hand. */
  responseText?: string;
  /** What the model answered, where a plugin changed or rejected it. */
  responseAsCame?: JsonValue;
  /** The same answer as `response` in neutral form, where a model gave one. */
  answer?: Answer;
  /** Pieces of output that a stream came in, where it was released as it came. */
  outputChunks?: number;
  error?: { code: string; message: string };
}

/** Ends an exchange and appends its record; `finish` of the layer `end`, which the layers before it get as an argument. */
export type FinishExchange = (exchange: Exchange, ending: Ending, services: Services) => Promise<void>;
