import { hash } from 'node:crypto';
import type { Span } from '../../../core/json-scan.js';
import type { LogRecord } from '../../../core/log-record.js';
import { stringifyInSteps } from '../../../core/pacing/json-in-pieces.js';
import type { MaybePromise } from '../../../core/pacing/maybe-promise.js';
import { settle } from '../../../core/pacing/maybe-promise.js';
import { runSteps } from '../../../core/pacing/steps.js';
import { conversationOf } from '../../../dialects/stored-texts.js';

/** A hash that is equal for logs with the same conversation; null where the log has no messages. */
export function promptHash({
  api,
  request,
}: Pick<LogRecord, 'api' | 'request'>): MaybePromise<string | null> {
  const conversation = conversationOf(api, request);
  if (conversation === undefined) return null;
  const written = runSteps(stringifyInSteps(conversation));
  return settle(written, promptHashOf);
}

/** The hash of a conversation by its JSON, an array of its members. */
export function promptHashOf(json: string | Buffer): string {
  return hash('sha256', json, 'base64url').slice(0, 22);
}

const NULL = 'null';
const [START, SEPARATOR, END] = ['[', ',', ']'].map((sign) => sign.charCodeAt(0)) as [number, number, number];

/** Where the parts of a conversation are joined, to be hashed in one call. Longer ones get memory of their own. */
const SCRATCH = Buffer.allocUnsafeSlow(256 * 1024);

/** The hash of a conversation by the places of its members in a JSON text; undefined for a member that is missing. */
export function promptHashOfParts(json: Buffer, parts: readonly (Span | undefined)[]): string {
  const most = parts.reduce((sum, part) => sum + (part === undefined ? 0 : part.end - part.start), 0);
  const bytes = most + parts.length * (NULL.length + 1) + 1;
  const joined = bytes <= SCRATCH.length ? SCRATCH : Buffer.allocUnsafeSlow(bytes);
  let at = 0;
  for (const part of parts) {
    joined[at] = at === 0 ? START : SEPARATOR;
    at++;
    at += part === undefined ? joined.write(NULL, at) : json.copy(joined, at, part.start, part.end);
  }
  joined[at++] = END;
  return promptHashOf(joined.subarray(0, at));
}
