import type { Static } from 'typebox';
import type { ApiKey } from '../../../core/directory.js';
import { Type } from '../../../core/schema-type.js';
import { SCOPES } from '../../../core/settings.js';
import { alreadyExists } from '../../../store/directory/entry-store.js';
import type { KeyDocument } from '../../../store/mongodb/collections.js';
import type { AdminServer } from '../../admin-server.js';
import type { AdminDependencies } from '../../dependencies.js';
import { line, managedBy, nullable, oneOf, strictObject, withReadOnly } from '../../schemas/common.js';
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
});
const shown = {
  id: Type.String(),
  name: Type.String(),
  prefix: Type.String({ description: 'How the key begins.' }),
  scopes: Type.Array(oneOf(SCOPES)),
  endpoints: nullable(Type.Array(Type.String())),
  managed_by: managedBy,
};
const keySchema = Type.Object(shown);
const changeSchema = withReadOnly(bodySchema, {
  id: shown.id,
  prefix: shown.prefix,
  managed_by: managedBy,
});
const newKeySchema = Type.Object({
  ...shown,
  key: Type.String({ description: 'The key. It is shown this once; only its hash is kept.' }),
});

type Body = Static<typeof bodySchema>;
type KeyJson = Static<typeof keySchema>;

export function apiKeyRoutes(server: AdminServer, dependencies: AdminDependencies): void {
  const { store, directory, generateKey } = dependencies;
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
      change: 'Change the name, the scopes or the endpoints of a key',
      remove: 'Take a key away',
    },
    removed: 'It opens nothing any more.',
    schemas: { shown: keySchema, created: newKeySchema, create: bodySchema, change: changeSchema },
    store: store.administration.keys,
    ofFile,
    idOf: ({ id }) => id,
    which: (project_uid, _id) => (_id === undefined ? { project_uid } : { _id, project_uid }),
    show: ofApiJson,
    describe: (key) => ({ ...ofApiJson(key) }),
    async create({ name, scopes, endpoints = null }, project_uid) {
      refuseTakenName(project_uid, name);
      const { key, hash, prefix } = generateKey();
      return { content: { project_uid, name, scopes, endpoints, hash, prefix }, shownOnce: { key } };
    },
    async change({ name, scopes, endpoints = null }, { project }) {
      refuseTakenName(project, name);
      return { name, scopes, endpoints };
    },
  });
}

function ofApiJson({ _id, name, prefix, scopes, endpoints = null }: KeyDocument): KeyJson {
  return { id: _id, name, prefix, scopes, endpoints, managed_by: 'api' };
}

function ofFileJson({ id, name, prefix, scopes, endpoints, managed_by }: ApiKey): KeyJson {
  return { id, name, prefix, scopes: [...scopes], endpoints: endpoints ? [...endpoints] : null, managed_by };
}
