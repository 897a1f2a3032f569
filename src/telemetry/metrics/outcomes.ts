import type { Directory } from '../../core/directory.js';
import type { AttemptRecord, LogRecord } from '../../core/log-record.js';
import { PROVIDER_NAMES, PROVIDER_OTHER } from '../names.js';

/** What telemetry looks up: only what is configured becomes a label. */
export type Lookup = Pick<Directory, 'project' | 'provider'>;

/** The value of `error.type`, or undefined for what went well or was ended by the client. */
export function attemptError({ status, http_status }: AttemptRecord): string | undefined {
  if (status === 'success' || status === 'aborted') return undefined;
  return http_status !== null && http_status >= 400 ? String(http_status) : status;
}

/** Undefined where no output was judged: by what the record says, and by whether a schema was in force. */
export function validationOutcome(
  { status }: AttemptRecord,
  validated: boolean,
): 'valid' | 'invalid' | undefined {
  if (status === 'invalid_output') return 'invalid';
  return status === 'success' && validated ? 'valid' : undefined;
}

/** The reason for which the next model was tried. */
export function fallbackReason(record: LogRecord, index: number): string | undefined {
  return index < record.attempts.length - 1 ? record.attempts[index]!.status : undefined;
}

/** As the GenAI conventions call it; the record has the name that the operator gave. */
export function providerName(lookup: Lookup, name: string): string {
  const provider = lookup.provider(name);
  return provider === undefined ? PROVIDER_OTHER : PROVIDER_NAMES[provider.api];
}

/** Milliseconds from the start of the last try to its first piece of output. */
export function timeToFirstChunkMs(record: LogRecord): number | undefined {
  const first = record.timing.time_to_first_token_ms;
  if (first === null || record.attempts.length === 0) return undefined;
  const earlier = record.attempts.slice(0, -1).reduce((sum, attempt) => sum + attempt.duration_ms, 0);
  return Math.max(0, first - earlier);
}
