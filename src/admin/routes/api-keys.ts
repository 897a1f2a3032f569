import { type Static, Type } from 'typebox';
import type { ApiKey } from '../../core/directory.js';
import { SluiceError } from '../../core/errors.js';
import { SCOPES } from '../../core/settings.js';
import { alreadyExists, type Change } from '../../store/directory/entry-store.js';
import type { KeyDocument } from '../../store/mongodb/collections.js';
import { callerOf } from '../access/access.js';
import type { AdminServer } from '../admin-server.js';
import type { AdminDependencies } from '../dependencies.js';
import { expectedVersion, requireVersion, tagVersion } from '../http/etags.js';
import { managedByFile } from '../managed-by-file.js';
import { applyChange, requireProject } from '../project-access.js';
import { errorResponses, line, list, managedBy, oneOf, strictObject } from '../schemas.js';

const bodySchema = strictObject({
  name: line('A name for people, unique in the project.'),
  scopes: Type.Array(oneOf(SCOPES), { minItems: 1, uniqueItems: true, description: 'What the key may do.' }),
});
const shown = {
  id: Type.String(),
  name: Type.String(),
  prefix: Type.String({ description: 'How the key begins.' }),
  scopes: Type.Array(oneOf(SCOPES)),
  managed_by: managedBy,
};
const keySchema = Type.Object(shown);
const newKeySchema = Type.Object({
  ...shown,
  key: Type.String({ description: 'The key. It is shown this once; only its hash is kept.' }),
});
const collectionParams = Type.Object({ uid: Type.String({ description: 'The uid of the project.' }) });
const params = Type.Object({
  uid: Type.String({ description: 'The uid of the project.' }),
  id: Type.String(),
});

type KeyJson = Static<typeof keySchema>;

export function apiKeyRoutes(server: AdminServer, dependencies: AdminDependencies): void {
  const { store, directory, generateKey } = dependencies;
  const { keys } = store.administration;
  const tags = ['administration'];
  const ofFile = (uid: string) => directory.keys(uid).filter(({ managed_by }) => managed_by === 'file');
  const fileKey = (uid: string, id: string) => ofFile(uid).find((key) => key.id === id);

  server.get(
    '/api/projects/:uid/api-keys',
    {
      config: { access: 'admin' },
      schema: {
        summary: 'The keys of a project',
        tags,
        params: collectionParams,
        response: { 200: list(keySchema), ...errorResponses },
      },
    },
    async (request) => {
      const uid = await requireProject(dependencies, request.params.uid);
      const stored = await keys.list({ project_uid: uid });
      return { data: [...ofFile(uid).map(toJson), ...stored.map(ofApiJson)], next_cursor: null };
    },
  );

  server.post(
    '/api/projects/:uid/api-keys',
    {
      config: { access: 'admin' },
      schema: {
        summary: 'Make a key',
        tags,
        params: collectionParams,
        body: bodySchema,
        response: { 201: newKeySchema, ...errorResponses },
      },
    },
    async (request, reply) => {
      const project_uid = await requireProject(dependencies, request.params.uid);
      const { name, scopes } = request.body;
      if (ofFile(project_uid).some((key) => key.name === name)) throw alreadyExists('api_key');
      const { key, hash, prefix } = generateKey();
      const actor = callerOf(request).name;
      const stored = await keys.create(change(actor), { project_uid, name, scopes, hash, prefix });
      await applyChange(dependencies);
      return tagVersion(reply.code(201), { ...ofApiJson(stored), key }, stored.revision);
    },
  );

  server.get(
    '/api/projects/:uid/api-keys/:id',
    {
      config: { access: 'admin' },
      schema: { summary: 'One key', tags, params, response: { 200: keySchema, ...errorResponses } },
    },
    async (request, reply) => {
      const uid = await requireProject(dependencies, request.params.uid);
      const { id } = request.params;
      const key = fileKey(uid, id);
      if (key) return tagVersion(reply, toJson(key), undefined);
      const stored = await keys.find({ _id: id, project_uid: uid });
      if (stored === undefined) throw new SluiceError('not_found', `There is no key ${id} in this project.`);
      return tagVersion(reply, ofApiJson(stored), stored.revision);
    },
  );

  server.put(
    '/api/projects/:uid/api-keys/:id',
    {
      config: { access: 'admin' },
      schema: {
        summary: 'Change the name or the scopes of a key',
        tags,
        params,
        body: bodySchema,
        response: { 200: keySchema, ...errorResponses },
      },
    },
    async (request, reply) => {
      const uid = await requireProject(dependencies, request.params.uid);
      const { id } = request.params;
      const { name, scopes } = request.body;
      if (fileKey(uid, id)) throw managedByFile('key');
      const expected = requireVersion(request);
      if (ofFile(uid).some((key) => key.name === name)) throw alreadyExists('api_key');
      const actor = callerOf(request).name;
      const stored = await keys.update(change(actor), { _id: id, project_uid: uid }, expected, {
        name,
        scopes,
      });
      await applyChange(dependencies);
      return tagVersion(reply, ofApiJson(stored), stored.revision);
    },
  );

  server.delete(
    '/api/projects/:uid/api-keys/:id',
    {
      config: { access: 'admin' },
      schema: {
        summary: 'Take a key away',
        tags,
        params,
        response: { 204: Type.Null({ description: 'It opens nothing any more.' }), ...errorResponses },
      },
    },
    async (request, reply) => {
      const uid = await requireProject(dependencies, request.params.uid);
      const { id } = request.params;
      if (fileKey(uid, id)) throw managedByFile('key');
      const actor = callerOf(request).name;
      await keys.remove(change(actor), { _id: id, project_uid: uid }, expectedVersion(request));
      await applyChange(dependencies);
      return reply.code(204).send(null);
    },
  );
}

function change(actor: string): Change<KeyDocument> {
  return { actor, describe: (key) => ({ ...ofApiJson(key) }) };
}

function ofApiJson({ _id, name, prefix, scopes }: KeyDocument): KeyJson {
  return { id: _id, name, prefix, scopes, managed_by: 'api' };
}

function toJson({ id, name, prefix, scopes, managed_by }: ApiKey): KeyJson {
  return { id, name, prefix, scopes: [...scopes], managed_by };
}
