import type { Answer, NeutralRequest } from '../core/answer.js';

/** What a client requested beside its messages. */
export interface RequestSettings {
  choiceCount: number;
  /** The output must be JSON, with or without a schema. */
  json: boolean;
  /** By their names in telemetry: `temperature`, `top_p`, `max_tokens`, … */
  parameters: Readonly<Record<string, number | string | string[]>>;
}

/** Details of an exchange that its record does not contain. All are optional, and so is what is derived from them. */
export interface ExchangeDetails {
  /** Each output was validated against a schema. */
  validated?: boolean;
  /** Milliseconds from the start of the exchange to that of its last attempt. */
  lastAttemptStartMs?: number;
  /** The number of pieces of output in the stream of the last attempt. */
  outputChunks?: number;
  /** The endpoint allows its logs to contain content, so spans may too, where the operator wants that. */
  contentKept?: boolean;
  settings?: RequestSettings;
  /** The forwarded request, after masking; only where the trace shows requests. */
  request?: NeutralRequest;
  /** From the last attempt, as the client got it. */
  answer?: Answer;
}
