import type {
  DirectorySnapshot,
  RememberedProject,
  StoredEndpoint,
  StoredKey,
  StoredProject,
} from '../../core/directory-source.js';
import { isJsonObject, type JsonObject } from '../../core/json.js';
import type { Endpoint } from '../../core/settings.js';
import { schemas } from './stored-schemas.js';

/*
 * Reads what the admin API stored, from MongoDB or from the copy on disk. Documents of an older version get the
 * defaults of this one; keys of a newer version are dropped.
 */

/**
 * The version of the stored form. It is raised with each change that a default cannot express; such a change has a
 * step in `STEPS`.
 */
export const SCHEMA_VERSION = 2;

/** The changes from each version to the next. Documents without a version have version 0. */
const STEPS: readonly ((endpoint: JsonObject) => JsonObject)[] = [
  // `allow` was the default and was written into every document. Without it, a guard that is late refuses the
  // request.
  (endpoint) => ({ ...endpoint, plugins: pluginsOf(endpoint).map(withoutOldDefault) }),
  // `json_validation` may be a map now. The old values true and false are still valid, so nothing has to
  // change.
  (endpoint) => endpoint,
];

/** Something that was stored cannot be read. */
export class UnreadableError extends Error {}

/** Reads a stored endpoint. Throws `UnreadableError`, which says what is wrong with it. */
export function readStoredEndpoint(value: unknown, schemaVersion: number | undefined): Endpoint {
  let endpoint = structuredClone(value);
  for (const step of STEPS.slice(schemaVersion ?? 0)) {
    if (isJsonObject(endpoint)) endpoint = step(endpoint);
  }
  return read<Endpoint>('endpoint', endpoint);
}

/** A snapshot as it was stored. Its items have not been checked yet. */
export interface StoredSnapshot {
  projects: readonly unknown[];
  keys: readonly unknown[];
  endpoints: readonly { project_uid: string; endpoint: unknown; schema_version?: number }[];
  remembered: readonly unknown[];
}

/** The readable part of a snapshot. The rest is left out and reported; an endpoint that is left out serves nobody. */
export function readStoredSnapshot(
  stored: StoredSnapshot,
  report: (mistake: string) => void,
): DirectorySnapshot {
  const each = <Item, Value>(what: string, items: readonly Item[], readOne: (item: Item) => Value): Value[] =>
    items.flatMap((item) => {
      try {
        return [readOne(item)];
      } catch (error) {
        if (!(error instanceof UnreadableError)) throw error;
        report(`${what} ${nameOf(item)} cannot be read: ${error.message}`);
        return [];
      }
    });
  return {
    projects: each('the project', stored.projects, (value) =>
      read<StoredProject>('project', structuredClone(value)),
    ),
    keys: each('the key', stored.keys, (value) => read<StoredKey>('key', structuredClone(value))),
    endpoints: each(
      'the endpoint',
      stored.endpoints,
      ({ project_uid, endpoint, schema_version }): StoredEndpoint => ({
        project_uid,
        endpoint: readStoredEndpoint(endpoint, schema_version),
      }),
    ),
    remembered: each('the project', stored.remembered, (value) =>
      read<RememberedProject>('remembered', structuredClone(value)),
    ),
  };
}

function read<Value>(kind: 'project' | 'key' | 'remembered' | 'endpoint', value: unknown): Value {
  const validate = schemas.validator(kind);
  if (validate(value)) return value as Value;
  const mistakes = (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
  throw new UnreadableError(mistakes.join(', '));
}

function nameOf(item: unknown): string {
  const known = isJsonObject(item) ? (isJsonObject(item.endpoint) ? item.endpoint : item) : {};
  return JSON.stringify(known.name ?? null);
}

function pluginsOf({ plugins }: JsonObject): JsonObject[] {
  return Array.isArray(plugins) ? plugins.filter(isJsonObject) : [];
}

function withoutOldDefault(plugin: JsonObject): JsonObject {
  if (plugin.on_error !== 'allow') return plugin;
  const { on_error, ...rest } = plugin;
  return rest;
}
