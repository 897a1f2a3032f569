import { dirname, resolve } from 'node:path';
import { isJsonObject, type JsonObject, type JsonValue } from '../core/json.js';
import { PATTERNS } from './schema-parts.js';
import { isKeyText } from './written-keys.js';

/** The text of a file, or the reason why it cannot be read. */
export type FileText = { text: string } | { failure: string };

/** The files that `keyFilesOf` lists, by their absolute path. */
export type KeyFiles = ReadonlyMap<string, FileText>;

/**
 * The files that a configuration depends on, as absolute paths: those with credentials, and the catalogue of models.
 */
export function keyFilesOf(value: JsonValue | undefined, configFile: string): string[] {
  if (!isJsonObject(value)) return [];
  const { providers, projects, admin_keys, directory, model_catalogue } = value;
  const keys = [
    ...objectsIn(projects).flatMap(({ api_keys }) => objectsIn(api_keys)),
    ...objectsIn(admin_keys),
  ];
  const written = [
    ...objectsIn(isJsonObject(providers) ? Object.values(providers) : []).map((one) => one.api_key_file),
    ...[...keys, ...objectsIn([directory ?? null])].map((one) => one.key_file),
    model_catalogue,
  ];
  return written.filter((path) => typeof path === 'string').map((path) => keyFilePath(path, configFile));
}

function objectsIn(list: JsonValue | undefined): JsonObject[] {
  return Array.isArray(list) ? list.filter((item) => isJsonObject(item)) : [];
}

/** The absolute path of a file. Paths are relative to the folder of the configuration. */
export function keyFilePath(written: string, configFile: string): string {
  return resolve(dirname(configFile), written);
}

/** The credential in a file, without white space around it; or what is wrong with it, without any part of its text. */
export function readKey(file: FileText | undefined): { key: string } | { mistake: string } {
  if (file === undefined) return { mistake: 'the file was not read' };
  if ('failure' in file) return { mistake: `the file cannot be read: ${file.failure}` };
  const key = file.text.trim();
  if (key === '') return { mistake: 'the file is empty' };
  return isKeyText(key) ? { key } : { mistake: `the file does not hold ${PATTERNS.key.expected}` };
}
