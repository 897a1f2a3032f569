import type { Ajv2020 } from 'ajv/dist/2020.js';
import type { TSchema } from 'typebox';
import type {
  DirectorySnapshot,
  RememberedProject,
  StoredEndpoint,
  StoredKey,
  StoredProject,
} from '../core/directory-source.js';
import { isJsonObject, type JsonObject } from '../core/json.js';
import { OWN_SCHEMAS } from '../core/own-schemas.js';
import { Type } from '../core/schema-type.js';
import { type Endpoint, SCOPES, SEARCHES } from '../core/settings.js';
import { createAjv2020 } from '../json-schema/load-ajv.js';
import { corsSchema } from './cors-schema.js';
import { endpointSchema } from './endpoint-schema.js';
import { limitSchema } from './limit-schema.js';
import { choice, choices, optional, section } from './schema-parts.js';

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

const id = Type.String({ minLength: 1 });
const line = Type.String({ minLength: 1 });

const projectSchema = section({
  uid: id,
  name: line,
  enabled: Type.Boolean({ default: true }),
  retention_days: Type.Optional(Type.Integer({ minimum: 1 })),
  search: optional(choice([...SEARCHES], { description: 'What `q` looks at.' })),
  limits: optional(Type.Array(limitSchema)),
  cors: optional(corsSchema),
});
const keySchema = section({
  id,
  project_uid: id,
  name: line,
  hash: Type.String({ pattern: '^[0-9a-f]{64}$' }),
  prefix: Type.String({ default: '' }),
  scopes: choices(SCOPES, { description: 'What the key may do.' }),
  endpoints: optional(Type.Array(line)),
  expires_at: optional(line),
});
const rememberedSchema = section({ uid: id, name: line });

let ajv: Ajv2020 | undefined;

/** Something that was stored cannot be read. */
export class UnreadableError extends Error {}

/** Reads a stored endpoint. Throws `UnreadableError`, which says what is wrong with it. */
export function readStoredEndpoint(value: unknown, schemaVersion: number | undefined): Endpoint {
  let endpoint = structuredClone(value);
  for (const step of STEPS.slice(schemaVersion ?? 0)) {
    if (isJsonObject(endpoint)) endpoint = step(endpoint);
  }
  return read<Endpoint>(endpointSchema, endpoint);
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
      read<StoredProject>(projectSchema, structuredClone(value)),
    ),
    keys: each('the key', stored.keys, (value) => read<StoredKey>(keySchema, structuredClone(value))),
    endpoints: each(
      'the endpoint',
      stored.endpoints,
      ({ project_uid, endpoint, schema_version }): StoredEndpoint => ({
        project_uid,
        endpoint: readStoredEndpoint(endpoint, schema_version),
      }),
    ),
    remembered: each('the project', stored.remembered, (value) =>
      read<RememberedProject>(rememberedSchema, structuredClone(value)),
    ),
  };
}

/**
 * The schema is compiled with the first value, because a schema that is not used should take no memory. Ajv keeps
 * what it compiled.
 */
function read<Value>(schema: TSchema, value: unknown): Value {
  ajv ??= createAjv2020({
    ...OWN_SCHEMAS,
    strict: true,
    allowUnionTypes: true,
    useDefaults: true,
    removeAdditional: true,
    ownProperties: true,
  });
  const validate = ajv.compile(schema);
  if (validate(value)) return value as Value;
  throw new UnreadableError(ajv.errorsText(validate.errors, { dataVar: '' }));
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
