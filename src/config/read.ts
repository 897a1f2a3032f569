import { readFile } from 'node:fs/promises';
import { type CheckPlugin, type ConfigResult, findPluginModules, parseConfig } from './load.js';

/** What became of the modules that the file names under `plugins`. */
export interface LoadedPlugins {
  checkPlugin: CheckPlugin;
  /** By module: why it could not be loaded. */
  failures: ReadonlyMap<string, string>;
}

export interface ReadOptions {
  file: string;
  env: NodeJS.ProcessEnv;
  /** Loads these modules, absolute paths or names of packages. Without it, plugins are not checked. */
  loadPlugins?(modules: string[]): Promise<LoadedPlugins>;
}

/** A file's text, or why it cannot be read. */
export type FileText = { text: string } | { failure: string };

/** The text that was read, so that a watcher knows what it compares with, and what it says. */
export async function readConfig(options: ReadOptions): Promise<{ read: FileText; result: ConfigResult }> {
  const read = await readText(options.file);
  return { read, result: await resolveConfig(read, options) };
}

export async function readText(file: string): Promise<FileText> {
  try {
    return { text: await readFile(file, 'utf8') };
  } catch (error) {
    return { failure: (error as NodeJS.ErrnoException).code ?? String(error) };
  }
}

/** Parses a text with the plugins that it names. */
export async function resolveConfig(read: FileText, options: ReadOptions): Promise<ConfigResult> {
  const { file, env, loadPlugins } = options;
  if ('failure' in read) {
    const message = `the file cannot be read: ${read.failure}`;
    return { mistakes: [{ file, line: 1, column: 1, path: '', message }] };
  }
  const plugins = await loadPlugins?.(findPluginModules(read.text, file));
  return parseConfig(read.text, {
    file,
    env,
    checkPlugin: plugins?.checkPlugin,
    pluginFailures: plugins?.failures,
  });
}
