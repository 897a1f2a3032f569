import type { Answer, NeutralRequest } from '../core/answer.js';

/** What a client asked for beside its messages. */
export interface RequestSettings {
  choiceCount: number;
  /** The output is to be JSON, with or without a schema. */
  json: boolean;
  /** By their names in telemetry: `temperature`, `top_p`, `max_tokens`, … */
  parameters: Readonly<Record<string, number | string | string[]>>;
}

/** What a finished record does not say of its exchange. All of it is optional, and so is what is made of it. */
export interface ExchangeDetails {
  /** A schema was in force: each output was checked. */
  validated?: boolean;
  /** Pieces of output that came in the stream of the last try. */
  outputChunks?: number;
  /** The endpoint lets its logs hold what was said: spans may too, where the operator wants that. */
  contentKept?: boolean;
  settings?: RequestSettings;
  /** As it went on to the models, after masking; only where the trace shows requests. */
  request?: NeutralRequest;
  /** Of the last try, as it went on to the client. */
  answer?: Answer;
}
