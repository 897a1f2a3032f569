import { dirname } from 'node:path';
import type { Config } from '../config/config.js';
import { type Environment, readEnvironment } from '../config/environment.js';
import { type Mistake, renderMistakes } from '../config/mistakes.js';
import {
  type ConfigTexts,
  type LoadedPlugins,
  type ReadOptions,
  readTexts,
  resolveConfig,
  warningsOf,
} from '../config/read.js';
import { readSoundPart } from '../config/sound-part.js';
import { systemClock } from '../core/clock.js';
import type { Plugin } from '../plugins/contract/plugin.js';
import { BUILT_IN_PLUGINS } from '../plugins/index.js';
import { createPluginHost, type PluginHost } from '../plugins/runtime/host.js';
import { loadPluginModules } from '../plugins/runtime/prepare/load-plugin-modules.js';
import { compilePlugins } from '../plugins/runtime/prepare/prepare-entries.js';

/** The first step of every command that needs sluice.yaml. */
export interface Configuration {
  config: Config;
  environment: Environment;
  /** The plugins of the file as it was last read. */
  plugins(): PluginHost;
  /** The texts that were read, for watching the file. */
  read: ConfigTexts;
  options: ReadOptions;
}

export interface ConfigurationOptions {
  /** The file; without it the environment names one. */
  file?: string;
  /** What was read already, so that the files are not read again. */
  texts?: ConfigTexts;
  env?: NodeJS.ProcessEnv;
  /** Receives all mistakes. */
  report?: (mistakes: string) => void;
  /** `unread` for a command that needs no credentials. */
  keys?: 'unread';
}

/** Reads the environment, the file and the plugins. Reports all mistakes and returns undefined where there are any. */
export async function readConfiguration({
  file: named,
  texts,
  env = process.env,
  report = console.error,
  keys,
}: ConfigurationOptions): Promise<Configuration | undefined> {
  const environmentResult = readEnvironment(env);
  if ('mistakes' in environmentResult) {
    report(environmentResult.mistakes.join('\n'));
    return undefined;
  }
  const { environment } = environmentResult;
  const file = named ?? environment.configFile;
  if (file === undefined) {
    report('No configuration was named: give --config FILE or set SLUICE_CONFIG.');
    return undefined;
  }
  const modules = new PluginModules(dirname(file));
  const options: ReadOptions = { file, env, keys, loadPlugins: (names) => modules.load(names) };
  const read = texts ?? (await readTexts(file));
  const result = await resolveConfig(read, options);
  if ('mistakes' in result) {
    report(renderMistakes(result.mistakes));
    await modules.host.close();
    return undefined;
  }
  return { config: result.config, environment, plugins: () => modules.host, read, options };
}

/** The valid parts of a configuration, which `sluice doctor` uses. */
export interface SoundConfiguration {
  config: Config;
  environment: Environment;
  warnings: Mistake[];
  /** What was left out of the file; undefined where nothing of the file can be used. */
  leftOut: string[] | undefined;
}

/** The valid parts of a file with mistakes. Undefined where the environment is wrong or names no file. */
export async function readSoundConfiguration(
  env: NodeJS.ProcessEnv,
): Promise<SoundConfiguration | undefined> {
  const result = readEnvironment(env);
  const file = 'mistakes' in result ? undefined : result.environment.configFile;
  if ('mistakes' in result || file === undefined) return undefined;
  const texts = await readTexts(file);
  const text = 'text' in texts.file ? texts.file.text : '';
  const part = readSoundPart(text, { file, env, keyFiles: texts.keyFiles });
  return {
    config: part.config,
    environment: result.environment,
    warnings: warningsOf(texts, file),
    leftOut: part.leftOut,
  };
}

/** The users' plugins that a file names, loaded beside the built-in ones. */
class PluginModules {
  host: PluginHost = createPluginHost({ plugins: BUILT_IN_PLUGINS, clock: systemClock });
  #loaded?: string;

  constructor(private readonly baseDirectory: string) {}

  async load(names: string[]): Promise<LoadedPlugins> {
    const failures = new Map<string, string>();
    const loaded: Plugin<unknown>[] = [];
    for (const name of names) {
      try {
        const plugins = await loadPluginModules([name], this.baseDirectory);
        // A duplicate name or an invalid schema is a mistake of the module that brings it.
        compilePlugins([...BUILT_IN_PLUGINS, ...loaded, ...plugins]);
        loaded.push(...plugins);
      } catch (error) {
        failures.set(name, (error as Error).message);
      }
    }
    // A module that could not be loaded may exist the next time, so it is loaded again.
    const key = JSON.stringify(names.filter((name) => !failures.has(name)));
    if (key !== this.#loaded) {
      this.host = createPluginHost({ plugins: [...BUILT_IN_PLUGINS, ...loaded], clock: systemClock });
      this.#loaded = key;
    }
    return {
      failures,
      checkPlugin: (entry) => {
        const prepared = this.host.prepare([entry]);
        if ('plugins' in prepared) return [];
        return prepared.mistakes.map(({ path, message }) => ({
          path: path.replace(/^\/plugins\/0/, ''),
          message,
        }));
      },
    };
  }
}
