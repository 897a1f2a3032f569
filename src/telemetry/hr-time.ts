import type { HrTime } from '@opentelemetry/api';

/** A time in OpenTelemetry's form: seconds and nanoseconds. */
export function toHrTime(ms: number): HrTime {
  return [Math.floor(ms / 1000), Math.round((ms % 1000) * 1e6)];
}
