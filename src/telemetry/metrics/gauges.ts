import { setTimeout as delay } from 'node:timers/promises';
import type { Meter } from '@opentelemetry/api';
import { METRICS, type MetricName } from '../names.js';
import { EventLoopLag } from './event-loop-lag.js';

/** The numbers of the spool that are metrics. */
export interface SpoolNumbers {
  records: number;
  bytes: number;
  limitBytes: number;
  oldestSeconds: number;
  written: number;
  lost: number;
  deadLetters: number;
}

export interface GaugeSources {
  /** For how long the directory could not be read; 0 while it is followed. */
  directoryAgeMs?: () => number;
  /** Whether a changed configuration file has mistakes. Absent in a worker, which reads no file. */
  configurationRefused?: () => boolean;
  /** The state of the spool; absent in a process without one. */
  spoolStats?: () => SpoolNumbers;
  /** The requests in flight; absent in a process without an engine. */
  requestsInFlight?: () => number;
  /** Requests that were dropped without a log; absent in a process without an engine. */
  requestsDropped?: () => number;
  /** How full each limit is, for the subject that has used most of it. */
  limitFullness?: () => readonly {
    project: string;
    per: string;
    kind: string;
    window: string;
    ratio: number;
  }[];
  /** Feedback without a log; absent in a process that does not know it. A failure leaves the metric out. */
  orphanCount?: () => Promise<number>;
  /** How many milliseconds our clock is ahead of MongoDB's. A failure leaves the metric out. */
  clockOffsetMs?: () => Promise<number>;
  /** Spans dropped on their way to a collector; absent where there is none. */
  lostSpans?: () => number;
  /** Connections of Envoy that failed in TLS, by provider; absent in a process without Envoy. */
  tlsFailures?: () => Promise<ReadonlyMap<string, number>>;
}

/** How long a request for the metrics waits for a single value. */
const PATIENCE_MS = 500;

/** Creates the metrics that are computed when they are read. Returns a function that removes them. */
export function createGauges(meter: Meter, sources: GaugeSources): () => void {
  const { configurationRefused } = sources;
  const { directoryAgeMs, spoolStats, requestsInFlight, orphanCount, clockOffsetMs, lostSpans, tlsFailures } =
    sources;
  const { limitFullness, requestsDropped } = sources;
  const gauge = ({ name, unit, description }: MetricName) =>
    meter.createObservableGauge(name, { unit, description });
  const counter = ({ name, unit, description }: MetricName) =>
    meter.createObservableCounter(name, { unit, description });
  if (directoryAgeMs !== undefined) {
    gauge(METRICS.directoryAge).addCallback((result) => result.observe(directoryAgeMs() / 1000));
  }
  if (configurationRefused !== undefined) {
    gauge(METRICS.configurationRefused).addCallback((result) =>
      result.observe(configurationRefused() ? 1 : 0),
    );
  }
  if (spoolStats !== undefined) {
    gauge(METRICS.spoolRecords).addCallback((result) => result.observe(spoolStats().records));
    gauge(METRICS.spoolBytes).addCallback((result) => result.observe(spoolStats().bytes));
    gauge(METRICS.spoolLimit).addCallback((result) => result.observe(spoolStats().limitBytes));
    gauge(METRICS.spoolOldest).addCallback((result) => result.observe(spoolStats().oldestSeconds));
    counter(METRICS.logsWritten).addCallback((result) => result.observe(spoolStats().written));
    counter(METRICS.logsLost).addCallback((result) => result.observe(spoolStats().lost));
    counter(METRICS.deadLetters).addCallback((result) => result.observe(spoolStats().deadLetters));
  }
  if (requestsInFlight !== undefined) {
    gauge(METRICS.requestsInFlight).addCallback((result) => result.observe(requestsInFlight()));
  }
  if (requestsDropped !== undefined) {
    counter(METRICS.requestsDropped).addCallback((result) => result.observe(requestsDropped()));
  }
  if (limitFullness !== undefined) {
    gauge(METRICS.limitUsed).addCallback((result) => {
      for (const { ratio, ...labels } of limitFullness()) result.observe(ratio, labels);
    });
  }
  if (orphanCount !== undefined) {
    gauge(METRICS.feedbackOrphans).addCallback(async (result) => {
      const count = await inTime(orphanCount());
      if (count !== undefined) result.observe(count);
    });
  }
  if (clockOffsetMs !== undefined) {
    gauge(METRICS.clockOffset).addCallback(async (result) => {
      const offset = await inTime(clockOffsetMs());
      if (offset !== undefined) result.observe(offset / 1000);
    });
  }
  if (lostSpans !== undefined) {
    counter(METRICS.spansLost).addCallback((result) => result.observe(lostSpans()));
  }
  if (tlsFailures !== undefined) {
    counter(METRICS.tlsFailures).addCallback(async (result) => {
      for (const [provider, count] of (await inTime(tlsFailures())) ?? [])
        result.observe(count, { provider });
    });
  }
  const lag = new EventLoopLag();
  gauge(METRICS.eventLoopLag).addCallback((result) => {
    for (const [quantile, seconds] of lag.quantiles()) result.observe(seconds, { quantile });
  });
  return () => lag.stop();
}

function inTime<T>(value: Promise<T>): Promise<T | undefined> {
  return Promise.race([value.catch(() => undefined), delay(PATIENCE_MS, undefined, { ref: false })]);
}
