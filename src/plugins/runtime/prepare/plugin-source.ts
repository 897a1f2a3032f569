import type { Plugin } from '../../contract/plugin.js';
import { BUILT_IN_PLUGINS } from '../../index.js';

/** Where a thread finds its plugin: a module with a default export, or the list of built-in ones. */
export type PluginSource = { kind: 'module'; url: string } | { kind: 'built-in' };

/*
 * The source of a plugin, so that a thread can load it again. Kept outside the plugin, because the contract has no
 * member for it and a plugin made in code has no source.
 */
const sources = new WeakMap<object, PluginSource>();

export function rememberSource(plugin: Plugin<unknown>, source: PluginSource): void {
  sources.set(plugin, source);
}

export function sourceOf(plugin: Plugin<unknown>): PluginSource | undefined {
  return sources.get(plugin) ?? (BUILT_IN_PLUGINS.includes(plugin) ? { kind: 'built-in' } : undefined);
}
