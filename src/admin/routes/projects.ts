import { randomUUID } from 'node:crypto';
import { type Static, Type } from 'typebox';
import type { Project } from '../../core/directory.js';
import { SEARCHES } from '../../core/settings.js';
import { alreadyExists, type Change } from '../../store/directory/entry-store.js';
import type { ProjectDocument } from '../../store/mongodb/collections.js';
import { callerOf } from '../access/access.js';
import type { AdminServer } from '../admin-server.js';
import type { AdminDependencies } from '../dependencies.js';
import { expectedVersion, requireVersion, tagVersion } from '../http/etags.js';
import { managedByFile } from '../managed-by-file.js';
import { applyChange, fileProject, unknownProject } from '../project-access.js';
import { errorResponses, line, list, managedBy, nullable, strictObject, uuid } from '../schemas.js';

const name = line('A name for people.');
const retention = nullable(
  Type.Integer({ minimum: 1, maximum: 36_500, description: 'Logs are deleted after so many days.' }),
);
const search = Type.Enum(SEARCHES, {
  description: 'What `q` looks through: the newest 1,000 logs, or all of them.',
});
const content = {
  name,
  enabled: Type.Optional(Type.Boolean({ default: true })),
  retention_days: Type.Optional(retention),
  search: Type.Optional(search),
};
const createSchema = strictObject({
  uid: Type.Optional(uuid('a UUID; one is made where none is given')),
  ...content,
});
const replaceSchema = strictObject(content);
const baseUrl = (description: string) => Type.String({ description });
const projectSchema = Type.Object({
  uid: Type.String(),
  name: Type.String(),
  enabled: Type.Boolean(),
  retention_days: nullable(Type.Integer()),
  search,
  managed_by: managedBy,
  base_urls: Type.Object(
    {
      openai: baseUrl("Of OpenAI's SDKs."),
      anthropic: baseUrl("Of Anthropic's SDKs."),
      gemini: baseUrl("Of Google's SDKs."),
    },
    { description: 'What clients of this project take as base URL.' },
  ),
});
const params = Type.Object({ uid: Type.String({ description: 'The uid of the project.' }) });

type ProjectJson = Static<typeof projectSchema>;
type StoredProject = Omit<ProjectJson, 'base_urls'>;

export function projectRoutes(server: AdminServer, dependencies: AdminDependencies): void {
  const { store, directory, gatewayUrl } = dependencies;
  const { projects, removeProject } = store.administration;
  const tags = ['administration'];
  const shown = (project: StoredProject): ProjectJson => ({
    ...project,
    base_urls: baseUrls(gatewayUrl(), project.uid),
  });

  server.get(
    '/api/projects',
    {
      config: { access: 'admin' },
      schema: { summary: 'All projects', tags, response: { 200: list(projectSchema), ...errorResponses } },
    },
    async () => {
      const ofFile = directory.projects().filter(({ managed_by }) => managed_by === 'file');
      const hidden = new Set(ofFile.map(({ uid }) => uid));
      const ofApi = (await projects.list({})).filter(({ _id }) => !hidden.has(_id));
      const all = [...ofFile.map(ofFileJson), ...ofApi.map(ofApiJson)];
      return { data: all.map(shown), next_cursor: null };
    },
  );

  server.post(
    '/api/projects',
    {
      config: { access: 'admin' },
      schema: {
        summary: 'Make a project',
        tags,
        body: createSchema,
        response: { 201: projectSchema, ...errorResponses },
      },
    },
    async (request, reply) => {
      const { body } = request;
      const uid = (body.uid ?? randomUUID()).toLowerCase();
      // One that left the file can be taken over.
      const isTaken = (known: Project) =>
        known.managed_by === 'file' && known.enabled && (known.uid === uid || known.name === body.name);
      if (directory.projects().some(isTaken)) throw alreadyExists('project');
      const project = await projects.create(change(callerOf(request).name), contentOf(body), uid);
      await applyChange(dependencies);
      return tagVersion(reply.code(201), shown(ofApiJson(project)), project.revision);
    },
  );

  server.get(
    '/api/projects/:uid',
    {
      config: { access: 'admin' },
      schema: { summary: 'One project', tags, params, response: { 200: projectSchema, ...errorResponses } },
    },
    async (request, reply) => {
      const uid = request.params.uid.toLowerCase();
      const ofFile = fileProject(dependencies, uid);
      if (ofFile) return tagVersion(reply, shown(ofFileJson(ofFile)), undefined);
      const project = await projects.find({ _id: uid });
      if (project === undefined) throw unknownProject(uid);
      return tagVersion(reply, shown(ofApiJson(project)), project.revision);
    },
  );

  server.put(
    '/api/projects/:uid',
    {
      config: { access: 'admin' },
      schema: {
        summary: 'Change a project',
        tags,
        params,
        body: replaceSchema,
        response: { 200: projectSchema, ...errorResponses },
      },
    },
    async (request, reply) => {
      const uid = request.params.uid.toLowerCase();
      if (fileProject(dependencies, uid)) throw managedByFile('project');
      const expected = requireVersion(request);
      const actor = callerOf(request).name;
      const project = await projects.update(change(actor), { _id: uid }, expected, contentOf(request.body));
      await applyChange(dependencies);
      return tagVersion(reply, shown(ofApiJson(project)), project.revision);
    },
  );

  server.delete(
    '/api/projects/:uid',
    {
      config: { access: 'admin' },
      schema: {
        summary: 'Remove a project with its keys and endpoints; its logs stay',
        tags,
        params,
        response: { 204: Type.Null({ description: 'It is gone.' }), ...errorResponses },
      },
    },
    async (request, reply) => {
      const uid = request.params.uid.toLowerCase();
      if (fileProject(dependencies, uid)) throw managedByFile('project');
      await removeProject(change(callerOf(request).name), uid, expectedVersion(request));
      await applyChange(dependencies);
      return reply.code(204).send(null);
    },
  );
}

function contentOf({ name, enabled, retention_days, search = 'recent' }: Static<typeof replaceSchema>) {
  return { name, enabled: enabled ?? true, retention_days: retention_days ?? null, search };
}

function change(actor: string): Change<ProjectDocument> {
  return { actor, describe: (project) => ({ ...ofApiJson(project) }) };
}

function ofApiJson({
  _id,
  name,
  enabled,
  retention_days,
  search = 'recent',
}: ProjectDocument): StoredProject {
  return { uid: _id, name, enabled, retention_days, search, managed_by: 'api' };
}

function ofFileJson({
  uid,
  name,
  enabled,
  retention_days,
  search = 'recent',
  managed_by,
}: Project): StoredProject {
  return { uid, name, enabled, retention_days: retention_days ?? null, search, managed_by };
}

/** OpenAI's SDKs expect the version in their base URL, the others add it themselves. */
function baseUrls(gatewayUrl: string, uid: string): ProjectJson['base_urls'] {
  const project = `${gatewayUrl}/${uid}`;
  return { openai: `${project}/openai/v1`, anthropic: `${project}/anthropic`, gemini: `${project}/gemini` };
}
