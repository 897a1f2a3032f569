import type { Answer, NeutralRequest } from '../core/answer.js';

/** What a client requested besides its messages. */
export interface RequestSettings {
  choiceCount: number;
  /** Whether the output must be JSON, with or without a schema. */
  json: boolean;
  /** Settings by their names in telemetry: `temperature`, `top_p`, `max_tokens`, … */
  parameters: Readonly<Record<string, number | string | string[]>>;
}

/** Details of an exchange that its record does not contain. All are optional, and so is what is derived from them. */
export interface ExchangeDetails {
  /** Whether each output was validated against a schema. */
  validated?: boolean;
  /** Milliseconds from the start of the exchange to that of its last attempt. */
  lastAttemptStartMs?: number;
  /** The number of pieces of output in the stream of the last attempt. */
  outputChunks?: number;
  /**
   * Whether the endpoint allows its logs to contain content. Spans may then contain it too, where the operator wants that.
   */
  contentKept?: boolean;
  settings?: RequestSettings;
  /** The forwarded request, after masking. Only where the trace shows requests. */
  request?: NeutralRequest;
  /** The answer of the last attempt, in the form that the client got. */
  answer?: Answer;
}
