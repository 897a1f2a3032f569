import { systemClock } from '../../../src/core/clock.js';
import type { Message } from '../../../src/core/message.js';
import type { PluginEntry } from '../../../src/core/settings.js';
import { createPluginHost, type HostContext } from '../../../src/plugins/host/host.js';
import type { Plugin } from '../../../src/plugins/plugin.js';

export function entryOf(plugin: string, more: Partial<PluginEntry> = {}): PluginEntry {
  return {
    plugin,
    phases: [],
    config: {},
    timeout_ms: 20_000,
    on_error: 'allow',
    isolate: false,
    mode: 'enforce' as const,
    sample: 1,
    ...more,
  };
}

export function contextOf(more: Partial<HostContext> = {}): HostContext {
  const signal = new AbortController().signal;
  return { requestId: 'log-1', endpoint: 'support', metadata: {}, headers: {}, signal, ...more };
}

export function user(text: string): Message {
  return { role: 'user', parts: [{ type: 'text', text }] };
}

/** A host with these plugins and an endpoint's entries for them. */
export function openHost(plugins: readonly Plugin<unknown>[], entries: readonly PluginEntry[]) {
  const host = createPluginHost({ plugins, clock: systemClock });
  const result = host.prepare(entries);
  if ('mistakes' in result) throw new Error(JSON.stringify(result.mistakes));
  return { host, plugins: result.plugins };
}
