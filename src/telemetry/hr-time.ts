import type { HrTime } from '@opentelemetry/api';

/** Seconds and nanoseconds, OpenTelemetry's form of times. */
export function toHrTime(ms: number): HrTime {
  return [Math.floor(ms / 1000), Math.round((ms % 1000) * 1e6)];
}
