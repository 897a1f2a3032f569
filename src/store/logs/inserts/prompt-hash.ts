import { hash } from 'node:crypto';
import type { LogRecord } from '../../../core/log-record.js';
import { stringifyInSteps } from '../../../core/pacing/json-in-pieces.js';
import { whereLongInTurns } from '../../../core/pacing/long-work.js';
import { conversationOf } from '../../../dialects/stored-texts.js';

/** Equal for logs whose model was given the same conversation; null where the log has no messages. */
export function promptHash({
  api,
  request,
}: Pick<LogRecord, 'api' | 'request'>): string | null | Promise<string | null> {
  const conversation = conversationOf(api, request);
  if (conversation === undefined) return null;
  const written = whereLongInTurns(stringifyInSteps(conversation));
  return written instanceof Promise ? written.then(promptHashOf) : promptHashOf(written);
}

/** The hash of a conversation by its JSON, an array of its members. */
export function promptHashOf(json: string | Buffer): string {
  return hash('sha256', json, 'base64url').slice(0, 22);
}
