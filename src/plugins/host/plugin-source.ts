import { BUILT_IN_PLUGINS } from '../index.js';
import type { PluginSource } from '../isolation/protocol.js';
import type { Plugin } from '../plugin.js';

/*
 * Where a plugin came from, so that a thread of its own can load it again. Kept beside the plugins: the
 * contract has no member for it, and a plugin that was built in a program has no such place.
 */
const sources = new WeakMap<object, PluginSource>();

export function rememberSource(plugin: Plugin<unknown>, source: PluginSource): void {
  sources.set(plugin, source);
}

export function sourceOf(plugin: Plugin<unknown>): PluginSource | undefined {
  return sources.get(plugin) ?? (BUILT_IN_PLUGINS.includes(plugin) ? { kind: 'built-in' } : undefined);
}
