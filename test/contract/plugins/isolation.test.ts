import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { JsonObject } from '../../../src/core/json.js';
import type { PluginEntry } from '../../../src/core/settings.js';
import { piiDetection } from '../../../src/plugins/pii-detection/index.js';
import { loadPluginModules } from '../../../src/plugins/runtime/prepare/load-plugin-modules.js';
import { contextOf, pluginEntry, preparePlugins, user } from '../../support/plugin-host.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

/** Does what the newest message tells it to. */
const OBEDIENT = `
import { parentPort } from 'node:worker_threads';
let calls = 0;
export default {
  name: 'obedient',
  configSchema: { type: 'object', properties: { greeting: { type: 'string', default: 'Hi' } } },
  prepare: (config) => ({ greet: () => config.greeting }),
  request: async ({ messages, config, requestBody, signal }) => {
    calls++;
    switch (messages.at(-1).parts[0].text) {
      case 'loop': for (;;) {}
      case 'stall': return new Promise(() => {});
      case 'throw': throw new Error('it was told to');
      case 'exit': return process.exit(1);
      case 'crash': return new Promise(() => setImmediate(() => { throw new Error('outside of any call'); }));
      case 'post':
        for (const message of ['hello', null, { kind: 'stats' }]) parentPort.postMessage(message);
        return { action: 'pass' };
      case 'function': return { action: 'pass', debug: () => {} };
      case 'wait': return new Promise((resolve) => signal.addEventListener('abort', () => resolve({ action: 'pass' })));
      case 'greet': return { action: 'modify', content: messages.map((message) => ({ ...message, parts: [{ type: 'text', text: config.greet() }] })) };
      default: return { action: 'pass', debug: { calls, model: requestBody.model } };
    }
  },
};`;

async function open(more: Partial<PluginEntry> = {}) {
  const folder = await temporaryFolder();
  await writeFile(join(folder, 'obedient.mjs'), OBEDIENT);
  const plugins = await loadPluginModules(['./obedient.mjs'], folder);
  const opened = preparePlugins(plugins, [pluginEntry('obedient', { isolate: true, ...more })]);
  onTestFinished(() => opened.host.close());
  const tell = (text: string, context = contextOf()) =>
    opened.host.runRequest(opened.plugins, context, [user(text)], { model: 'support' });
  return { ...opened, tell };
}

describe('a plugin in a thread of its own', () => {
  it('gets the same input, and gives the same output, as in the main thread', async () => {
    const { tell } = await open({ config: { greeting: 'Hello' } });
    const plain = await tell('plain');
    expect(plain.runs[0]).toMatchObject({ outcome: 'passed', debug: { calls: 1, model: 'support' } });
    const greeted = await tell('greet');
    expect(greeted.content).toEqual([user('Hello')]);
  });

  it('can be a built-in one', async () => {
    const { host, plugins } = preparePlugins(
      [piiDetection],
      [pluginEntry('pii_detection', { isolate: true })],
    );
    onTestFinished(() => host.close());
    const outcome = await host.runRequest(plugins, contextOf(), [user('anna.schmidt@example.org')], {});
    expect(outcome.rejection?.clientCode).toBe('pii_detected');
  });

  it.each(['loop', 'stall'])('is stopped at its deadline when told to %s, and restarted', async (order) => {
    const { tell } = await open({ timeout_ms: 300 });
    await tell('plain');
    const stopped = await tell(order);
    expect(stopped.runs[0]).toMatchObject({ outcome: 'timeout', reason: expect.stringContaining('300 ms') });
    const after = await tell('plain');
    expect(after.runs[0]).toMatchObject({ outcome: 'passed', debug: { calls: 1 } });
  });

  it('stops the exchange at its deadline where `on_error` is `closed`', async () => {
    const { tell } = await open({ timeout_ms: 300, on_error: 'reject' });
    expect((await tell('loop')).rejection).toMatchObject({ code: 'plugin_failed' });
  });

  it.each([
    ['throw', /it was told to/],
    ['exit', /its thread ended/],
    ['crash', /outside of any call/],
    ['function', /could not be cloned/],
  ])('reports an error when told to %s, and works again afterwards', async (order, reason) => {
    const { tell } = await open();
    expect((await tell(order)).runs[0]).toMatchObject({
      outcome: 'error',
      reason: expect.stringMatching(reason),
    });
    expect((await tell('plain')).runs[0]?.outcome).toBe('passed');
  });

  it('may send messages of its own, which are not mistaken for an answer', async () => {
    const { tell } = await open();
    expect((await tell('post')).runs[0]?.outcome).toBe('passed');
    expect((await tell('plain')).runs[0]).toMatchObject({ outcome: 'passed', debug: { calls: 2 } });
  });

  it('does not delay the answers to other calls while one loops', async () => {
    const { tell } = await open({ timeout_ms: 1_500 });
    await Promise.all([1, 2, 3, 4].map(() => tell('plain')));
    const order: string[] = [];
    const looping = tell('loop').then((outcome) => order.push(outcome.runs[0]!.outcome));
    await Promise.all(
      [1, 2, 3].map(() => tell('plain').then((outcome) => order.push(outcome.runs[0]!.outcome))),
    );
    await looping;
    expect(order).toEqual(['passed', 'passed', 'passed', 'timeout']);
  });

  it('learns that the client left', async () => {
    const { tell } = await open();
    await tell('plain');
    const client = new AbortController();
    const waiting = tell('wait', contextOf({ signal: client.signal }));
    // The plugin is called in this turn of the event loop.
    await new Promise((resolve) => setImmediate(resolve));
    client.abort();
    expect((await waiting).runs[0]).toMatchObject({
      outcome: 'skipped',
      reason: 'the client left while it ran',
    });
    expect((await tell('plain')).runs[0]?.outcome).toBe('passed');
  });

  it('says at once that no thread is free once the host is closed', async () => {
    const { host, tell } = await open();
    await host.close();
    expect((await tell('plain')).runs[0]).toMatchObject({
      outcome: 'error',
      reason: expect.stringContaining('thread'),
    });
  });
});

describe('a configuration that only fails in the thread', () => {
  it('a configuration that fails only in the thread is the error of the run', async () => {
    const folder = await temporaryFolder();
    const text = `import { isMainThread } from 'node:worker_threads';
      export default { name: 'shy', configSchema: {}, request: () => ({ action: 'pass' }),
        prepare: (config) => { if (!isMainThread) throw new Error('not here'); return config; } };`;
    await writeFile(join(folder, 'shy.mjs'), text);
    const config: JsonObject = {};
    const { host, plugins } = preparePlugins(await loadPluginModules(['./shy.mjs'], folder), [
      pluginEntry('shy', { isolate: true, config }),
    ]);
    onTestFinished(() => host.close());
    const outcome = await host.runRequest(plugins, contextOf(), [user('hello')], {});
    expect(outcome.runs[0]).toMatchObject({ outcome: 'error', reason: expect.stringContaining('not here') });
  });
});
