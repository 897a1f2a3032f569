import { isJsonObject, type JsonObject, type JsonValue } from '../core/json.js';
import type { Config } from './config.js';
import { type ParseOptions, parseConfig } from './load.js';
import { formatPath, type Mistake, type Path } from './mistakes.js';
import { readYaml } from './yaml-document.js';

/** A configuration without the parts of the file that have mistakes. */
export interface SoundPart {
  config: Config;
  /** What was left out, such as `providers.local`, `projects[0]` or `spool`. Undefined: the whole file. */
  leftOut?: string[];
}

interface Part {
  /** Its place in the file. */
  path: Path;
  value: JsonValue;
}

/**
 * Reads what has no mistakes: each provider and each project is a part, and so is each other key at the top. A part
 * that needs one that was left out goes with it.
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
  // The value does not show what is wrong in the YAML alone, such as a key that stands twice.
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

/** Throws where the environment alone is wrong, which is checked before. */
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

/** A file with these parts, and the place that each has in it. Projects move up where others are missing. */
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
