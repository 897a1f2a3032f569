import type { Clock } from '../../core/clock.js';
import type { Collections, SessionDocument } from '../mongodb/collections.js';

/** Sign-in sessions and their keys. They survive restarts, and every process of the admin service knows them. */
export interface SessionStore {
  /** Opens a session. Resolves with its expiry. Where a key has too many sessions, the oldest is removed. */
  open(id: string, keyHash: string): Promise<{ expires_at: Date }>;
  /** Uses a session, which extends it. Undefined where it has expired. */
  use(id: string): Promise<{ key_hash: string; expires_at: Date } | undefined>;
  /** Finds a session without extending it. */
  find(id: string): Promise<{ key_hash: string; expires_at: Date } | undefined>;
  close(id: string): Promise<void>;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** A session ends after this long without use. */
export const IDLE_MS = 12 * HOUR_MS;
/** A session ends at this age in any case. */
export const LIFETIME_MS = 7 * 24 * HOUR_MS;
const MAX_PER_KEY = 100;

export function createSessionStore({ sessions, guarded }: Collections, clock: Clock): SessionStore {
  const find = (id: string) => sessions.findOne({ _id: id, expires_at: { $gt: new Date(clock.now()) } });
  return {
    open: (id, key_hash) =>
      guarded(async () => {
        const surplus = await sessions
          .find({ key_hash }, { projection: { _id: 1 } })
          .sort({ created_at: -1 })
          .skip(MAX_PER_KEY - 1)
          .toArray();
        if (surplus.length > 0) await sessions.deleteMany({ _id: { $in: surplus.map(({ _id }) => _id) } });
        const created_at = new Date(clock.now());
        const expires_at = new Date(clock.now() + IDLE_MS);
        await sessions.insertOne({ _id: id, key_hash, created_at, expires_at });
        return { expires_at };
      }),

    use: (id) =>
      guarded(async () => {
        const session = await find(id);
        if (session === null) return undefined;
        const expires_at = laterEnd(session, clock.now());
        // The expiry is not stored with each request, because minutes are precise enough.
        if (expires_at.getTime() - session.expires_at.getTime() >= MINUTE_MS) {
          await sessions.updateOne({ _id: id }, { $max: { expires_at } });
          return { key_hash: session.key_hash, expires_at };
        }
        return session;
      }),

    find: (id) => guarded(async () => (await find(id)) ?? undefined),

    close: (id) =>
      guarded(async () => {
        await sessions.deleteOne({ _id: id });
      }),
  };
}

function laterEnd({ created_at }: SessionDocument, now: number): Date {
  return new Date(Math.min(now + IDLE_MS, created_at.getTime() + LIFETIME_MS));
}
