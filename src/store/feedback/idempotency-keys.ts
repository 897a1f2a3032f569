import { createHash, randomUUID } from 'node:crypto';
import type { Clock } from '../../core/clock.js';
import { SluiceError } from '../../core/errors.js';
import type { JsonObject, JsonValue } from '../../core/json.js';
import type { Collections, IdempotencyDocument } from '../mongodb/collections.js';
import { isDuplicate } from '../mongodb/storage-errors.js';

/** A call that its client may repeat. */
export interface KeyedCall {
  project_uid: string;
  /** The Idempotency-Key, where the client sent one. */
  key: string | undefined;
  /** What a repetition must say again. */
  body: JsonObject;
}

interface Claim {
  /** The id of what the call makes. */
  id: string;
  /** Whether an earlier call has made it. */
  done: boolean;
  finish(): Promise<void>;
}

/** Whether there was a call with this key before. */
export async function isRepeat({ idempotency }: Collections, call: KeyedCall): Promise<boolean> {
  if (call.key === undefined) return false;
  const _id = keyOf(call.project_uid, call.key);
  return (await idempotency.findOne({ _id }, { projection: { _id: 1 } })) !== null;
}

/**
 * The id for a call with this key. It is the same in every repetition, so that a repetition after a crash completes the first
 * call. Throws `idempotency_conflict` where an earlier call had another body.
 */
export async function claimKey(
  { idempotency }: Collections,
  clock: Clock,
  { project_uid, key, body }: KeyedCall,
): Promise<Claim> {
  const feedback_id = randomUUID();
  if (key === undefined) return { id: feedback_id, done: false, finish: async () => {} };
  const _id = keyOf(project_uid, key);
  const request_hash = hashOf(body);
  const fresh = { request_hash, feedback_id, done: false, created_at: new Date(clock.now()) };
  const claim = await claimOnce(() =>
    idempotency.findOneAndUpdate({ _id }, { $setOnInsert: fresh }, { upsert: true, returnDocument: 'after' }),
  );
  if (claim === null) throw new Error('an upsert gave no document');
  if (claim.request_hash !== request_hash) {
    throw new SluiceError(
      'idempotency_conflict',
      'This Idempotency-Key was used before with another request.',
      { param: 'Idempotency-Key' },
    );
  }
  const finish = async () => {
    await idempotency.updateOne({ _id }, { $set: { done: true } });
  };
  return { id: claim.feedback_id, done: claim.done, finish };
}

function keyOf(project_uid: string, key: string): IdempotencyDocument['_id'] {
  return { project_uid, key };
}

/** When two upserts of one new key run at once, one can fail with a duplicate key, and succeeds when repeated. */
async function claimOnce<Value>(upsert: () => Promise<Value>): Promise<Value> {
  try {
    return await upsert();
  } catch (error) {
    if (!isDuplicate(error)) throw error;
    return upsert();
  }
}

/** A hash of a body. It is equal for bodies that differ only in the order of keys or in white space. */
function hashOf(value: JsonObject): string {
  return createHash('sha256').update(canonical(value)).digest('base64url');
}

function canonical(value: JsonValue): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  const members = Object.keys(value)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonical(value[key] as JsonValue)}`);
  return `{${members.join(',')}}`;
}
