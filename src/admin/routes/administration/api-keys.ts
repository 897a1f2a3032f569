import type { Static } from 'typebox';
import type { Clock } from '../../../core/clock.js';
import type { ApiKey } from '../../../core/directory.js';
import { keyFingerprint } from '../../../core/key-text.js';
import { Type } from '../../../core/schema-type.js';
import { SCOPES } from '../../../core/settings.js';
import { alreadyExists } from '../../../store/directory/entry-store.js';
import type { KeyDocument } from '../../../store/mongodb/collections.js';
import type { AdminServer } from '../../admin-server.js';
import type { AdminDependencies } from '../../dependencies.js';
import { invalidRequest } from '../../http/errors.js';
import { readMoment } from '../../http/moments.js';
import {
  line,
  managedBy,
  moment,
  nullable,
  oneOf,
  strictObject,
  withReadOnly,
} from '../../schemas/common.js';
import { serveEntries } from './serve-entries.js';

const bodySchema = strictObject({
  name: line('A name for people, unique in the project.'),
  scopes: Type.Array(oneOf(SCOPES), { minItems: 1, uniqueItems: true, description: 'What the key may do.' }),
  endpoints: Type.Optional(
    nullable(
      Type.Array(line('The name of an endpoint.'), {
        minItems: 1,
        uniqueItems: true,
        description: 'The endpoints that the key may call; null: every endpoint.',
      }),
    ),
  ),
  expires_at: Type.Optional(
    nullable(
      Type.Unsafe<string>({
        type: 'string',
        anyOf: [{ format: 'date-time' }, { format: 'date' }],
        description: 'From this moment on it opens nothing; null: it does not expire.',
      }),
    ),
  ),
});
const shown = {
  id: Type.String(),
  name: Type.String(),
  prefix: Type.String({ description: 'How the key begins.' }),
  fingerprint: Type.String({ description: 'Tells keys apart that begin alike.' }),
  scopes: Type.Array(oneOf(SCOPES)),
  endpoints: nullable(Type.Array(Type.String())),
  created_at: nullable(moment('When it was made; null for a key of sluice.yaml.')),
  last_used_at: nullable(
    moment('When the newest log of a key of this name began; null where none has landed.'),
  ),
  expires_at: nullable(moment('From then on it opens nothing; null: never.')),
  managed_by: managedBy,
};
const keySchema = Type.Object(shown);
const changeSchema = withReadOnly(bodySchema, {
  id: shown.id,
  prefix: shown.prefix,
  fingerprint: shown.fingerprint,
  created_at: shown.created_at,
  last_used_at: shown.last_used_at,
  managed_by: managedBy,
});
const newKeySchema = Type.Object({
  ...shown,
  key: Type.String({ description: 'The key. It is shown this once; only its hash is kept.' }),
});

type Body = Static<typeof bodySchema>;
type KeyJson = Static<typeof keySchema>;

export function apiKeyRoutes(server: AdminServer, dependencies: AdminDependencies): void {
  const { store, directory, generateKey, clock } = dependencies;
  const ofFile = (project: string) =>
    directory
      .keys(project)
      .filter(({ managed_by }) => managed_by === 'file')
      .map(ofFileJson);
  const refuseTakenName = (project: string, name: string) => {
    if (ofFile(project).some((key) => key.name === name)) throw alreadyExists('api_key');
  };

  serveEntries<KeyDocument, Body, KeyJson>(server, dependencies, {
    name: 'key',
    list: 'keys',
    path: '/api/projects/:uid/api-keys',
    id: { name: 'id', schema: Type.String() },
    summaries: {
      list: 'The keys of a project',
      create: 'Make a key',
      read: 'One key',
      change: 'Change the name, the scopes, the endpoints or the expiry of a key',
      remove: 'Take a key away',
    },
    removed: 'It opens nothing any more.',
    schemas: { shown: keySchema, created: newKeySchema, create: bodySchema, change: changeSchema },
    store: store.administration.keys,
    ofFile,
    idOf: ({ id }) => id,
    which: (project_uid, _id) => (_id === undefined ? { project_uid } : { _id, project_uid }),
    show: ofApiJson,
    describe: (key) => {
      const { last_used_at: _unknown, created_at: _told, ...shown } = ofApiJson(key);
      return shown;
    },
    async complete(keys, project) {
      return Promise.all(
        keys.map(async (key) => {
          const last = await store.logs.newestOfCaller(project, `key:${key.name}`);
          return last === undefined ? key : { ...key, last_used_at: last.toISOString() };
        }),
      );
    },
    async create({ name, scopes, endpoints = null, expires_at }, project_uid) {
      refuseTakenName(project_uid, name);
      const { key, hash, prefix } = generateKey();
      const content = { project_uid, name, scopes, endpoints, hash, prefix };
      return { content: { ...content, expires_at: readExpiry(expires_at, clock) }, shownOnce: { key } };
    },
    async change({ name, scopes, endpoints = null, expires_at }, { project }) {
      refuseTakenName(project, name);
      return { name, scopes, endpoints, expires_at: readExpiry(expires_at) };
    },
  });
}

/**
 * The time at which a new key expires. Throws `invalid_request` for a time in the past, because such a key would
 * never open anything.
 */
function readExpiry(written: string | null | undefined, clock?: Clock): Date | null {
  // The schema accepts no other texts.
  const moment = written == null ? null : readMoment(written)!;
  if (moment !== null && clock !== undefined && moment.getTime() <= clock.now()) {
    throw invalidRequest([{ path: 'expires_at', message: 'is in the past' }]);
  }
  return moment;
}

/** Members that `complete` fills in later. */
const NOT_KNOWN_YET = { last_used_at: null };

function ofApiJson(key: KeyDocument): KeyJson {
  const { _id, name, prefix, hash, scopes, endpoints = null, created_at, expires_at = null } = key;
  return {
    id: _id,
    name,
    prefix,
    fingerprint: keyFingerprint(hash),
    scopes,
    endpoints,
    created_at: created_at.toISOString(),
    ...NOT_KNOWN_YET,
    expires_at: expires_at?.toISOString() ?? null,
    managed_by: 'api',
  };
}

function ofFileJson({ id, name, prefix, hash, scopes, endpoints, managed_by }: ApiKey): KeyJson {
  return {
    id,
    name,
    prefix,
    fingerprint: keyFingerprint(hash),
    scopes: [...scopes],
    endpoints: endpoints ? [...endpoints] : null,
    created_at: null,
    ...NOT_KNOWN_YET,
    expires_at: null,
    managed_by,
  };
}
