import type { Plugin } from '../../contract/plugin.js';
import { BUILT_IN_PLUGINS } from '../../index.js';

/** Where a thread finds its plugin: a module with a default export, or our own list. */
export type PluginSource = { kind: 'module'; url: string } | { kind: 'built-in' };

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
