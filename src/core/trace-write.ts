import type { LogRecord } from './log-record.js';

/** A write to MongoDB that is about some logs. */
export interface TracedWrite {
  operation: 'insert';
  database: string;
  collection: string;
  /** Whose exchanges the write belongs to; those that were not recorded are passed over. */
  logs: readonly Pick<LogRecord, 'trace_id' | '_span_id'>[];
}

/** Runs a write, within a span where somebody records it. */
export type TraceWrite = <Value>(write: TracedWrite, work: () => Promise<Value>) => Promise<Value>;

export const untraced: TraceWrite = (_write, work) => work();
