import type { LogRecord } from './log-record.js';

/** A write to MongoDB that concerns some logs. */
export interface TracedWrite {
  operation: 'insert';
  database: string;
  collection: string;
  /** The exchanges that the write belongs to; those without a recorded span are skipped. */
  logs: readonly Pick<LogRecord, 'trace_id' | '_span_id'>[];
}

/** Runs a write, and records a span for it where that is configured. */
export type TraceWrite = <Value>(write: TracedWrite, work: () => Promise<Value>) => Promise<Value>;

export const untraced: TraceWrite = (_write, work) => work();
