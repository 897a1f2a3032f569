import { dirname, isAbsolute, resolve } from 'node:path';
import type { Static } from 'typebox';
import { isJsonObject, type JsonObject } from '../core/json.js';
import { atOnce, type Steps } from '../core/pacing/steps.js';
import { Secret } from '../core/secret.js';
import type { PluginEntry, Provider } from '../core/settings.js';
import type { AdminKey, Config, FileKey, FileProject } from './config.js';
import { type FileText, type KeyFiles, keyFilePath, keyFilesOf, readKey } from './key-files.js';
import { type Mistake, type Path, type Problem, pathOfPointer, sortMistakes } from './mistakes.js';
import { checkCatalogue, pricesOf } from './model-catalogue.js';
import { checkRules, itemsOf, under } from './rules.js';
import type { configSchema } from './schema.js';
import { checkAgainstSchemaInSteps } from './schema-problems.js';
import { type KeySources, keyTextOf, UNREAD_KEYS } from './written-keys.js';
import { readYamlInSteps } from './yaml-document.js';

type FilledFile = Static<typeof configSchema>;

/**
 * Returns the mistakes in a plugin entry. Each path is a JSON pointer that starts at the entry, such as `/config/entities/0`.
 */
export type CheckPlugin = (entry: PluginEntry) => { path: string; message: string }[];

export interface ParseOptions {
  /** The path of the file that the text comes from. Plugin modules are resolved from its folder. */
  file: string;
  env: NodeJS.ProcessEnv;
  /** The texts of the files that `findKeyFiles` lists. */
  keyFiles?: KeyFiles;
  /** `unread` for a command that needs no credentials: then none has to be there. */
  keys?: 'unread';
  /** Checks a plugin entry. Without it, only the form of plugin entries is checked. */
  checkPlugin?: CheckPlugin;
  /** Modules of `plugins` that could not be loaded, named as in `Config.pluginModules`. */
  pluginFailures?: ReadonlyMap<string, string>;
}

export type ConfigResult = { config: Config } | { mistakes: Mistake[] };

/** Reads sluice.yaml: the complete configuration, or all mistakes in the order of the file. */
export function parseConfig(text: string, options: ParseOptions): ConfigResult {
  return atOnce(parseConfigInSteps(text, options));
}

export function* parseConfigInSteps(text: string, options: ParseOptions): Steps<ConfigResult> {
  const document = yield* readYamlInSteps(text, options.file);
  const mistakes = [...document.mistakes];
  const { value } = document;
  if (value !== undefined) {
    const problems = yield* checkAgainstSchemaInSteps(value);
    yield;
    if (isJsonObject(value)) problems.push(...(yield* checkMeaning(value, problems, options)));
    yield;
    // A value that cannot be read was already reported; its replacement must not be reported again.
    const unreadable = new Set(mistakes.map(({ path }) => path));
    mistakes.push(...problems.map(document.place).filter(({ path }) => !unreadable.has(path)));
  }
  if (mistakes.length > 0) return { mistakes: sortMistakes(mistakes) };
  // The schema has validated the value and filled in the defaults.
  return { config: buildConfig(value as unknown as FilledFile, options) };
}

/** The plugin modules that a text names, even where other parts of it are wrong. */
export function* findPluginModules(text: string, file: string): Steps<string[]> {
  const { value } = yield* readYamlInSteps(text, file);
  const modules = isJsonObject(value) && Array.isArray(value.plugins) ? value.plugins : [];
  return modules.filter((name) => typeof name === 'string').map((name) => resolveModule(name, file));
}

/** The other files that a text names, even where other parts of it are wrong (see `keyFilesOf`). */
export function* findKeyFiles(text: string, file: string): Steps<string[]> {
  return keyFilesOf((yield* readYamlInSteps(text, file)).value, file);
}

function* checkMeaning(
  value: JsonObject,
  known: readonly Problem[],
  options: ParseOptions,
): Steps<Problem[]> {
  const providers = isJsonObject(value.providers) ? Object.keys(value.providers) : [];
  const problems = checkRules(value, sourcesOf(options), providers);
  yield;
  problems.push(
    ...checkCatalogue(value, catalogueFile(value.model_catalogue, options)),
    ...checkPluginModules(value, options),
  );
  yield;
  problems.push(...(yield* checkPluginEntries(value, known, options)));
  return problems;
}

function sourcesOf(options: ParseOptions): KeySources {
  if (options.keys === 'unread') return UNREAD_KEYS;
  const { env, file, keyFiles } = options;
  return {
    variable: (name) => env[name],
    keyOf: (written) => readKey(keyFiles?.get(keyFilePath(written, file))),
  };
}

/** The text of the catalogue that a configuration names; undefined where it names none. */
function catalogueFile(written: unknown, { file, keyFiles }: ParseOptions): FileText | undefined {
  if (typeof written !== 'string') return undefined;
  return keyFiles?.get(keyFilePath(written, file)) ?? { failure: 'it was not read' };
}

function checkPluginModules(value: JsonObject, { file, pluginFailures }: ParseOptions): Problem[] {
  if (!Array.isArray(value.plugins)) return [];
  return value.plugins.flatMap((name, index) => {
    const failure = typeof name === 'string' && pluginFailures?.get(resolveModule(name, file));
    return failure ? [{ path: ['plugins', index], message: failure }] : [];
  });
}

function* checkPluginEntries(
  value: JsonObject,
  known: readonly Problem[],
  { checkPlugin }: ParseOptions,
): Steps<Problem[]> {
  const problems: Problem[] = [];
  if (!checkPlugin) return problems;
  for (const [project, { endpoints }] of itemsOf(value.projects)) {
    for (const [endpoint, { plugins }] of itemsOf(endpoints)) {
      for (const [index, entry] of itemsOf(plugins)) {
        const path: Path = ['projects', project, 'endpoints', endpoint, 'plugins', index];
        // A plugin only checks an entry that has the right form.
        if (known.some((problem) => isWithin(problem.path, path))) continue;
        const found = checkPlugin(entry as unknown as PluginEntry);
        const placed = found.map(({ path: pointer, message }) => ({
          path: pathOfPointer(pointer, entry),
          message,
        }));
        problems.push(...under(path, placed));
        yield;
      }
    }
  }
  return problems;
}

function isWithin(path: Path, outer: Path): boolean {
  return outer.every((step, index) => path[index] === step);
}

function buildConfig(filled: FilledFile, options: ParseOptions): Config {
  const { file } = options;
  const sources = sourcesOf(options);
  const catalogue = catalogueFile(filled.model_catalogue, options);
  const providers = Object.entries(filled.providers).map(([name, { models, ...rest }]) => {
    const prices = pricesOf({ models, prices: rest.prices }, catalogue);
    return buildProvider(name, { ...rest, prices }, sources);
  });
  return {
    providers: new Map(providers.map((provider) => [provider.name, provider])),
    projects: filled.projects.map((project) => buildProject(project, sources)),
    adminKeys: buildAdminKeys(filled.admin_keys, sources),
    limits: filled.limits,
    spool: filled.spool,
    webhooks: { allowed_urls: filled.webhooks.allowed_urls.map((url) => new URL(url).href) },
    engine: buildEngine(filled.engine, file),
    directory: buildDirectory(filled.directory, sources),
    logs: filled.logs,
    dashboard: filled.dashboard,
    pluginModules: filled.plugins.map((name) => resolveModule(name, file)),
  };
}

function buildEngine({ listen, ...engine }: FilledFile['engine'], file: string): Config['engine'] {
  if (listen === undefined) return engine;
  const { tls } = listen;
  if (tls === undefined || tls === 'none') return { ...engine, listen };
  const absolute = (path: string) => keyFilePath(path, file);
  const { cert_file, key_file, client_ca_file } = tls;
  const files = { cert_file: absolute(cert_file), key_file: absolute(key_file) };
  const authority = client_ca_file === undefined ? {} : { client_ca_file: absolute(client_ca_file) };
  return { ...engine, listen: { ...listen, tls: { ...files, ...authority } } };
}

function buildProvider(
  name: string,
  { api_key_env, api_key_file, base_url, ...rest }: Omit<FilledFile['providers'][string], 'models'>,
  { variable, keyOf }: KeySources,
): Provider {
  const found = api_key_file === undefined ? undefined : keyOf(api_key_file);
  const text = found !== undefined && 'key' in found ? found.key : api_key_env && variable(api_key_env);
  const credential = text === undefined ? undefined : new Secret(text);
  const forward_headers = rest.forward_headers.map((header) => header.toLowerCase());
  return { ...rest, name, base_url: base_url.replace(/\/+$/, ''), forward_headers, credential };
}

function buildProject(project: FilledFile['projects'][number], sources: KeySources): FileProject {
  const keys = project.api_keys.map(
    (key): FileKey => ({
      ...buildKey(key, sources),
      scopes: key.scopes,
      ...(key.endpoints === undefined ? {} : { endpoints: key.endpoints }),
    }),
  );
  const { name, endpoints, retention_days, search, limits, limit_webhook, cors } = project;
  return {
    uid: project.uid.toLowerCase(),
    name,
    keys,
    endpoints,
    retention_days,
    search,
    limits,
    limit_webhook,
    ...(cors === undefined ? {} : { cors: { origins: cors.origins.map((origin) => origin.toLowerCase()) } }),
  };
}

function buildAdminKeys(written: FilledFile['admin_keys'], sources: KeySources): AdminKey[] {
  const keys = written.map((key) => buildKey(key, sources));
  const text = sources.variable('SLUICE_ADMIN_KEY');
  // The variable works without a line in the file, and counts only once where the file names it too.
  if (text && !keys.some(({ secret }) => secret.reveal() === text)) {
    keys.push({ name: 'SLUICE_ADMIN_KEY', secret: new Secret(text) });
  }
  return keys;
}

function buildDirectory(written: FilledFile['directory'], sources: KeySources): Config['directory'] {
  const { from } = written;
  const text = keyTextOf(written, sources);
  return {
    ...(from === undefined ? {} : { from }),
    ...(text === undefined ? {} : { key: new Secret(text) }),
  };
}

function buildKey(written: FilledFile['admin_keys'][number], sources: KeySources): AdminKey {
  return { name: written.name, secret: new Secret(keyTextOf(written, sources)!) };
}

/** A path is relative to the file's folder; a package name stays as it is. */
function resolveModule(name: string, file: string): string {
  return name.startsWith('.') || isAbsolute(name) ? resolve(dirname(file), name) : name;
}
