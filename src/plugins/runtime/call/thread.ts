import { parentPort, workerData } from 'node:worker_threads';
import { PluginFault, reasonOf } from '../../contract/fault.js';
import type { Plugin } from '../../contract/plugin.js';
import { importPlugin } from '../prepare/import-plugin.js';
import type { FromThread, ThreadData, ToThread } from './protocol.js';

/** The code of a plugin's own thread: loads the plugin, then answers calls until it is terminated. */
async function run(data: ThreadData): Promise<void> {
  const plugin = await load(data);
  const config = plugin.prepare === undefined ? data.config : plugin.prepare(data.config);
  const running = new Map<number, AbortController>();
  parentPort?.on('message', (message: ToThread) => {
    if (message.kind === 'abort') running.get(message.id)?.abort();
    else void answer(plugin, config, message, running);
  });
}

async function load({ source, plugin: name }: ThreadData): Promise<Plugin<unknown>> {
  if (source.kind === 'module') return importPlugin(source.url);
  const { BUILT_IN_PLUGINS } = await import('../../index.js');
  const plugin = BUILT_IN_PLUGINS.find((candidate) => candidate.name === name);
  if (plugin === undefined) throw new PluginFault(`'${name}' is not built in`);
  return plugin;
}

async function answer(
  plugin: Plugin<unknown>,
  config: unknown,
  { id, name, input }: ToThread & { kind: 'call' },
  running: Map<number, AbortController>,
): Promise<void> {
  const controller = new AbortController();
  running.set(id, controller);
  try {
    const call = plugin[name] as (input: unknown) => unknown;
    const value = await call.call(plugin, { config, signal: controller.signal, ...input });
    // A value that cannot be cloned throws here, and so counts as the plugin's error.
    post({ kind: 'returned', id, value });
  } catch (thrown) {
    post({ kind: 'threw', id, reason: reasonOf(thrown) });
  } finally {
    running.delete(id);
  }
}

function post(message: FromThread): void {
  parentPort?.postMessage(message);
}

run(workerData as ThreadData).then(
  () => post({ kind: 'ready' }),
  (thrown) => post({ kind: 'unusable', reason: reasonOf(thrown) }),
);
