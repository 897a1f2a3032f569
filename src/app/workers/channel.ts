import type { ConfigTexts } from '../../config/read.js';

/*
 * The messages between the main process and a worker. Each call gets one answer. A worker handles calls that change
 * something one after the other.
 */

export interface WorkerCalls {
  /** Starts to serve with this configuration. */
  start(texts: ConfigTexts): Promise<void>;
  /** Applies a changed configuration. */
  replaceConfig(texts: ConfigTexts): Promise<void>;
  /** The worker's metrics in Prometheus's text format, with or without exemplars. */
  metricsText(exemplars: boolean): Promise<string>;
  /** Writes the logs that wait in the spool without waiting for a fuller batch. */
  shipLogsNow(): Promise<void>;
}

export interface CallMessage {
  call: number;
  method: keyof WorkerCalls;
  argument?: ConfigTexts | boolean;
}

/** A worker's heartbeat, by which the main process notices one that hangs. */
export const BEAT = 'beat';

/** Tells a worker to finish the work in flight and to exit. This is not a call: the exit is the answer. */
export const STOP = 'stop';

export interface AnswerMessage {
  call: number;
  value?: string;
  /** Why the call failed. */
  failure?: string;
}
