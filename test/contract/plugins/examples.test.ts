import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../../../src/core/json.js';
import type { LogRecord } from '../../../src/core/log-record.js';
import type { Message } from '../../../src/core/message.js';
import { pluginEntry } from '../../support/plugin-host.js';

/** As it was built: from the sources, each thread would first compile all that `sluice/plugin` is made of. */
const built = (path: string) => import(new URL(`../../../dist/${path}`, import.meta.url).href);
const { systemClock }: typeof import('../../../src/core/clock.js') = await built('core/clock.js');
const { createPluginHost }: typeof import('../../../src/plugins/runtime/host.js') =
  await built('plugins/runtime/host.js');
const { loadPluginModules }: typeof import('../../../src/plugins/runtime/prepare/load-plugin-modules.js') =
  await built('plugins/runtime/prepare/load-plugin-modules.js');
const directory = fileURLToPath(new URL('../../../examples/plugins', import.meta.url));
const context = {
  requestId: 'log-1',
  endpoint: 'support',
  metadata: {},
  headers: {},
  signal: new AbortController().signal,
};

async function open(module: string, plugin: string, config: JsonObject, isolate: boolean) {
  const entry = pluginEntry(plugin, { config, timeout_ms: 20_000, on_error: 'reject', isolate });
  const host = createPluginHost({
    plugins: await loadPluginModules([module], directory),
    clock: systemClock,
  });
  const result = host.prepare([entry]);
  if ('mistakes' in result) throw new Error(JSON.stringify(result.mistakes));
  return { host, plugins: result.plugins };
}

const threads = [
  ['in the engine', false],
  ['in a thread', true],
] as const;

describe.each(threads)('the example that blocks a topic, %s', (_, isolate) => {
  const config = { topics: { medicine: ['dosage', 'diagnosis'] }, message: 'Please ask a doctor.' };
  const user = (text: string): Message => ({ role: 'user', parts: [{ type: 'text', text }] });
  let opened: Awaited<ReturnType<typeof open>>;

  beforeAll(async () => {
    opened = await open('./block-topic.ts', 'block_topic', config, isolate);
  });
  afterAll(() => opened?.host.close());

  it('rejects a request about it, and notes which topic it was', async () => {
    const { host, plugins } = opened;
    const outcome = await host.runRequest(plugins, context, [user('Which DOSAGE is right?')], {});
    expect(outcome.rejection).toMatchObject({ clientCode: 'topic_blocked', message: 'Please ask a doctor.' });
    expect(outcome.runs[0]?.annotations).toEqual({ topic: 'medicine' });
  });

  it('lets other requests pass, and earlier turns about the topic', async () => {
    const { host, plugins } = opened;
    const messages = [user('A dosage?'), user('Where is my overdosaged parcel?')];
    const outcome = await host.runRequest(plugins, context, messages, {});
    expect(outcome.rejection).toBeUndefined();
    expect(outcome.runs[0]?.outcome).toBe('passed');
  });
});

describe.each(threads)("the example that tags the answer's language, %s", (_, isolate) => {
  const chat = (content: string): JsonValue => ({ choices: [{ message: { role: 'assistant', content } }] });
  let opened: Awaited<ReturnType<typeof open>>;

  beforeAll(async () => {
    opened = await open('./answer-language.js', 'answer_language', {}, isolate);
  });
  afterAll(() => opened?.host.close());

  it.each<[string, JsonValue, LogRecord['api']]>([
    ['de', chat('Das Paket ist unterwegs und kommt mit der Post.'), 'openai.chat'],
    ['en', { content: [{ type: 'text', text: 'The parcel is on its way to you.' }] }, 'anthropic.messages'],
    [
      'fr',
      { output: [{ content: [{ type: 'output_text', text: 'Le colis est en route pour vous.' }] }] },
      'openai.responses',
    ],
  ])('adds %s', async (language, response, api) => {
    const { host, plugins } = opened;
    const result = await host.runLog(plugins, context, { api, request: null, response } as LogRecord);
    expect(result.runs).toMatchObject([{ outcome: 'passed' }]);
    expect(result.addTags).toEqual([`answer-language:${language}`]);
  });

  it('adds nothing where it cannot tell', async () => {
    const { host, plugins } = opened;
    const result = await host.runLog(plugins, context, {
      api: 'openai.chat',
      request: null,
      response: chat('42'),
    } as LogRecord);
    expect(result.addTags).toEqual([]);
  });
});
