import { isJsonObject, type JsonObject } from '../core/json.js';
import type { Config } from './config.js';
import { type ParseOptions, parseConfig } from './load.js';
import { formatPath, type Path } from './mistakes.js';
import { readYaml } from './yaml-document.js';

/** A configuration without the parts of the file that have mistakes. */
export interface SoundPart {
  config: Config;
  /** What was left out, such as `providers.local`, `projects[0]` or `spool`. Undefined: the whole file. */
  leftOut?: string[];
}

/**
 * Reads what has no mistakes: each provider and each project is a part, and so is each other key at the top. A part
 * that needs one that was left out goes with it.
 */
export function readSoundPart(text: string, options: ParseOptions): SoundPart {
  const { value } = readYaml(text, options.file);
  if (!isJsonObject(value)) return { config: emptyConfig(options) };
  const leftOut: string[] = [];
  let rest = value;
  for (;;) {
    const result = parseConfig(JSON.stringify(rest), options);
    if ('config' in result) return { config: result.config, leftOut };
    const bad = partsOf(rest).filter((part) => result.mistakes.some(({ path }) => isWithin(path, part)));
    if (bad.length === 0) return { config: emptyConfig(options) };
    leftOut.push(...bad.map(formatPath));
    rest = without(rest, bad);
  }
}

/** Throws where the environment alone is wrong, which is checked before. */
function emptyConfig(options: ParseOptions): Config {
  const result = parseConfig('{}', { ...options, keyFiles: new Map() });
  if ('mistakes' in result) throw new Error(result.mistakes[0]!.message);
  return result.config;
}

function partsOf(value: JsonObject): Path[] {
  return Object.entries(value).flatMap(([key, inner]): Path[] => {
    if (key === 'providers' && isJsonObject(inner)) return Object.keys(inner).map((name) => [key, name]);
    if (key === 'projects' && Array.isArray(inner)) return inner.map((_, index) => [key, index]);
    return [[key]];
  });
}

function isWithin(path: string, part: Path): boolean {
  const outer = formatPath(part);
  return path.startsWith(outer) && /^($|[.[])/.test(path.slice(outer.length));
}

function without(value: JsonObject, bad: readonly Path[]): JsonObject {
  const isBad = (path: Path) => bad.some((other) => formatPath(other) === formatPath(path));
  const kept = Object.entries(value).flatMap(([key, inner]) => {
    if (isBad([key])) return [];
    if (key === 'projects' && Array.isArray(inner)) {
      return [[key, inner.filter((_, index) => !isBad([key, index]))] as const];
    }
    if (key !== 'providers' || !isJsonObject(inner)) return [[key, inner] as const];
    return [
      [key, Object.fromEntries(Object.entries(inner).filter(([name]) => !isBad([key, name])))] as const,
    ];
  });
  return Object.fromEntries(kept);
}
