import type { DirectorySnapshot } from '../../core/directory-source.js';
import { isJsonObject, type JsonObject } from '../../core/json.js';

/**
 * The kinds of items in a directory, and how each item is identified. Undefined for a value that is not of the kind.
 */
export const KINDS = {
  projects: ({ uid }: JsonObject) => textOf(uid),
  keys: ({ id }: JsonObject) => textOf(id),
  endpoints: ({ project_uid, endpoint }: JsonObject) =>
    isJsonObject(endpoint) && textOf(project_uid) !== undefined && textOf(endpoint.name) !== undefined
      ? JSON.stringify([project_uid, endpoint.name])
      : undefined,
  remembered: ({ uid }: JsonObject) => textOf(uid),
} as const satisfies Record<keyof DirectorySnapshot, (item: JsonObject) => string | undefined>;

export type Kind = keyof typeof KINDS;

export const KIND_NAMES = Object.keys(KINDS) as Kind[];

/** A value for each kind. */
export type OfEachKind<Value> = Record<Kind, Value>;

export function ofEachKind<Value>(make: (kind: Kind) => Value): OfEachKind<Value> {
  return Object.fromEntries(KIND_NAMES.map((kind) => [kind, make(kind)])) as OfEachKind<Value>;
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
