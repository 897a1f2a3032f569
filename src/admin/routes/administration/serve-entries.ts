import type { FastifyRequest, FastifySchema } from 'fastify';
import type { Static, TObject, TProperties } from 'typebox';
import { UnreadableError } from '../../../config/stored/stored.js';
import { Type } from '../../../core/schema-type.js';
import type { Change, VersionedDocument } from '../../../store/directory/entry-store.js';
import { callerOf } from '../../access/access.js';
import { applyChange, requireProject } from '../../access/project-access.js';
import type { AdminServer } from '../../admin-server.js';
import type { AdminDependencies } from '../../dependencies.js';
import { expectedVersion, requireVersion, tagVersion } from '../../http/etags.js';
import { managedByFile } from '../../http/managed-by-file.js';
import { errorResponses, page, projectUid, withoutReadOnly } from '../../schemas/common.js';
import { type ListPlace, pageOf, pageParameters } from '../../schemas/pages.js';
import { type Entries, type Place, unknownEntry } from './entries.js';

/** Adds the five routes of one kind of entries. */
export function serveEntries<Document extends VersionedDocument, Body, Shown extends object>(
  server: AdminServer,
  dependencies: AdminDependencies,
  entries: Entries<Document, Body, Shown>,
): void {
  const routes = new EntryRoutes(server, dependencies, entries);
  routes.serveList();
  routes.serveCreate();
  routes.serveRead();
  routes.serveChange();
  routes.serveRemove();
}

class EntryRoutes<Document extends VersionedDocument, Body, Shown extends object> {
  readonly #server: AdminServer;
  readonly #dependencies: AdminDependencies;
  readonly #entries: Entries<Document, Body, Shown>;
  /** Whether the entries belong to a project, which the path names. */
  readonly #inProject: boolean;
  readonly #onePath: string;
  readonly #oneParams: TObject;

  constructor(server: AdminServer, dependencies: AdminDependencies, entries: Entries<Document, Body, Shown>) {
    const { path, id } = entries;
    this.#server = server;
    this.#dependencies = dependencies;
    this.#entries = entries;
    this.#inProject = path.includes('/:uid/');
    this.#onePath = `${path}/:${id.name}`;
    this.#oneParams = Type.Object({ ...this.#listParams(), [id.name]: id.schema });
  }

  serveList(): void {
    const { path, schemas, summaries, store } = this.#entries;
    const route = this.#route(summaries.list, {
      querystring: pageParameters,
      response: { 200: page(schemas.shown) },
    });
    this.#server.get(path, route, async (request) => {
      const project = await this.#projectOf(request);
      const stored = readable(this.#entries, await store.list(this.#entries.which(project)));
      const written = this.#entries.ofFile(project);
      const hidden = new Set(written.map((shown) => this.#entries.idOf(shown)));
      const ofApi = stored.filter(({ shown }) => !hidden.has(this.#entries.idOf(shown)));
      // Entries of the file come first, in the file's order.
      const ofFile = written.map((shown, index) => {
        return { shown, order: index - written.length, id: this.#entries.idOf(shown) };
      });
      const asked = request.query as Static<typeof pageParameters>;
      const { data, next_cursor } = pageOf(this.#entries.list, [...ofFile, ...ofApi], asked);
      const all = data.map(({ shown }) => shown);
      return { data: (await this.#entries.complete?.(all, project)) ?? all, next_cursor };
    });
  }

  serveCreate(): void {
    const { path, schemas, summaries, store } = this.#entries;
    const route = this.#route(summaries.create, {
      body: schemas.create,
      response: { 201: schemas.created },
    });
    this.#server.post(path, route, async (request, reply) => {
      const project = await this.#projectOf(request);
      const made = await this.#entries.create(request.body as Body, project);
      const document = await store.create(this.#changeBy(request), made.content, made.id);
      await applyChange(this.#dependencies);
      const shown = { ...this.#entries.show(document), ...made.shownOnce };
      return tagVersion(reply.code(201), shown, document.revision);
    });
  }

  serveRead(): void {
    const { name, schemas, summaries, store } = this.#entries;
    const route = this.#route(summaries.read, {
      params: this.#oneParams,
      response: { 200: schemas.shown },
    });
    this.#server.get(this.#onePath, route, async (request, reply) => {
      const place = await this.#placeOf(request);
      const written = this.#fileEntry(place);
      if (written !== undefined) return tagVersion(reply, await this.#complete(written, place), undefined);
      const document = await store.find(this.#entries.which(place.project, place.id));
      if (document === undefined) throw unknownEntry(name, place);
      const shown = await this.#complete(this.#entries.show(document), place);
      return tagVersion(reply, shown, document.revision);
    });
  }

  serveChange(): void {
    const { schemas, summaries, store } = this.#entries;
    const route = this.#route(summaries.change, {
      params: this.#oneParams,
      body: schemas.change,
      response: { 200: schemas.shown },
    });
    this.#server.put(this.#onePath, route, async (request, reply) => {
      const place = await this.#placeOf(request);
      this.#refuseFileEntry(place);
      const expected = requireVersion(request);
      const body = withoutReadOnly(request.body as object, schemas.change) as Body;
      const content = await this.#entries.change(body, place);
      const which = this.#entries.which(place.project, place.id);
      const document = await store.update(this.#changeBy(request), which, expected, content);
      await applyChange(this.#dependencies);
      return tagVersion(reply, this.#entries.show(document), document.revision);
    });
  }

  serveRemove(): void {
    const { summaries, removed, store } = this.#entries;
    const route = this.#route(summaries.remove, {
      params: this.#oneParams,
      response: { 204: Type.Null({ description: removed }) },
    });
    this.#server.delete(this.#onePath, route, async (request, reply) => {
      const place = await this.#placeOf(request);
      this.#refuseFileEntry(place);
      const expected = expectedVersion(request);
      const change = this.#changeBy(request);
      if (this.#entries.remove === undefined) {
        await store.remove(change, this.#entries.which(place.project, place.id), expected);
      } else {
        await this.#entries.remove(change, place.id, expected);
      }
      await applyChange(this.#dependencies);
      return reply.code(204).send(null);
    });
  }

  /**
   * The kind's own types describe bodies and answers; Fastify cannot infer them from schemas that are passed as
   * values.
   */
  #route(summary: string, { response, ...schema }: FastifySchema & { response: object }) {
    return {
      config: { access: 'admin' } as const,
      schema: {
        summary,
        tags: ['administration'],
        ...(this.#inProject ? { params: Type.Object(this.#listParams()) } : {}),
        ...schema,
        response: { ...response, ...errorResponses },
      } as FastifySchema,
    };
  }

  #listParams(): TProperties {
    return this.#inProject ? { uid: projectUid } : {};
  }

  async #projectOf(request: FastifyRequest): Promise<string> {
    const { uid } = request.params as { uid: string };
    return this.#inProject ? requireProject(this.#dependencies, uid) : '';
  }

  async #placeOf(request: FastifyRequest): Promise<Place> {
    const { id } = this.#entries;
    const text = (request.params as Record<string, string>)[id.name]!;
    return { project: await this.#projectOf(request), id: id.read?.(text) ?? text };
  }

  #fileEntry({ project, id }: Place): Shown | undefined {
    return this.#entries.ofFile(project).find((shown) => this.#entries.idOf(shown) === id);
  }

  async #complete(shown: Shown, { project }: Place): Promise<Shown> {
    const [complete = shown] = (await this.#entries.complete?.([shown], project)) ?? [];
    return complete;
  }

  #refuseFileEntry(place: Place): void {
    if (this.#fileEntry(place) !== undefined) throw managedByFile(this.#entries.name);
  }

  #changeBy(request: FastifyRequest): Change<Document> {
    return {
      actor: callerOf(request).name,
      describe: (document) => this.#entries.describe(document),
    };
  }
}

interface Listed<Shown> extends ListPlace {
  shown: Shown;
}

/** The entries that can be read. The directory logs the others, which can still be deleted here. */
function readable<Document extends VersionedDocument, Body, Shown extends object>(
  { show }: Entries<Document, Body, Shown>,
  documents: readonly Document[],
): Listed<Shown>[] {
  return documents.flatMap((document) => {
    try {
      return [{ shown: show(document), order: document.created_at.getTime(), id: document._id }];
    } catch (error) {
      if (error instanceof UnreadableError) return [];
      throw error;
    }
  });
}
