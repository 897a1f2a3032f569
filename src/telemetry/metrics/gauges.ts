import { setTimeout as delay } from 'node:timers/promises';
import type { Attributes } from '@opentelemetry/api';
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

/** A metric that is computed when it is read. */
export interface Observed {
  metric: MetricName;
  kind: 'counter' | 'gauge';
  /** The values, each with its labels. */
  read(): Readings | Promise<Readings>;
}

export type Readings = readonly { value: number; attributes: Attributes }[];

export interface Gauges {
  observed: readonly Observed[];
  stop(): void;
}

/** The metrics that are computed when they are read, as far as there are sources for them. */
export function createGauges(sources: GaugeSources): Gauges {
  const { configurationRefused } = sources;
  const { directoryAgeMs, spoolStats, requestsInFlight, orphanCount, clockOffsetMs, lostSpans, tlsFailures } =
    sources;
  const { limitFullness, requestsDropped } = sources;
  const observed: Observed[] = [];
  const gauge = (metric: MetricName, read: Observed['read']) =>
    observed.push({ metric, kind: 'gauge', read });
  const counter = (metric: MetricName, read: Observed['read']) =>
    observed.push({ metric, kind: 'counter', read });
  if (directoryAgeMs !== undefined) gauge(METRICS.directoryAge, () => one(directoryAgeMs() / 1000));
  if (configurationRefused !== undefined) {
    gauge(METRICS.configurationRefused, () => one(configurationRefused() ? 1 : 0));
  }
  if (spoolStats !== undefined) {
    gauge(METRICS.spoolRecords, () => one(spoolStats().records));
    gauge(METRICS.spoolBytes, () => one(spoolStats().bytes));
    gauge(METRICS.spoolLimit, () => one(spoolStats().limitBytes));
    gauge(METRICS.spoolOldest, () => one(spoolStats().oldestSeconds));
    counter(METRICS.logsWritten, () => one(spoolStats().written));
    counter(METRICS.logsLost, () => one(spoolStats().lost));
    counter(METRICS.deadLetters, () => one(spoolStats().deadLetters));
  }
  if (requestsInFlight !== undefined) gauge(METRICS.requestsInFlight, () => one(requestsInFlight()));
  if (requestsDropped !== undefined) counter(METRICS.requestsDropped, () => one(requestsDropped()));
  if (limitFullness !== undefined) {
    gauge(METRICS.limitUsed, () =>
      limitFullness().map(({ ratio: value, ...attributes }) => ({ value, attributes })),
    );
  }
  if (orphanCount !== undefined) {
    gauge(METRICS.feedbackOrphans, async () => one(await inTime(orphanCount())));
  }
  if (clockOffsetMs !== undefined) {
    gauge(METRICS.clockOffset, async () => {
      const offset = await inTime(clockOffsetMs());
      return one(offset === undefined ? undefined : offset / 1000);
    });
  }
  if (lostSpans !== undefined) counter(METRICS.spansLost, () => one(lostSpans()));
  if (tlsFailures !== undefined) {
    counter(METRICS.tlsFailures, async () =>
      [...((await inTime(tlsFailures())) ?? [])].map(([provider, value]) => ({
        value,
        attributes: { provider },
      })),
    );
  }
  const lag = new EventLoopLag();
  gauge(METRICS.eventLoopLag, () =>
    lag.quantiles().map(([quantile, value]) => ({ value, attributes: { quantile } })),
  );
  return { observed, stop: () => lag.stop() };
}

function one(value: number | undefined): Readings {
  return value === undefined ? [] : [{ value, attributes: {} }];
}

function inTime<T>(value: Promise<T>): Promise<T | undefined> {
  return Promise.race([value.catch(() => undefined), delay(PATIENCE_MS, undefined, { ref: false })]);
}
