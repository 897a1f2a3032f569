import { randomUUID } from 'node:crypto';
import type { Static } from 'typebox';
import { corsSchema } from '../../../config/cors-schema.js';
import { limitSchema } from '../../../config/limit-schema.js';
import type { Project } from '../../../core/directory.js';
import { SluiceError } from '../../../core/errors.js';
import type { JsonObject } from '../../../core/json.js';
import { Type } from '../../../core/schema-type.js';
import { SEARCHES, type TrafficLimit } from '../../../core/settings.js';
import { baseUrlsBelow } from '../../../dialects/calls.js';
import { alreadyExists } from '../../../store/directory/entry-store.js';
import type { ProjectDocument } from '../../../store/mongodb/collections.js';
import type { AdminServer } from '../../admin-server.js';
import type { AdminDependencies } from '../../dependencies.js';
import {
  line,
  managedBy,
  nullable,
  projectUid,
  strictObject,
  uuid,
  withReadOnly,
} from '../../schemas/common.js';
import { serveEntries } from './serve-entries.js';

const name = line('A name for people.');
const retention = nullable(
  Type.Integer({ minimum: 1, maximum: 36_500, description: 'Logs are deleted after so many days.' }),
);
const search = Type.Enum(SEARCHES, {
  description: 'What `q` looks through: the newest 1,000 logs, or all of them.',
});
// One schema and not a union of two, because defaults are not filled in for unions.
const limits = Type.Unsafe<TrafficLimit[] | null>({
  type: ['array', 'null'],
  items: limitSchema,
  description: 'Limits and budgets; null: none.',
});
const cors = Type.Unsafe<{ origins: string[] } | null>({
  ...corsSchema,
  type: ['object', 'null'],
  description: 'Which pages of browsers may call the project; null: none.',
});
const content = {
  name,
  enabled: Type.Optional(Type.Boolean({ default: true })),
  retention_days: Type.Optional(retention),
  search: Type.Optional(search),
  limits: Type.Optional(limits),
  cors: Type.Optional(cors),
};
const createSchema = strictObject({
  uid: Type.Optional(uuid('a UUID; one is made where none is given')),
  ...content,
});
const baseUrl = (description: string) => Type.String({ description });
const readOnly = {
  uid: Type.String(),
  managed_by: managedBy,
  base_urls: Type.Object(
    {
      openai: baseUrl("Of OpenAI's SDKs."),
      anthropic: baseUrl("Of Anthropic's SDKs."),
      gemini: baseUrl("Of Google's SDKs."),
    },
    { description: 'What clients of this project take as base URL.' },
  ),
};
const changeSchema = withReadOnly(strictObject(content), readOnly);
const projectSchema = Type.Object({
  uid: readOnly.uid,
  name: Type.String(),
  enabled: Type.Boolean(),
  retention_days: nullable(Type.Integer()),
  search,
  limits,
  cors,
  managed_by: readOnly.managed_by,
  base_urls: readOnly.base_urls,
});

type Body = Static<typeof createSchema>;
type ProjectJson = Static<typeof projectSchema>;
type StoredProject = Omit<ProjectJson, 'base_urls'>;

export function projectRoutes(server: AdminServer, dependencies: AdminDependencies): void {
  const { store, directory, gatewayUrl } = dependencies;
  const { projects, removeProject } = store.administration;
  const show = (project: StoredProject): ProjectJson => ({
    ...project,
    base_urls: baseUrlsBelow(`${gatewayUrl()}/${project.uid}`),
  });
  // The active projects of the file. A project that was removed from the file is disabled, and the API may take it over.
  const served = () =>
    directory.projects().filter(({ managed_by, enabled }) => managed_by === 'file' && enabled);
  const checkLimits = async ({ limits }: Body, uid: string) => {
    if (limits == null) return;
    const details = dependencies.checkLimits(limits, directory.project(uid));
    if (details.length === 0) return;
    throw new SluiceError('invalid_request', `The limits have mistakes: ${details[0]!.message}.`, {
      details,
    });
  };
  const refuseTakenName = (wanted: string) => {
    if (served().some((known) => known.name === wanted)) throw alreadyExists('project');
  };

  serveEntries<ProjectDocument, Body, ProjectJson>(server, dependencies, {
    name: 'project',
    list: 'projects',
    path: '/api/projects',
    id: { name: 'uid', schema: projectUid, read: (uid) => uid.toLowerCase() },
    summaries: {
      list: 'All projects',
      create: 'Make a project',
      read: 'One project',
      change: 'Change a project',
      remove: 'Remove a project with its keys and endpoints; its logs stay',
    },
    removed: 'It is gone.',
    schemas: { shown: projectSchema, created: projectSchema, create: createSchema, change: changeSchema },
    store: projects,
    ofFile: () =>
      directory
        .projects()
        .filter(({ managed_by }) => managed_by === 'file')
        .map((project) => show(ofFileJson(project))),
    idOf: ({ uid }) => uid,
    which: (_project, _id) => (_id === undefined ? {} : { _id }),
    show: (project) => show(ofApiJson(project)),
    // Limits are JSON, because they were parsed from JSON.
    describe: (project) => ({ ...ofApiJson(project) }) as unknown as JsonObject,
    async create(body) {
      const uid = (body.uid ?? randomUUID()).toLowerCase();
      if (served().some((known) => known.uid === uid)) throw alreadyExists('project', 'uid');
      refuseTakenName(body.name);
      await checkLimits(body, uid);
      return { content: contentOf(body), id: uid };
    },
    async change(body, { id }) {
      refuseTakenName(body.name);
      await checkLimits(body, id);
      return contentOf(body);
    },
    remove: removeProject,
  });
}

function contentOf({ name, enabled, retention_days, search = 'recent', limits, cors }: Body) {
  return {
    name,
    enabled: enabled ?? true,
    retention_days: retention_days ?? null,
    search,
    limits: limits == null || limits.length === 0 ? null : JSON.stringify(limits),
    cors: cors == null ? null : { origins: cors.origins.map((origin) => origin.toLowerCase()) },
  };
}

function ofApiJson({
  _id,
  name,
  enabled,
  retention_days,
  search = 'recent',
  limits,
  cors,
}: ProjectDocument): StoredProject {
  return {
    uid: _id,
    name,
    enabled,
    retention_days,
    search,
    limits: limits == null ? null : JSON.parse(limits),
    cors: cors ?? null,
    managed_by: 'api',
  };
}

function ofFileJson({
  uid,
  name,
  enabled,
  retention_days,
  search = 'recent',
  limits,
  cors,
  managed_by,
}: Project): StoredProject {
  return {
    uid,
    name,
    enabled,
    retention_days: retention_days ?? null,
    search,
    limits: limits === undefined ? null : [...limits],
    cors: cors === undefined ? null : { origins: [...cors.origins] },
    managed_by,
  };
}
