import { isJsonObject, type JsonObject, type JsonValue } from '../core/json.js';
import type { Config } from './config.js';
import { type ParseOptions, parseConfig } from './load.js';
import { formatPath, type Mistake, type Path } from './mistakes.js';
import { readYaml } from './yaml-document.js';

/** The valid parts of a configuration file with mistakes. */
export interface SoundPart {
  config: Config;
  /** What was left out, such as `providers.local`, `projects[0]` or `spool`; undefined where it is the whole file. */
  leftOut?: string[];
}

interface Part {
  /** The path of the part in the file. */
  path: Path;
  value: JsonValue;
}

/**
 * Reads the parts that have no mistakes: each provider, each project, and each other key at the top is a part. A part
 * that needs one that was left out is left out too.
 */
export function readSoundPart(text: string, options: ParseOptions): SoundPart {
  const { value, mistakes } = readYaml(text, options.file);
  if (!isJsonObject(value)) return { config: emptyConfig(options) };
  const leftOut: string[] = [];
  let rest = partsOf(value);
  const leaveOut = (bad: readonly Part[]) => {
    leftOut.push(...bad.map(({ path }) => formatPath(path)));
    rest = rest.filter((part) => !bad.includes(part));
  };
  // Some mistakes, such as a repeated key, are in the YAML alone and cannot be seen in the value.
  const unreadable = rest.filter(({ path }) => hasMistake(path, mistakes));
  if (mistakes.length > 0 && unreadable.length === 0) return { config: emptyConfig(options) };
  leaveOut(unreadable);
  for (;;) {
    const { file, places } = fileOf(rest);
    const result = parseConfig(JSON.stringify(file), options);
    if ('config' in result) return { config: result.config, leftOut };
    const bad = rest.filter((_, index) => hasMistake(places[index]!, result.mistakes));
    if (bad.length === 0) return { config: emptyConfig(options) };
    leaveOut(bad);
  }
}

/** A configuration without a file. Throws where the environment is wrong, which must be checked before. */
function emptyConfig(options: ParseOptions): Config {
  const result = parseConfig('{}', { ...options, keyFiles: new Map() });
  if ('mistakes' in result) throw new Error(result.mistakes[0]!.message);
  return result.config;
}

function partsOf(file: JsonObject): Part[] {
  return Object.entries(file).flatMap(([key, value]): Part[] => {
    if (key === 'providers' && isJsonObject(value)) {
      return Object.entries(value).map(([name, provider]) => ({ path: [key, name], value: provider }));
    }
    if (key === 'projects' && Array.isArray(value)) {
      return value.map((project, index) => ({ path: [key, index], value: project }));
    }
    return [{ path: [key], value }];
  });
}

/**
 * A file of these parts only, and the place that each part had in the original. Projects move up where others are left out.
 */
function fileOf(parts: readonly Part[]): { file: JsonObject; places: Path[] } {
  const top: [string, JsonValue][] = [];
  const providers: [string, JsonValue][] = [];
  const projects: JsonValue[] = [];
  const places = parts.map(({ path, value }): Path => {
    const [key, inner] = path;
    if (inner === undefined) top.push([String(key), value]);
    else if (typeof inner === 'string') providers.push([inner, value]);
    else return ['projects', projects.push(value) - 1];
    return path;
  });
  if (providers.length > 0) top.push(['providers', Object.fromEntries(providers)]);
  if (projects.length > 0) top.push(['projects', projects]);
  // Unlike assignments, this keeps a key such as `__proto__`.
  return { file: Object.fromEntries(top), places };
}

function hasMistake(part: Path, mistakes: readonly Mistake[]): boolean {
  const outer = formatPath(part);
  return mistakes.some(({ path }) => path.startsWith(outer) && /^($|[.[])/.test(path.slice(outer.length)));
}
