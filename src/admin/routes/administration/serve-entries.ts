import type { FastifyRequest, FastifySchema } from 'fastify';
import type { TObject, TProperties, TSchema } from 'typebox';
import { UnreadableError } from '../../../config/stored.js';
import { SluiceError } from '../../../core/errors.js';
import type { JsonObject } from '../../../core/json.js';
import { Type } from '../../../core/schema-type.js';
import type {
  Change,
  EntryStore,
  Expected,
  VersionedDocument,
} from '../../../store/directory/entry-store.js';
import { callerOf } from '../../access/access.js';
import type { AdminServer } from '../../admin-server.js';
import type { AdminDependencies } from '../../dependencies.js';
import { expectedVersion, requireVersion, tagVersion } from '../../http/etags.js';
import { managedByFile } from '../../managed-by-file.js';
import { applyChange, requireProject } from '../../project-access.js';
import { errorResponses, list, projectUid, withoutReadOnly } from '../../schemas.js';

/** Which entry a call means. `project` is empty where the entries are the projects themselves. */
export interface Place {
  project: string;
  id: string;
}

/** What is stored of a new entry. */
export interface NewEntry<Document extends VersionedDocument> {
  content: Omit<Document, keyof VersionedDocument>;
  /** Made where it is absent. */
  id?: string;
  /** Members that the answer has this once. */
  shownOnce?: object;
}

type Which<Document extends VersionedDocument> = Parameters<EntryStore<Document>['find']>[0];

/** One kind of what the admin API makes and the file may hold too: projects, keys or endpoints. */
export interface Entries<Document extends VersionedDocument, Body, Shown extends object> {
  /** As messages call one, such as `key`. */
  name: string;
  /** Of the list; a single one is below it. */
  path: string;
  /** What names a single one in its path. */
  id: { name: string; schema: TSchema; read?(text: string): string };
  summaries: Record<'list' | 'create' | 'read' | 'change' | 'remove', string>;
  /** What it means that one is removed. */
  removed: string;
  schemas: { shown: TSchema; created: TSchema; create: TSchema; change: TObject };
  store: EntryStore<Document>;
  /** Those of sluice.yaml, which are shown here and changed there. */
  ofFile(project: string): readonly Shown[];
  idOf(shown: Shown): string;
  /** The stored one with this id, or all of them. */
  which(project: string, id?: string): Which<Document>;
  /** As answers have it. Throws an UnreadableError. */
  show(document: Document): Shown;
  /** As the audit has it: without secrets. */
  describe(document: Document): JsonObject;
  /** Throws where the body cannot be one. */
  create(body: Body, project: string): Promise<NewEntry<Document>>;
  /** What of the stored one changes. Throws likewise. */
  change(body: Body, place: Place): Promise<Partial<Document>>;
  /** In place of the store's own. */
  remove?(change: Change<Document>, id: string, expected: Expected): Promise<void>;
}

/** The five routes of one kind of entries. */
export function serveEntries<Document extends VersionedDocument, Body, Shown extends object>(
  server: AdminServer,
  dependencies: AdminDependencies,
  entries: Entries<Document, Body, Shown>,
): void {
  const { name, id, path, schemas, store, summaries } = entries;
  const inProject = path.includes('/:uid/');
  const ofProject: TProperties = inProject ? { uid: projectUid } : {};
  const ofOne = Type.Object({ ...ofProject, [id.name]: id.schema });
  // The kind's own types say what bodies and answers hold; fastify cannot infer it from schemas that come as values.
  const route = (summary: string, { response, ...schema }: FastifySchema & { response: object }) => ({
    config: { access: 'admin' } as const,
    schema: {
      summary,
      tags: ['administration'],
      ...(inProject ? { params: Type.Object(ofProject) } : {}),
      ...schema,
      response: { ...response, ...errorResponses },
    } as FastifySchema,
  });

  const projectOf = async (request: FastifyRequest) => {
    const { uid } = request.params as { uid: string };
    return inProject ? requireProject(dependencies, uid) : '';
  };
  const placeOf = async (request: FastifyRequest): Promise<Place> => {
    const text = (request.params as Record<string, string>)[id.name]!;
    return { project: await projectOf(request), id: id.read?.(text) ?? text };
  };
  const fileEntry = ({ project, id }: Place) =>
    entries.ofFile(project).find((shown) => entries.idOf(shown) === id);
  const refuseFileEntry = (place: Place) => {
    if (fileEntry(place) !== undefined) throw managedByFile(name);
  };
  const changeBy = (request: FastifyRequest): Change<Document> => ({
    actor: callerOf(request).name,
    describe: (document) => entries.describe(document),
  });

  server.get(path, route(summaries.list, { response: { 200: list(schemas.shown) } }), async (request) => {
    const project = await projectOf(request);
    const stored = readable(entries, await store.list(entries.which(project)));
    const written = entries.ofFile(project);
    const hidden = new Set(written.map((shown) => entries.idOf(shown)));
    const ofApi = stored.filter((shown) => !hidden.has(entries.idOf(shown)));
    return { data: [...written, ...ofApi], next_cursor: null };
  });

  server.post(
    path,
    route(summaries.create, { body: schemas.create, response: { 201: schemas.created } }),
    async (request, reply) => {
      const project = await projectOf(request);
      const made = await entries.create(request.body as Body, project);
      const document = await store.create(changeBy(request), made.content, made.id);
      await applyChange(dependencies);
      return tagVersion(reply.code(201), { ...entries.show(document), ...made.shownOnce }, document.revision);
    },
  );

  server.get(
    `${path}/:${id.name}`,
    route(summaries.read, { params: ofOne, response: { 200: schemas.shown } }),
    async (request, reply) => {
      const place = await placeOf(request);
      const written = fileEntry(place);
      if (written !== undefined) return tagVersion(reply, written, undefined);
      const document = await store.find(entries.which(place.project, place.id));
      if (document === undefined) throw unknownEntry(name, place);
      return tagVersion(reply, entries.show(document), document.revision);
    },
  );

  server.put(
    `${path}/:${id.name}`,
    route(summaries.change, { params: ofOne, body: schemas.change, response: { 200: schemas.shown } }),
    async (request, reply) => {
      const place = await placeOf(request);
      refuseFileEntry(place);
      const expected = requireVersion(request);
      const body = withoutReadOnly(request.body as object, schemas.change) as Body;
      const content = await entries.change(body, place);
      const which = entries.which(place.project, place.id);
      const document = await store.update(changeBy(request), which, expected, content);
      await applyChange(dependencies);
      return tagVersion(reply, entries.show(document), document.revision);
    },
  );

  server.delete(
    `${path}/:${id.name}`,
    route(summaries.remove, {
      params: ofOne,
      response: { 204: Type.Null({ description: entries.removed }) },
    }),
    async (request, reply) => {
      const place = await placeOf(request);
      refuseFileEntry(place);
      const expected = expectedVersion(request);
      if (entries.remove === undefined) {
        await store.remove(changeBy(request), entries.which(place.project, place.id), expected);
      } else {
        await entries.remove(changeBy(request), place.id, expected);
      }
      await applyChange(dependencies);
      return reply.code(204).send(null);
    },
  );
}

/** What cannot be read is told when the directory reads it; it can still be deleted. */
function readable<Document extends VersionedDocument, Body, Shown extends object>(
  { show }: Entries<Document, Body, Shown>,
  documents: readonly Document[],
): Shown[] {
  return documents.flatMap((document) => {
    try {
      return [show(document)];
    } catch (error) {
      if (error instanceof UnreadableError) return [];
      throw error;
    }
  });
}

export function unknownEntry(name: string, { project, id }: Place): SluiceError {
  return new SluiceError(
    'not_found',
    `There is no ${name} ${id}${project === '' ? '' : ' in this project'}.`,
  );
}
