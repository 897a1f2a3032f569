import type { Clock } from '../../core/clock.js';
import type { JsonObject } from '../../core/json.js';
import type {
  AuditDocument,
  Collections,
  EndpointDocument,
  KeyDocument,
  ProjectDocument,
} from '../mongodb/collections.js';
import type { JudgingDocument } from '../mongodb/judging-documents.js';
import { type Change, createEntryStore, type EntryStore, type Expected } from './entry-store.js';

export interface AuditEntry {
  id: string;
  at: Date;
  actor: string;
  action: string;
  project_uid: string | null;
  target: string;
  before: JsonObject | null;
  after: JsonObject | null;
}

export interface AuditPosition {
  at: Date;
  id: string;
}

/** The entries of the admin API, and the audit of changes. */
export interface Administration {
  projects: EntryStore<ProjectDocument>;
  keys: EntryStore<KeyDocument>;
  endpoints: EntryStore<EndpointDocument>;
  /** What projects ask the people who judge. Each project has at most one entry, whose id is the project's. */
  judging: EntryStore<JudgingDocument>;
  /** Removes a project with its keys and endpoints. Its logs stay. */
  removeProject(change: Change<ProjectDocument>, uid: string, expected: Expected): Promise<void>;
  /** The audit entries, newest first. */
  audit(
    which: { project_uid?: string },
    page: { limit: number; after?: AuditPosition },
  ): Promise<{ entries: AuditEntry[]; next: AuditPosition | null }>;
}

export function createAdministration(collections: Collections, clock: Clock): Administration {
  const { guarded, audit } = collections;
  const projects = createEntryStore<ProjectDocument>(
    collections,
    collections.projects,
    { name: 'project', target: ({ _id }) => _id, projectUid: ({ _id }) => _id },
    clock,
  );
  const keys = createEntryStore<KeyDocument>(
    collections,
    collections.keys,
    { name: 'api_key', target: ({ _id }) => _id, projectUid: ({ project_uid }) => project_uid },
    clock,
  );
  const endpoints = createEntryStore<EndpointDocument>(
    collections,
    collections.endpoints,
    { name: 'endpoint', target: ({ name }) => name, projectUid: ({ project_uid }) => project_uid },
    clock,
  );
  const judging = createEntryStore<JudgingDocument>(
    collections,
    collections.judging,
    { name: 'judging', target: ({ _id }) => _id, projectUid: ({ _id }) => _id },
    clock,
  );
  return {
    projects,
    keys,
    endpoints,
    judging,

    removeProject: (change, uid, expected) =>
      projects.remove(change, { _id: uid }, expected, async (session) => {
        await collections.keys.deleteMany({ project_uid: uid }, { session });
        await collections.endpoints.deleteMany({ project_uid: uid }, { session });
        await collections.judging.deleteOne({ _id: uid }, { session });
      }),

    audit: (which, { limit, after }) =>
      guarded(async () => {
        const documents = await audit
          .find(after === undefined ? which : { $and: [which, behind(after)] })
          .sort({ at: -1, _id: -1 })
          .limit(limit + 1)
          .toArray();
        const entries = documents.slice(0, limit).map(toEntry);
        const last = documents.length > limit ? entries.at(-1) : undefined;
        return { entries, next: last === undefined ? null : { at: last.at, id: last.id } };
      }),
  };
}

function behind({ at, id }: AuditPosition): object {
  return { $or: [{ at: { $lt: at } }, { at, _id: { $lt: id } }] };
}

function toEntry({ _id, before, after, ...entry }: AuditDocument): AuditEntry {
  const parse = (json: string | null) => (json === null ? null : (JSON.parse(json) as JsonObject));
  return { id: _id, ...entry, before: parse(before), after: parse(after) };
}
