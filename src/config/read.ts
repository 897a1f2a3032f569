import { readFile } from 'node:fs/promises';
import { inTurns } from '../core/pacing/steps.js';
import type { FileText, KeyFiles } from './key-files.js';
import {
  type CheckPlugin,
  type ConfigResult,
  findKeyFiles,
  findPluginModules,
  parseConfigInSteps,
} from './load.js';
import type { Mistake } from './mistakes.js';
import { findWarnings } from './warnings.js';
import { prepareYaml } from './yaml-document.js';

/** The result of loading the modules that the file lists under `plugins`. */
export interface LoadedPlugins {
  checkPlugin: CheckPlugin;
  /** The error of each module that could not be loaded. */
  failures: ReadonlyMap<string, string>;
}

export interface ReadOptions {
  file: string;
  env: NodeJS.ProcessEnv;
  /** `unread` for a command that needs no credentials. */
  keys?: 'unread';
  /** Loads these modules: absolute paths, or names of packages. Without it, plugins are not validated. */
  loadPlugins?(modules: string[]): Promise<LoadedPlugins>;
}

/** All texts that a configuration is made of. */
export interface ConfigTexts {
  file: FileText;
  keyFiles: KeyFiles;
}

/** Reads the file and the files that it names: those with credentials, and the catalogue of models. */
export async function readTexts(path: string): Promise<ConfigTexts> {
  const file = await readText(path);
  if ('text' in file) await prepareYaml(file.text);
  const paths = 'text' in file ? await inTurns(findKeyFiles(file.text, path)) : [];
  const texts = paths.map(async (keyFile) => [keyFile, await readText(keyFile)] as const);
  return { file, keyFiles: new Map(await Promise.all(texts)) };
}

async function readText(file: string): Promise<FileText> {
  try {
    return { text: await readFile(file, 'utf8') };
  } catch (error) {
    return { failure: (error as NodeJS.ErrnoException).code ?? String(error) };
  }
}

/** The warnings about a file; none where the file cannot be read. */
export function warningsOf({ file }: ConfigTexts, path: string): Mistake[] {
  return 'text' in file ? findWarnings(file.text, path) : [];
}

/** Parses a text together with the plugins that it names. */
export async function resolveConfig(read: ConfigTexts, options: ReadOptions): Promise<ConfigResult> {
  const { file, env, keys, loadPlugins } = options;
  if ('failure' in read.file) {
    const message = `the file cannot be read: ${read.file.failure}`;
    return { mistakes: [{ file, line: 1, column: 1, path: '', message }] };
  }
  const { text } = read.file;
  await prepareYaml(text);
  const plugins = await loadPlugins?.(await inTurns(findPluginModules(text, file)));
  return inTurns(
    parseConfigInSteps(text, {
      file,
      env,
      keyFiles: read.keyFiles,
      keys,
      checkPlugin: plugins?.checkPlugin,
      pluginFailures: plugins?.failures,
    }),
  );
}
