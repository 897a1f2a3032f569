import type { ConfigTexts } from '../../config/read.js';

/*
 * The messages between the main process and a worker. Each call gets one answer, and a worker handles those
 * that change something in order.
 */

export interface WorkerCalls {
  /** Start serving with this configuration. */
  start(texts: ConfigTexts): Promise<void>;
  /** Apply a changed configuration. */
  replaceConfig(texts: ConfigTexts): Promise<void>;
  /** Prometheus' text format, with exemplars or not. */
  metricsText(exemplars: boolean): Promise<string>;
  /** Write the logs that wait in the spool without waiting for a fuller batch. */
  shipLogsNow(): Promise<void>;
}

export interface CallMessage {
  call: number;
  method: keyof WorkerCalls;
  argument?: ConfigTexts | boolean;
}

/** A worker's heartbeat, by which the main process notices one that hangs. */
export const BEAT = 'beat';

/** Finish the work in flight and exit. Not a call: the exit is the answer. */
export const STOP = 'stop';

export interface AnswerMessage {
  call: number;
  value?: string;
  /** Why the call failed. */
  failure?: string;
}
