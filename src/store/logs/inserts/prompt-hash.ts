import { hash } from 'node:crypto';
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
