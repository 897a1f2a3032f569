import { endpointSchema } from '../../../config/endpoint-schema.js';
import { readStoredEndpoint, UnreadableError } from '../../../config/stored/stored.js';
import type { JsonObject } from '../../../core/json.js';
import { Type } from '../../../core/schema-type.js';
import type { Endpoint, ManagedBy } from '../../../core/settings.js';
import { alreadyExists } from '../../../store/directory/entry-store.js';
import type { EndpointDocument } from '../../../store/mongodb/collections.js';
import type { AdminServer } from '../../admin-server.js';
import type { AdminDependencies } from '../../dependencies.js';
import { asAnswer } from '../../http/as-answer.js';
import { invalidRequest } from '../../http/errors.js';
import { managedBy, reference, withReadOnly } from '../../schemas/common.js';
import { unknownEntry } from './entries.js';
import { redactEndpoint, restoreSecrets } from './redaction.js';
import { serveEntries } from './serve-entries.js';

const shown = Type.Object(
  { ...endpointSchema.properties, managed_by: managedBy },
  { $id: 'Endpoint', description: 'As in sluice.yaml, without secrets.' },
);
const shownSchema = reference(shown);
const changeSchema = withReadOnly(endpointSchema, { managed_by: managedBy }, 'name');

export function endpointRoutes(server: AdminServer, dependencies: AdminDependencies): void {
  server.addSchema(shown);
  const { store, plugins, fileEndpoints, checkEndpoint } = dependencies;
  const { endpoints } = store.administration;
  const show = (endpoint: Endpoint, managed_by: ManagedBy) =>
    asAnswer({ ...redactEndpoint(endpoint, plugins()), managed_by });
  const check = async (endpoint: Endpoint, projectUid: string) => {
    const details = await checkEndpoint(endpoint, projectUid);
    if (details.length > 0) throw invalidRequest(details);
  };

  serveEntries<EndpointDocument, Endpoint, ReturnType<typeof show>>(server, dependencies, {
    name: 'endpoint',
    list: 'endpoints',
    path: '/api/projects/:uid/endpoints',
    id: { name: 'name', schema: Type.String() },
    summaries: {
      list: 'The endpoints of a project',
      create: 'Make an endpoint',
      read: 'One endpoint',
      change: 'Change an endpoint',
      remove: 'Remove an endpoint',
    },
    removed: 'It is gone.',
    schemas: { shown: shownSchema, created: shownSchema, create: endpointSchema, change: changeSchema },
    store: endpoints,
    ofFile: (project) => fileEndpoints(project).map((endpoint) => show(endpoint, 'file')),
    idOf: ({ name }) => name,
    which: (project_uid, name) => (name === undefined ? { project_uid } : { project_uid, name }),
    show: (document) => show(endpointOf(document), 'api'),
    describe(document) {
      try {
        // An endpoint is JSON, because it was parsed from JSON.
        return redactEndpoint(endpointOf(document), plugins()) as unknown as JsonObject;
      } catch (error) {
        if (error instanceof UnreadableError) return { name: document.name, unreadable: true };
        throw error;
      }
    },
    async create(endpoint, project_uid) {
      await check(endpoint, project_uid);
      const { name } = endpoint;
      if (fileEndpoints(project_uid).some((known) => known.name === name)) throw alreadyExists('endpoint');
      return { content: { project_uid, name, settings: JSON.stringify(endpoint) } };
    },
    async change(body, place) {
      const { project: project_uid, id: name } = place;
      if (![undefined, name].includes(body.name)) {
        throw invalidRequest([{ path: 'name', message: 'must be the name in the path, or none' }]);
      }
      const before = await endpoints.find({ project_uid, name });
      if (before === undefined) throw unknownEntry('endpoint', place);
      const endpoint = restoreSecrets({ ...body, name }, endpointOf(before), plugins());
      await check(endpoint, project_uid);
      return { settings: JSON.stringify(endpoint) };
    },
  });
}

function endpointOf({ settings, schema_version }: EndpointDocument): Endpoint {
  return readStoredEndpoint(JSON.parse(settings), schema_version);
}
