import type { FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import type { KnownKey } from '../../core/directory.js';
import { SluiceError } from '../../core/errors.js';
import { readKeyText } from '../../core/key-text.js';
import type { SessionStore } from '../../store/directory/sessions.js';
import type { AdminDirectory, EngineFeed } from '../dependencies.js';
import { readSession } from './session-cookie.js';

/** Who makes a request: the key that was sent with it, or the key with which its session was opened. */
export interface Caller extends KnownKey {
  /** Identifies the caller. Two sessions of one key are two callers. */
  id: string;
  session?: { id: string; expires_at: Date };
}

export interface Callers {
  /** The caller of a request. Throws `invalid_api_key`. Asks the store where the request has a session and no key. */
  of(request: FastifyRequest): Promise<Caller>;
  /** The caller of an earlier request with its present rights; undefined where its key or session has ended. */
  again(caller: Caller): Promise<Caller | undefined>;
  /** Throws `invalid_api_key` unless the caller is an engine. */
  checkEngine(request: FastifyRequest): void;
  /** Reports that a session was opened, so that its calls are those of a known caller. */
  opened(sessionId: string): void;
  /** The likely caller, found without asking the store; undefined where it is not known. */
  guess(request: FastifyRequest): string | undefined;
}

/** All engines share one key, so they count as one caller with this id. */
export const ENGINES = 'engines';

/** Sessions whose requests were accepted recently. */
const REMEMBERED_SESSIONS = 10_000;

export function createCallers(
  directory: AdminDirectory,
  sessions: SessionStore,
  { isKey: isEngineKey }: Pick<EngineFeed, 'isKey'>,
): Callers {
  const recent = new LRUCache<string, true>({ max: REMEMBERED_SESSIONS });

  const found = new WeakMap<FastifyRequest, KnownKey | undefined>();

  /** Looked up once for each request, because the key's text has to be hashed. */
  const findKey = (request: FastifyRequest, keyText: string): KnownKey | undefined => {
    if (!found.has(request)) found.set(request, directory.findKey(keyText));
    return found.get(request);
  };

  const ofKey = (key: KnownKey | undefined): Caller => {
    if (key === undefined) {
      throw new SluiceError('invalid_api_key', 'The API key is not valid for this project.');
    }
    return Object.assign({}, key, { id: `key ${key.hash}` });
  };

  const ofSession = async (id: string): Promise<Caller> => {
    recent.delete(id);
    const session = await sessions.use(id);
    // When a key is deleted or changed, its sessions end or change too.
    const key = session && directory.findKeyByHash(session.key_hash);
    if (key === undefined) throw new SluiceError('invalid_api_key', 'The session has ended. Sign in again.');
    recent.set(id, true);
    const { expires_at } = session!;
    return Object.assign({}, key, { id: `session ${id}`, session: { id, expires_at } });
  };

  return {
    async of(request) {
      const keyText = readKeyText(request.headers);
      if (keyText !== undefined) return ofKey(findKey(request, keyText));
      const session = readSession(request);
      if (session !== undefined) return ofSession(session);
      throw new SluiceError(
        'invalid_api_key',
        'No API key was given. Send `Authorization: Bearer <API_KEY>`.',
      );
    },

    async again(caller) {
      const { id, hash, session } = caller;
      if (session !== undefined && (await sessions.find(session.id)) === undefined) return undefined;
      const key = directory.findKeyByHash(hash);
      return key && { ...key, id, session };
    },

    checkEngine(request) {
      const keyText = readKeyText(request.headers);
      if (keyText !== undefined && isEngineKey(keyText)) return;
      throw new SluiceError(
        'invalid_api_key',
        'The key is not the `directory.key` of this service, or the service has none.',
      );
    },

    opened(sessionId) {
      recent.set(sessionId, true);
    },

    guess(request) {
      const keyText = readKeyText(request.headers);
      if (keyText !== undefined) {
        if (isEngineKey(keyText)) return ENGINES;
        const key = findKey(request, keyText);
        return key && `key ${key.hash}`;
      }
      const session = readSession(request);
      return session !== undefined && recent.has(session) ? `session ${session}` : undefined;
    },
  };
}
