import type { Meter } from '@opentelemetry/api';
import { METRICS, type MetricName } from '../names.js';
import { EventLoopLag } from './event-loop-lag.js';

/** The numbers of the spool that are metrics. */
export interface SpoolNumbers {
  records: number;
  oldestSeconds: number;
  written: number;
  lost: number;
  deadLetters: number;
}

export interface GaugeSources {
  /** Absent in a process that has no spool. */
  spoolStats?: () => SpoolNumbers;
  /** Absent in a process without an engine. */
  requestsInFlight?: () => number;
  /** Feedback without a log; absent in a process that does not know. A failure leaves the metric out. */
  orphanCount?: () => Promise<number>;
}

/** Metrics that are read when somebody asks. Returns what ends the measuring. */
export function createGauges(meter: Meter, sources: GaugeSources): () => void {
  const { spoolStats, requestsInFlight, orphanCount } = sources;
  const gauge = ({ name, unit, description }: MetricName) =>
    meter.createObservableGauge(name, { unit, description });
  const counter = ({ name, unit, description }: MetricName) =>
    meter.createObservableCounter(name, { unit, description });
  if (spoolStats !== undefined) {
    gauge(METRICS.spoolRecords).addCallback((result) => result.observe(spoolStats().records));
    gauge(METRICS.spoolOldest).addCallback((result) => result.observe(spoolStats().oldestSeconds));
    counter(METRICS.logsWritten).addCallback((result) => result.observe(spoolStats().written));
    counter(METRICS.logsLost).addCallback((result) => result.observe(spoolStats().lost));
    counter(METRICS.deadLetters).addCallback((result) => result.observe(spoolStats().deadLetters));
  }
  if (requestsInFlight !== undefined) {
    gauge(METRICS.requestsInFlight).addCallback((result) => result.observe(requestsInFlight()));
  }
  if (orphanCount !== undefined) {
    gauge(METRICS.feedbackOrphans).addCallback(async (result) => {
      const count = await orphanCount().catch(() => undefined);
      if (count !== undefined) result.observe(count);
    });
  }
  const lag = new EventLoopLag();
  gauge(METRICS.eventLoopLag).addCallback((result) => {
    for (const [quantile, seconds] of lag.quantiles()) result.observe(seconds, { quantile });
  });
  return () => lag.stop();
}
