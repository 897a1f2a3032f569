import { isDeepStrictEqual } from 'node:util';
import { isJsonObject, type JsonObject, type JsonValue } from '../core/json.js';
import type { Endpoint, PluginEntry } from '../core/settings.js';
import type { PluginDescription } from './dependencies.js';

/** Stands in answers for what is never shown; sent back in a PUT it means: as it was. */
export const REDACTED = '[redacted]';

/** The endpoint without the secrets of its plugins: what their schemas call `writeOnly`. */
export function redactEndpoint(endpoint: Endpoint, plugins: readonly PluginDescription[]): Endpoint {
  return {
    ...endpoint,
    plugins: endpoint.plugins.map((entry) => ({
      ...entry,
      config: replaceSecrets(entry.config, schemaOf(entry, plugins), hide) as JsonObject,
    })),
  };
}

/**
 * Puts the secrets of `before` where `endpoint` says that they stay as they were. An entry is the one that is the
 * same but for its secrets, wherever it stands now: a secret must not go to another's URL. The others of a plugin are
 * matched in order.
 */
export function restoreSecrets(
  endpoint: Endpoint,
  before: Endpoint,
  plugins: readonly PluginDescription[],
): Endpoint {
  const open = (entry: PluginEntry) => replaceSecrets(entry.config, schemaOf(entry, plugins), () => null);
  const left = [...before.plugins];
  const take = (fits: (old: PluginEntry) => boolean) => {
    const index = left.findIndex(fits);
    return index === -1 ? undefined : left.splice(index, 1)[0];
  };
  const same = endpoint.plugins.map((entry) =>
    take((old) => old.plugin === entry.plugin && isDeepStrictEqual(open(old), open(entry))),
  );
  return {
    ...endpoint,
    plugins: endpoint.plugins.map((entry, index) => {
      const old = same[index] ?? take(({ plugin }) => plugin === entry.plugin);
      const config = replaceSecrets(entry.config, schemaOf(entry, plugins), show, old?.config);
      return { ...entry, config: config as JsonObject };
    }),
  };
}

type Replace = (value: JsonValue, before: JsonValue | undefined) => JsonValue;

/** Every text inside becomes the placeholder; keys stay, so that people see what is set. */
const hide: Replace = (value) => mapTexts(value, undefined, () => REDACTED);

const show: Replace = (value, before) =>
  mapTexts(value, before, (text, old) => (text === REDACTED && old !== undefined ? old : text));

function mapTexts(
  value: JsonValue,
  before: JsonValue | undefined,
  map: (text: string, before: JsonValue | undefined) => JsonValue,
): JsonValue {
  if (typeof value === 'string') return map(value, before);
  if (Array.isArray(value)) {
    return value.map((item, index) => mapTexts(item, Array.isArray(before) ? before[index] : undefined, map));
  }
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).map(([key, member]) => [
    key,
    mapTexts(member, memberOf(before, key), map),
  ]);
  return Object.fromEntries(entries) as JsonObject;
}

/** Walks a configuration along its schema and replaces what the schema marks. */
function replaceSecrets(
  value: JsonValue,
  schema: JsonValue | undefined,
  replace: Replace,
  before?: JsonValue,
): JsonValue {
  if (!isJsonObject(schema)) return value;
  if (schema.writeOnly === true) return replace(value, before);
  if (Array.isArray(value)) {
    return value.map((item, index) =>
      replaceSecrets(item, schema.items, replace, Array.isArray(before) ? before[index] : undefined),
    );
  }
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).map(([key, member]) => {
    const inner = memberOf(schema.properties, key) ?? schema.additionalProperties;
    return [key, replaceSecrets(member, inner, replace, memberOf(before, key))];
  });
  return Object.fromEntries(entries) as JsonObject;
}

function memberOf(value: JsonValue | undefined, key: string): JsonValue | undefined {
  return isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

/** Of a plugin that is not installed any more nothing is known: all of its texts are hidden. */
function schemaOf(entry: PluginEntry, plugins: readonly PluginDescription[]): JsonValue {
  return plugins.find(({ name }) => name === entry.plugin)?.configSchema ?? { writeOnly: true };
}
