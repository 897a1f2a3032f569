import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { endpointSchema } from '../../config/endpoint-schema.js';
import { readStoredEndpoint, UnreadableError } from '../../config/stored.js';
import { SluiceError } from '../../core/errors.js';
import type { JsonObject } from '../../core/json.js';
import type { Endpoint, ManagedBy } from '../../core/settings.js';
import { alreadyExists, type Change } from '../../store/directory/entry-store.js';
import type { EndpointDocument } from '../../store/mongodb/collections.js';
import { callerOf } from '../access/access.js';
import type { AdminServer } from '../admin-server.js';
import type { AdminDependencies } from '../dependencies.js';
import { asAnswer } from '../http/as-answer.js';
import { invalidRequest } from '../http/errors.js';
import { expectedVersion, requireVersion, tagVersion } from '../http/etags.js';
import { managedByFile } from '../managed-by-file.js';
import { applyChange, requireProject } from '../project-access.js';
import { redactEndpoint, restoreSecrets } from '../redaction.js';
import { errorResponses, list, managedBy, reference } from '../schemas.js';

const shown = Type.Object(
  { ...endpointSchema.properties, managed_by: managedBy },
  { $id: 'Endpoint', description: 'As in sluice.yaml, without secrets.' },
);
const shownSchema = reference(shown);
const collectionParams = Type.Object({ uid: Type.String({ description: 'The uid of the project.' }) });
const params = Type.Object({
  uid: Type.String({ description: 'The uid of the project.' }),
  name: Type.String(),
});

export function endpointRoutes(server: AdminServer, dependencies: AdminDependencies): void {
  server.addSchema(shown);
  const { store, plugins, fileEndpoints } = dependencies;
  const { endpoints } = store.administration;
  const tags = ['administration'];

  const ofFile = (uid: string, name: string) => fileEndpoints(uid).find((endpoint) => endpoint.name === name);
  const show = (endpoint: Endpoint, managed_by: ManagedBy) =>
    asAnswer({ ...redactEndpoint(endpoint, plugins()), managed_by });
  /** What cannot be read is told when the directory reads it; it can still be deleted. */
  const readable = (documents: EndpointDocument[]): Endpoint[] =>
    documents.flatMap((document) => {
      try {
        return [endpointOf(document)];
      } catch (error) {
        if (error instanceof UnreadableError) return [];
        throw error;
      }
    });
  const change = (request: FastifyRequest): Change<EndpointDocument> => ({
    actor: callerOf(request).name,
    describe: (document) => {
      const [endpoint] = readable([document]);
      if (endpoint === undefined) return { name: document.name, unreadable: true };
      // An endpoint is JSON: it was read as such.
      return redactEndpoint(endpoint, plugins()) as unknown as JsonObject;
    },
  });

  server.get(
    '/api/projects/:uid/endpoints',
    {
      config: { access: 'admin' },
      schema: {
        summary: 'The endpoints of a project',
        tags,
        params: collectionParams,
        response: { 200: list(shownSchema), ...errorResponses },
      },
    },
    async (request) => {
      const uid = await requireProject(dependencies, request.params.uid);
      const stored = readable(await endpoints.list({ project_uid: uid }));
      const written = fileEndpoints(uid);
      const hidden = new Set(written.map(({ name }) => name));
      const ofApi = stored.filter(({ name }) => !hidden.has(name));
      const data = [
        ...written.map((endpoint) => show(endpoint, 'file')),
        ...ofApi.map((endpoint) => show(endpoint, 'api')),
      ];
      return { data, next_cursor: null };
    },
  );

  server.post(
    '/api/projects/:uid/endpoints',
    {
      config: { access: 'admin' },
      schema: {
        summary: 'Make an endpoint',
        tags,
        params: collectionParams,
        body: endpointSchema,
        response: { 201: shownSchema, ...errorResponses },
      },
    },
    async (request, reply) => {
      const project_uid = await requireProject(dependencies, request.params.uid);
      const endpoint = request.body as Endpoint;
      await check(dependencies, endpoint);
      if (ofFile(project_uid, endpoint.name)) throw alreadyExists('endpoint');
      const stored = await endpoints.create(change(request), contentOf(project_uid, endpoint));
      await applyChange(dependencies);
      return tagVersion(reply.code(201), show(endpoint, 'api'), stored.revision);
    },
  );

  server.get(
    '/api/projects/:uid/endpoints/:name',
    {
      config: { access: 'admin' },
      schema: { summary: 'One endpoint', tags, params, response: { 200: shownSchema, ...errorResponses } },
    },
    async (request, reply) => {
      const uid = await requireProject(dependencies, request.params.uid);
      const { name } = request.params;
      const written = ofFile(uid, name);
      if (written) return tagVersion(reply, show(written, 'file'), undefined);
      const stored = await endpoints.find({ project_uid: uid, name });
      if (stored === undefined) throw unknownEndpoint(name);
      return tagVersion(reply, show(endpointOf(stored), 'api'), stored.revision);
    },
  );

  server.put(
    '/api/projects/:uid/endpoints/:name',
    {
      config: { access: 'admin' },
      schema: {
        summary: 'Change an endpoint',
        tags,
        params,
        body: endpointSchema,
        response: { 200: shownSchema, ...errorResponses },
      },
    },
    async (request, reply) => {
      const project_uid = await requireProject(dependencies, request.params.uid);
      const { name } = request.params;
      if (ofFile(project_uid, name)) throw managedByFile('endpoint');
      const expected = requireVersion(request);
      if (request.body.name !== name)
        throw invalidRequest([{ path: 'name', message: 'must be the name in the path' }]);
      const before = await endpoints.find({ project_uid, name });
      if (before === undefined) throw unknownEndpoint(name);
      const endpoint = restoreSecrets(request.body as Endpoint, endpointOf(before), plugins());
      await check(dependencies, endpoint);
      const content = contentOf(project_uid, endpoint);
      const stored = await endpoints.update(change(request), { project_uid, name }, expected, content);
      await applyChange(dependencies);
      return tagVersion(reply, show(endpoint, 'api'), stored.revision);
    },
  );

  server.delete(
    '/api/projects/:uid/endpoints/:name',
    {
      config: { access: 'admin' },
      schema: {
        summary: 'Remove an endpoint',
        tags,
        params,
        response: { 204: Type.Null({ description: 'It is gone.' }), ...errorResponses },
      },
    },
    async (request, reply) => {
      const project_uid = await requireProject(dependencies, request.params.uid);
      const { name } = request.params;
      if (ofFile(project_uid, name)) throw managedByFile('endpoint');
      await endpoints.remove(change(request), { project_uid, name }, expectedVersion(request));
      await applyChange(dependencies);
      return reply.code(204).send(null);
    },
  );
}

async function check({ checkEndpoint }: AdminDependencies, endpoint: Endpoint): Promise<void> {
  const details = await checkEndpoint(endpoint);
  if (details.length > 0) throw invalidRequest(details);
}

function contentOf(project_uid: string, endpoint: Endpoint) {
  return { project_uid, name: endpoint.name, settings: JSON.stringify(endpoint) };
}

function endpointOf({ settings, schema_version }: EndpointDocument): Endpoint {
  return readStoredEndpoint(JSON.parse(settings), schema_version);
}

function unknownEndpoint(name: string): SluiceError {
  return new SluiceError('not_found', `There is no endpoint ${name} in this project.`);
}
