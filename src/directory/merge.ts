import { isDeepStrictEqual } from 'node:util';
import type { ApiKey, Project } from '../core/directory.js';
import type { DirectorySnapshot } from '../core/directory-source.js';
import type { Endpoint, Provider } from '../core/settings.js';
import type { DirectoryFile } from './directory-file.js';
import { hashKey, keyPrefix } from './keys.js';

export interface ProjectEntry {
  project: Project;
  keysByHash: ReadonlyMap<string, ApiKey>;
}

/** Everything that requests look up. Built completely and then never changed. */
export interface DirectoryView {
  providers: ReadonlyMap<string, Provider>;
  /** The projects by their uid in lower case. */
  projects: ReadonlyMap<string, ProjectEntry>;
  adminNamesByHash: ReadonlyMap<string, string>;
}

export interface Merged {
  view: DirectoryView;
  /** Descriptions, for operators, of entries of the API that entries of the file hide. */
  clashes: string[];
}

export const EMPTY_VIEW: DirectoryView = {
  providers: new Map(),
  projects: new Map(),
  adminNamesByHash: new Map(),
};

interface Draft {
  project: Omit<Project, 'endpoints'> & { endpoints: Map<string, Endpoint> };
  keysByHash: Map<string, ApiKey>;
  keyNames: Set<string>;
}

/**
 * Merges the file with what the API has created. Where both name the same thing, the file wins. A project that the
 * file had once and that nobody names any more stays, disabled, without keys and endpoints. An endpoint that did not
 * change is the same object as in `previous`.
 */
export function mergeDirectory(file: DirectoryFile, api: DirectorySnapshot, previous: DirectoryView): Merged {
  const clashes: string[] = [];
  const drafts = new Map<string, Draft>();
  for (const project of file.projects) drafts.set(project.uid, draftOfFile(project));
  for (const project of api.projects) {
    const uid = project.uid.toLowerCase();
    if (drafts.has(uid)) clashes.push(`project ${uid} is in the file; the one of the API is not used`);
    else drafts.set(uid, draftOf({ ...project, uid, managed_by: 'api' }));
  }
  addStoredKeys(drafts, api, clashes);
  addStoredEndpoints(drafts, api, clashes);
  const left = [...previous.projects.values()].filter(({ project }) => project.managed_by === 'file');
  for (const { uid, name } of [...left.map(({ project }) => project), ...api.remembered]) {
    // Nothing says any more how long the logs of this project are kept.
    if (!drafts.has(uid)) drafts.set(uid, draftOf({ uid, name, enabled: false, managed_by: 'file' }));
  }
  for (const [uid, { project }] of drafts) {
    keepUnchanged(project.endpoints, previous.projects.get(uid)?.project.endpoints);
  }
  const adminNamesByHash = new Map(
    file.adminKeys.map(({ name, secret }) => [hashKey(secret.reveal()), name]),
  );
  return { view: { providers: file.providers, projects: drafts, adminNamesByHash }, clashes };
}

function draftOf(project: Omit<Project, 'endpoints'>): Draft {
  const { uid, name, enabled, managed_by, retention_days, search, limits, cors } = project;
  return {
    project: { uid, name, enabled, managed_by, retention_days, search, limits, cors, endpoints: new Map() },
    keysByHash: new Map(),
    keyNames: new Set(),
  };
}

function draftOfFile(written: DirectoryFile['projects'][number]): Draft {
  const draft = draftOf({ ...written, enabled: true, managed_by: 'file' });
  for (const endpoint of written.endpoints) draft.project.endpoints.set(endpoint.name, endpoint);
  for (const { name, secret, scopes, endpoints } of written.keys) {
    const text = secret.reveal();
    const hash = hashKey(text);
    const key: ApiKey = {
      id: `file:${name}`,
      name,
      hash,
      prefix: keyPrefix(text),
      scopes,
      ...(endpoints === undefined ? {} : { endpoints }),
      managed_by: 'file',
    };
    draft.keysByHash.set(hash, key);
    draft.keyNames.add(name);
  }
  return draft;
}

function addStoredKeys(drafts: ReadonlyMap<string, Draft>, api: DirectorySnapshot, clashes: string[]): void {
  for (const { project_uid, ...key } of api.keys) {
    const { name, hash } = key;
    const draft = drafts.get(project_uid.toLowerCase());
    if (!draft) continue;
    if (draft.keyNames.has(name) || draft.keysByHash.has(hash)) {
      clashes.push(
        `key ${JSON.stringify(name)} of project ${project_uid} is in the file; the one of the API is not used`,
      );
      continue;
    }
    draft.keysByHash.set(hash, { ...key, managed_by: 'api' });
  }
}

function addStoredEndpoints(
  drafts: ReadonlyMap<string, Draft>,
  api: DirectorySnapshot,
  clashes: string[],
): void {
  for (const { project_uid, endpoint } of api.endpoints) {
    const draft = drafts.get(project_uid.toLowerCase());
    if (!draft) continue;
    if (draft.project.endpoints.has(endpoint.name)) {
      const name = JSON.stringify(endpoint.name);
      clashes.push(
        `endpoint ${name} of project ${project_uid} is in the file; the one of the API is not used`,
      );
      continue;
    }
    draft.project.endpoints.set(endpoint.name, endpoint);
  }
}

/** Keeps the objects of unchanged endpoints, because other code caches what it prepared for an endpoint by its object. */
function keepUnchanged(endpoints: Map<string, Endpoint>, previous?: ReadonlyMap<string, Endpoint>): void {
  for (const [name, endpoint] of endpoints) {
    const before = previous?.get(name);
    if (before !== undefined && isDeepStrictEqual(before, endpoint)) endpoints.set(name, before);
  }
}
