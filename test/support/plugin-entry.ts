import { systemClock } from '../../src/core/clock.js';
import type { PluginEntry } from '../../src/core/settings.js';
import { createPluginHost } from '../../src/plugins/host/host.js';
import type { Plugin } from '../../src/plugins/plugin.js';

/** What an endpoint says of a plugin that it gives no settings. */
export function pluginEntry(plugin: string, changes: Partial<PluginEntry> = {}): PluginEntry {
  return {
    plugin,
    phases: [],
    config: {},
    timeout_ms: 20_000,
    on_error: 'allow',
    isolate: false,
    mode: 'enforce',
    sample: 1,
    ...changes,
  };
}

/** A host of these plugins, and they as the entries have them: without entries each as it is. */
export function preparePlugins(
  plugins: readonly Plugin<unknown>[],
  entries = plugins.map(({ name }) => pluginEntry(name)),
) {
  const host = createPluginHost({ plugins, clock: systemClock });
  const result = host.prepare(entries);
  if ('mistakes' in result) throw new Error(JSON.stringify(result.mistakes));
  return { host, plugins: result.plugins };
}
