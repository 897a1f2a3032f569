import { describe, expect, it } from 'vitest';
import { definePlugin, mapMessageTexts, modify, pass, reject } from '../api.js';
import type { Plugin } from '../contract/plugin.js';
import { secretsDetection } from '../secrets-detection/index.js';
import { textRules } from '../text-rules/index.js';
import { conformanceTests, type PluginSamples } from './index.js';

const configSchema = { type: 'object' };
const samples: PluginSamples = {
  request: { passes: ['fine'], rejects: { bad: 'bad_word' } },
  response: { passes: ['fine'], modifies: { 'a bad word': 'a *** word' } },
  timeoutMs: 200,
};

/** The first test that a plugin fails, without its own name, and why. */
async function failureOf(
  plugin: Plugin<unknown>,
  given: PluginSamples = samples,
): Promise<string | undefined> {
  for (const { name, run } of conformanceTests(plugin, given)) {
    try {
      await run();
    } catch (error) {
      return `${name.replace(`${plugin.name} `, '')}: ${error}`;
    }
  }
  return undefined;
}

/** Rejects requests with a bad word, and takes it out of answers. */
const good = definePlugin<object>({
  name: 'good',
  configSchema,
  request: ({ messages }) =>
    JSON.stringify(messages).includes('bad') ? reject('No.', { code: 'bad_word' }) : pass(),
  stream: { window: 16 },
  responseWindow: ({ text }) => {
    const start = text.indexOf('bad');
    return start === -1
      ? pass()
      : { action: 'replace', spans: [{ start, end: start + 3, replacement: '***' }] };
  },
});

describe('the test of a correct plugin', () => {
  it('passes in all parts', async () => {
    expect(await failureOf(good)).toBeUndefined();
  });

  it('passes for the built-in plugin', async () => {
    const passes = ['Where is my parcel?'];
    const asked = { passes, rejects: { 'It is Zanzibar.': 'text_rule' } };
    const rules = { rules: [{ words: ['zanzibar'], deny: true }] };
    expect(await failureOf(textRules, { config: rules, request: asked, response: asked })).toBeUndefined();
    const config = { reject_on_detection: false, mask: true };
    const given = { config, request: { passes }, response: { passes } };
    expect(await failureOf(secretsDetection, given)).toBeUndefined();
  });
});

describe('the test of a faulty plugin', () => {
  it.each<[string, Partial<Plugin<object>>, RegExp]>([
    [
      'throws on what it does not expect',
      {
        request: ({ messages }) =>
          messages[1]!.role === 'user' ? good.request!({ messages } as never) : pass(),
      },
      /handles requests with no message: .*TypeError/,
    ],
    [
      'stalls',
      {
        request: ({ messages }) =>
          messages.length === 0 ? new Promise(() => {}) : good.request!({ messages } as never),
      },
      /handles requests with no message: .*timeout/,
    ],
    [
      'changes what it is given',
      {
        request: ({ messages }) => {
          (messages as unknown[]).push('more');
          return pass();
        },
      },
      /in a request, on "fine": passed: .*error/,
    ],
    [
      'promises to change nothing, and does',
      {
        readsOnly: true,
        request: ({ messages }) => {
          (messages as unknown[]).push('more');
          return pass();
        },
      },
      /in a request, on "fine": passed: .*error/,
    ],
    [
      'gives more messages than there were',
      { request: ({ messages }) => modify([...messages, ...messages]) },
      /in a request, on "fine": passed: .*error/,
    ],
    [
      'rejects with another code',
      { request: ({ messages }) => (JSON.stringify(messages).includes('bad') ? reject('No.') : pass()) },
      /in a request, on "bad": rejected/,
    ],
    [
      'sees too little of a stream around a text',
      {
        stream: { window: 1 },
        responseWindow: ({ text, settled }) => {
          const start = text.slice(0, settled).indexOf('bad');
          return start === -1
            ? pass()
            : { action: 'replace', spans: [{ start, end: start + 3, replacement: '***' }] };
        },
      },
      /in a stream that is cut anywhere, on "a bad word": modified/,
    ],
    [
      'remembers what it saw in another exchange',
      (() => {
        let calls = 0;
        return {
          request: ({ messages }) =>
            ++calls > 8
              ? modify(mapMessageTexts(messages, () => 'again'))
              : good.request!({ messages } as never),
        };
      })(),
      /says the same of requests each time/,
    ],
  ])('reports one that %s', async (_case, wrong, failure) => {
    expect(await failureOf({ ...good, ...wrong } as Plugin<unknown>)).toMatch(failure);
  });

  it('reports which samples are missing', () => {
    expect(() => conformanceTests(good, { request: { passes: [] } })).toThrow(
      "no samples for the phase 'response'",
    );
  });

  it('reports what is wrong with the configuration of the samples', () => {
    const strict = { ...good, configSchema: { type: 'object', required: ['words'] } };
    expect(() => conformanceTests(strict, samples)).toThrow('words');
  });
});
