import type { Directory } from '../../core/directory.js';
import type { AttemptRecord, LogRecord } from '../../core/log-record.js';
import type { ExchangeDetails } from '../exchange-details.js';
import { PROVIDER_NAMES, PROVIDER_OTHER } from '../names.js';

/** The lookups that telemetry needs, because only configured names become labels. */
export type Lookup = Pick<Directory, 'project' | 'provider'>;

/** The value of `error.type`; undefined for success and for exchanges that the client ended. */
export function attemptError({ status, http_status }: AttemptRecord): string | undefined {
  if (status === 'success' || status === 'aborted') return undefined;
  return http_status !== null && http_status >= 400 ? String(http_status) : status;
}

/** The result of the validation, from the record and whether there was a schema. Undefined where no output was validated. */
export function validationOutcome(
  { status }: AttemptRecord,
  validated: boolean,
): 'valid' | 'invalid' | undefined {
  if (status === 'invalid_output') return 'invalid';
  return status === 'success' && validated ? 'valid' : undefined;
}

/** The fallback reason. */
export function fallbackReason(record: LogRecord, index: number): string | undefined {
  return index < record.attempts.length - 1 ? record.attempts[index]!.status : undefined;
}

/** The kind of provider by its name in the GenAI conventions. The record has only the operator's name for the provider. */
export function providerName(lookup: Lookup, name: string): string {
  const provider = lookup.provider(name);
  return provider === undefined ? PROVIDER_OTHER : PROVIDER_NAMES[provider.api];
}

/** Milliseconds from the start of the last attempt to its first piece of output, in a stream. */
export function timeToFirstChunkMs(
  { stream, timing }: LogRecord,
  { lastAttemptStartMs }: ExchangeDetails,
): number | undefined {
  const first = timing.time_to_first_token_ms;
  if (!stream || first === null || lastAttemptStartMs === undefined) return undefined;
  return Math.max(0, first - lastAttemptStartMs);
}
