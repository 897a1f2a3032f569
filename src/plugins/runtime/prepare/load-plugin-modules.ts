import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { reasonOf } from '../../contract/fault.js';
import type { Plugin } from '../../contract/plugin.js';
import { importPlugin } from './import-plugin.js';
import { rememberSource } from './plugin-source.js';

/**
 * Loads the plugins that users list under `plugins` in sluice.yaml. A specifier that starts with `.` or `/` is a path
 * relative to `baseDirectory`; any other is the name of an installed package. Rejects with an Error that names the
 * module and its mistake.
 */
export async function loadPluginModules(
  specifiers: readonly string[],
  baseDirectory: string,
): Promise<Plugin<unknown>[]> {
  const plugins: Plugin<unknown>[] = [];
  for (const specifier of specifiers) {
    try {
      const url = await moduleUrl(specifier, baseDirectory);
      const plugin = await importPlugin(url);
      rememberSource(plugin, { kind: 'module', url });
      plugins.push(plugin);
    } catch (thrown) {
      throw new Error(`plugin '${specifier}': ${reasonOf(thrown)}`, { cause: thrown });
    }
  }
  return plugins;
}

async function moduleUrl(specifier: string, baseDirectory: string): Promise<string> {
  if (/^\.{0,2}\//.test(specifier)) return pathToFileURL(resolve(baseDirectory, specifier)).href;
  const { createJiti } = await import('jiti');
  const from = pathToFileURL(resolve(baseDirectory, 'sluice.yaml')).href;
  return createJiti(from).esmResolve(specifier, from);
}
