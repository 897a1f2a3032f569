import { isDeepStrictEqual } from 'node:util';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../core/json.js';
import type { Endpoint, PluginEntry } from '../../../core/settings.js';
import type { PluginDescription } from '../../dependencies.js';
import { invalidRequest } from '../../http/errors.js';

/** Replaces secrets in answers. In a PUT it means that the secret stays as it is. */
export const REDACTED = '[redacted]';

/** The endpoint without the secrets of its plugins, which their schemas mark as `writeOnly`. */
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
 * Puts the secrets of `before` back where `endpoint` has the placeholder. Entries are matched by everything but their
 * secrets, wherever they stand now, so that a secret never goes to another URL. The remaining entries of a plugin are
 * matched in order if they name the same addresses. Throws `invalid_request` where no entry matches.
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
      const old =
        same[index] ??
        take(
          (before) =>
            before.plugin === entry.plugin &&
            isDeepStrictEqual(addressesIn(open(before)), addressesIn(open(entry))),
        );
      const config = replaceSecrets(entry.config, schemaOf(entry, plugins), show, old?.config);
      refuseLeftOver(config, schemaOf(entry, plugins), `plugins.${index}.config`);
      return { ...entry, config: config as JsonObject };
    }),
  };
}

/** The addresses that an entry sends data to, in order: all values that look like a URL. */
function addressesIn(config: JsonValue): string[] {
  const found: string[] = [];
  mapTexts(config, undefined, (text) => {
    if (/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) found.push(text);
    return text;
  });
  return found;
}

/** Throws where a placeholder is left, because it would become the secret itself. */
function refuseLeftOver(config: JsonValue, schema: JsonValue, path: string): void {
  replaceSecrets(config, schema, (value) =>
    mapTexts(value, undefined, (text) => {
      if (text !== REDACTED) return text;
      throw invalidRequest([
        {
          path,
          message: `'${REDACTED}' keeps the secret that was set before, but that was for another address: send the secret again`,
        },
      ]);
    }),
  );
}

type Replace = (value: JsonValue, before: JsonValue | undefined) => JsonValue;

/** Replaces all texts in a value. Keys stay, so that people see what is set. */
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

/** Nothing is known about a plugin that is no longer installed, so all of its texts are hidden. */
function schemaOf(entry: PluginEntry, plugins: readonly PluginDescription[]): JsonValue {
  return plugins.find(({ name }) => name === entry.plugin)?.configSchema ?? { writeOnly: true };
}
