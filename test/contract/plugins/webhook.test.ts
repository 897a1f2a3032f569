import { createHmac } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { Choice } from '../../../src/core/answer.js';
import type { JsonObject } from '../../../src/core/json.js';
import type { LogRecord } from '../../../src/core/log-record.js';
import type { PluginEntry } from '../../../src/core/settings.js';
import { createWebhookPlugin } from '../../../src/plugins/webhook/plugin.js';
import { type FakeProvider, startFakeProvider } from '../../support/fake-provider.js';
import { contextOf, pluginEntry, preparePlugins, user } from '../../support/plugin-host.js';
import { bytesReply, hangReply, jsonReply, resetReply } from '../../support/replies.js';

const webhook = createWebhookPlugin({ HOOK_KEY: 'key of the hook' });

let hook: FakeProvider;
beforeAll(async () => {
  hook = await startFakeProvider();
});
afterEach(() => hook.reset());
afterAll(() => hook.stop());

function open(config: JsonObject = {}, more: Partial<PluginEntry> = {}) {
  const url = `http://127.0.0.1:${hook.port}/guard?a=b`;
  const opened = preparePlugins([webhook], [pluginEntry('webhook', { config: { url, ...config }, ...more })]);
  onTestFinished(() => opened.host.close());
  return opened;
}

async function ask(reply: unknown, config: JsonObject = {}, more: Partial<PluginEntry> = {}) {
  hook.enqueue(jsonReply(reply));
  return run(config, more);
}

function run(config: JsonObject = {}, more: Partial<PluginEntry> = {}) {
  const { host, plugins } = open(config, more);
  return host.runRequest(plugins, contextOf(), [user('hello'), user('there')], { model: 'support' });
}

describe('what a webhook receives', () => {
  it('is the exchange as it is at that moment, without credentials of the client', async () => {
    hook.enqueue(jsonReply({}));
    const { host, plugins } = open({ configs: { level: 2 }, headers: { Authorization: 'Bearer hook' } });
    const headers = { authorization: 'Bearer sk', cookie: 'a=b', 'user-agent': 'curl/8', 'x-tenant': 't' };
    const context = contextOf({ headers, metadata: { task: 'chat' } });
    await host.runRequest(plugins, context, [user('hello')], { model: 'support', n: 1 });
    const request = await hook.received();
    expect([request.method, request.path]).toEqual(['POST', '/guard?a=b']);
    expect(request.headers['content-type']).toBe('application/json');
    expect(request.headers.authorization).toBe('Bearer hook');
    expect(request.json()).toEqual({
      messages: [{ role: 'user', content: 'hello' }],
      requestBody: { model: 'support', n: 1 },
      requestHeaders: { 'user-agent': 'curl/8', 'x-tenant': 't' },
      metadata: { task: 'chat' },
      configs: { level: 2 },
      requestId: 'log-1',
      phase: 'request',
    });
  });

  it('is signed where a key is set', async () => {
    await ask({}, { hmac_key_env: 'HOOK_KEY' });
    const { headers, body } = await hook.received();
    const expected = createHmac('sha256', 'key of the hook').update(body).digest('hex');
    expect(headers['x-sluice-signature']).toBe(`sha256=${expected}`);
  });

  it('comes over connections that are reused', async () => {
    const { host, plugins } = open();
    const ports = new Set<unknown>();
    for (let i = 0; i < 10; i++) {
      hook.enqueue((response, request) => {
        ports.add(response.socket?.remotePort);
        return jsonReply({})(response, request);
      });
      await host.runRequest(plugins, contextOf(), [user('hello')], {});
    }
    expect(ports.size).toBeLessThanOrEqual(2);
  });

  it('in the response phase has the answer after the conversation', async () => {
    hook.enqueue(jsonReply({}));
    const { host, plugins } = open();
    const answer: Choice = { index: 0, parts: [{ type: 'text', text: 'hi' }], finishReason: 'stop' };
    await host.runResponse(plugins, contextOf(), [answer], [user('hello')], {});
    expect((await hook.received()).json()).toMatchObject({
      phase: 'response',
      messages: [
        { role: 'user', content: 'hello' },
        { role: 'assistant', content: 'hi' },
      ],
    });
  });

  it('has the finished exchange in the log phase', async () => {
    hook.enqueue(jsonReply({}));
    const { host, plugins } = open();
    const record = {
      _id: 'log-1',
      request: { model: 'support' },
      response: { id: 'a' },
    } as unknown as LogRecord;
    const result = await host.runLog(plugins, contextOf(), record);
    expect(result.runs).toMatchObject([{ outcome: 'passed' }]);
    expect((await hook.received()).json()).toMatchObject({
      phase: 'log',
      requestBody: { model: 'support' },
      record: { _id: 'log-1', response: { id: 'a' } },
    });
  });
});

describe('what a webhook answers', () => {
  it.each([[{}], [{ reject: false }], [{ reject: null, messages: null }]])(
    'lets the exchange pass with %j',
    async (reply) => {
      const outcome = await ask(reply);
      expect(outcome).toMatchObject({ modified: false, runs: [{ outcome: 'passed' }] });
    },
  );

  it('lets the exchange pass without a body', async () => {
    hook.enqueue(bytesReply('', { status: 204 }));
    expect((await run()).runs).toMatchObject([{ outcome: 'passed' }]);
  });

  it('rejects with its reason', async () => {
    const outcome = await ask({ reject: true, rejectReason: 'Off topic.' });
    expect(outcome.rejection).toMatchObject({
      clientCode: 'rejected_by_plugin',
      status: 400,
      message: 'Off topic.',
    });
  });

  it('may reject without a reason', async () => {
    expect((await ask({ reject: true })).rejection?.message).toBe('The request was rejected.');
  });

  it('changes texts by their position', async () => {
    const outcome = await ask({
      messages: [
        { role: 'user', content: 'hello' },
        { role: 'user', content: 'you' },
      ],
    });
    expect(outcome.content).toEqual([user('hello'), user('you')]);
    expect(outcome.runs[0]?.outcome).toBe('modified');
  });

  it('may change the answer, but not the conversation before it', async () => {
    const answer: Choice = { index: 0, parts: [{ type: 'text', text: 'hi' }], finishReason: 'stop' };
    const { host, plugins } = open();
    hook.enqueue(
      jsonReply({ messages: [{}, { content: 'HI' }] }),
      jsonReply({ messages: [{ content: 'HELLO' }, {}] }),
    );
    const changed = await host.runResponse(plugins, contextOf(), [answer], [user('hello')], {});
    expect(changed.content).toEqual([{ ...answer, parts: [{ type: 'text', text: 'HI' }] }]);
    const refused = await host.runResponse(plugins, contextOf(), [answer], [user('hello')], {});
    expect(refused.runs[0]).toMatchObject({ outcome: 'error', reason: expect.stringContaining('message 0') });
  });

  it.each([
    ['an error', jsonReply({ reject: true }, { status: 500 }), /answered 500/],
    ['a redirect', jsonReply({}, { status: 307, headers: { location: '/other' } }), /answered 307/],
    ['no JSON', bytesReply('<html>'), /did not answer with JSON/],
    ['JSON that is not an object', jsonReply([]), /not an object/],
    ['a rejection that is not a boolean', jsonReply({ reject: 'yes' }), /not a boolean/],
    ['one message for two', jsonReply({ messages: [{ role: 'user', content: 'x' }] }), /list of 2/],
    ['more than a mebibyte', bytesReply(`{"a":"${'x'.repeat(1_100_000)}"}`), /size|large|limit/i],
    ['a broken connection', resetReply, /socket|reset|ECONN/i],
  ])('is an error with %s', async (_, reply, reason) => {
    hook.enqueue(reply);
    const outcome = await run();
    expect(outcome.runs[0]).toMatchObject({ outcome: 'error', reason: expect.stringMatching(reason) });
    expect(outcome.rejection).toBeUndefined();
    expect(outcome.content).toEqual([user('hello'), user('there')]);
  });

  it('is an error where it does not come before the deadline', async () => {
    hook.enqueue(hangReply);
    const outcome = await run({}, { timeout_ms: 200, on_error: 'reject' });
    expect(outcome.runs[0]?.outcome).toBe('timeout');
    expect(outcome.rejection?.code).toBe('plugin_failed');
  });
});

describe('the configuration of a webhook', () => {
  const { host } = preparePlugins([webhook], []);

  it.each([
    ['/plugins/0/config/url', {}, /missing/],
    ['/plugins/0/config/url', { url: 'ftp://a.example' }, /pattern/],
    ['/plugins/0/config/url', { url: 'http://a:b@c.example' }, /user name/],
    [
      '/plugins/0/config/headers/Content-Length',
      { url: 'http://a.example', headers: { 'Content-Length': '1' } },
      /gateway/,
    ],
    ['/plugins/0/config/headers/x', { url: 'http://a.example', headers: { x: 'a\nb' } }, /pattern/],
    ['/plugins/0/config/hmac_key_env', { url: 'http://a.example', hmac_key_env: 'NONE' }, /not set/],
  ])('is refused with the mistake at %s', (path, config, message) => {
    expect(host.prepare([pluginEntry('webhook', { config: config as JsonObject })])).toEqual({
      mistakes: expect.arrayContaining([{ path, message: expect.stringMatching(message) }]),
    });
  });
});
