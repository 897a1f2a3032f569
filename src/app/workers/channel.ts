import type { ConfigTexts } from '../../config/read.js';

/*
 * What the main process and a worker say to each other. Each call gets one answer. A worker takes calls in their order.
 */

export interface WorkerCalls {
  /** Serve with this configuration. */
  start(texts: ConfigTexts): Promise<void>;
  /** Take a changed one. */
  replaceConfig(texts: ConfigTexts): Promise<void>;
  /** Prometheus' text format, with exemplars or not. */
  metricsText(exemplars: boolean): Promise<string>;
}

export interface CallMessage {
  call: number;
  method: keyof WorkerCalls;
  argument?: ConfigTexts | boolean;
}

/** What a worker sends again and again, so that one which hangs is noticed. */
export const BEAT = 'beat';

/** Finish what is under way and end. Not a call: the end is the answer. */
export const STOP = 'stop';

export interface AnswerMessage {
  call: number;
  value?: string;
  /** Why it could not be done. */
  failure?: string;
}
