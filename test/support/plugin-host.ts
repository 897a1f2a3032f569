import { systemClock } from '../../src/core/clock.js';
import type { Message } from '../../src/core/message.js';
import type { PluginEntry } from '../../src/core/settings.js';
import type { Plugin, RequestInput, Result } from '../../src/plugins/contract/plugin.js';
import { createPluginHost, type HostContext } from '../../src/plugins/runtime/host.js';

export const anySchema = { type: 'object' };

/** The entry of a plugin without settings. */
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

export function contextOf(more: Partial<HostContext> = {}): HostContext {
  const signal = new AbortController().signal;
  return { requestId: 'log-1', endpoint: 'support', metadata: {}, headers: {}, signal, ...more };
}

export function user(text: string): Message {
  return { role: 'user', parts: [{ type: 'text', text }] };
}

export function requestPlugin(
  name: string,
  request: (input: RequestInput<unknown>) => unknown,
): Plugin<unknown> {
  // The result is anything that a plugin in JavaScript might return.
  return {
    name,
    configSchema: anySchema,
    request: request as (input: RequestInput<unknown>) => Result<Message[]>,
  };
}

/** A host with these plugins, prepared as the entries say. Without entries each plugin has its defaults. */
export function preparePlugins(
  plugins: readonly Plugin<unknown>[],
  entries = plugins.map(({ name }) => pluginEntry(name)),
) {
  const host = createPluginHost({ plugins, clock: systemClock });
  const result = host.prepare(entries);
  if ('mistakes' in result) throw new Error(JSON.stringify(result.mistakes));
  return { host, plugins: result.plugins };
}

/** The outcome of the request phase with this one plugin. */
export async function runOne(
  request: (input: RequestInput<unknown>) => unknown,
  more: Partial<PluginEntry> = {},
  messages: Message[] = [user('hello')],
  context: HostContext = contextOf(),
) {
  const { host, plugins } = preparePlugins([requestPlugin('one', request)], [pluginEntry('one', more)]);
  return host.runRequest(plugins, context, messages, { model: 'support' });
}
