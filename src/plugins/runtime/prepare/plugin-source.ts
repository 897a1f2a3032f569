import type { Plugin } from '../../contract/plugin.js';
import { BUILT_IN_PLUGINS } from '../../index.js';

/** Where a thread finds its plugin: a module with a default export, or the list of built-in ones. */
export type PluginSource = { kind: 'module'; url: string } | { kind: 'built-in' };

/*
 * The sources of plugins, with which a thread can load them again. They are kept outside of the plugins, because the
 * contract has no member for them and a plugin that was created in code has none.
 */
const sources = new WeakMap<object, PluginSource>();

export function rememberSource(plugin: Plugin<unknown>, source: PluginSource): void {
  sources.set(plugin, source);
}

export function sourceOf(plugin: Plugin<unknown>): PluginSource | undefined {
  return sources.get(plugin) ?? (BUILT_IN_PLUGINS.includes(plugin) ? { kind: 'built-in' } : undefined);
}
