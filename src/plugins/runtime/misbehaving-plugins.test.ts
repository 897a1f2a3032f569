import { describe, expect, it } from 'vitest';
import {
  contextOf,
  pluginEntry,
  preparePlugins,
  requestPlugin,
  runOne,
  user,
} from '../../../test/support/plugin-host.js';
import type { Message } from '../../core/message.js';
import type { RequestInput } from '../contract/plugin.js';

describe('a plugin that misbehaves', () => {
  const image: Message = {
    role: 'user',
    parts: [{ type: 'image', source: { kind: 'url', url: 'https://a.example/b.png' } }],
  };
  const faults: [string, (input: RequestInput<unknown>) => unknown, RegExp][] = [
    [
      'throws',
      () => {
        throw new TypeError('secret of Anna');
      },
      /^TypeError: secret/,
    ],
    [
      'throws what is no error',
      () => {
        throw 'text';
      },
      /threw string/,
    ],
    ['rejects its promise', () => Promise.reject(new Error('late')), /Error: late/],
    ['returns nothing', () => undefined, /no result object/],
    ['returns a text', () => 'pass', /no result object/],
    ['names no action', () => ({}), /no 'action'/],
    ['names an action that is none', () => ({ action: 'maybe' }), /no 'action'/],
    ['gives no list', () => ({ action: 'modify', content: 'hi' }), /no list/],
    ['drops a message', () => ({ action: 'modify', content: [] }), /number of items/],
    [
      'adds a message',
      (input) => ({ action: 'modify', content: [...input.messages, user('more')] }),
      /number of items/,
    ],
    [
      'changes a role',
      (input) => ({
        action: 'modify',
        content: [{ ...input.messages[0], role: 'system' }, input.messages[1]],
      }),
      /'\/0\/role'/,
    ],
    [
      'changes the order',
      (input) => ({ action: 'modify', content: [...input.messages].reverse() }),
      /changed|gave/,
    ],
    [
      'changes an image',
      (input) => ({ action: 'modify', content: [input.messages[0], user('no image')] }),
      /'\/1\/parts\/0'/,
    ],
    [
      'gives a text that is none',
      () => ({ action: 'modify', content: [{ role: 'user', parts: [{ type: 'text', text: 1 }] }, image] }),
      /no text at/,
    ],
    [
      'writes into the messages',
      (input) => {
        (input.messages as Message[]).push(user('more'));
        return { action: 'pass' };
      },
      /TypeError/,
    ],
    [
      'writes into the body',
      (input) => {
        input.requestBody.model = 'other';
        return { action: 'pass' };
      },
      /TypeError/,
    ],
    [
      'gives findings that are none',
      () => ({ action: 'pass', findings: [{ type: 'X' }] }),
      /finding without/,
    ],
    ['gives debug output that is not JSON', () => ({ action: 'pass', debug: 1n }), /not JSON/],
  ];

  it.each(faults)('is skipped and the exchange continues: it %s', async (_, request, reason) => {
    const messages = [user('hello'), image];
    const outcome = await runOne(request, {}, messages);
    expect(outcome.rejection).toBeUndefined();
    expect(outcome.content).toEqual([user('hello'), image]);
    expect(outcome.runs[0]).toMatchObject({ outcome: 'error', reason: expect.stringMatching(reason) });
  });

  it.each(faults)(
    'ends the exchange where `on_error` is `closed`, without the reason: it %s',
    async (_, request) => {
      const outcome = await runOne(request, { on_error: 'reject' }, [user('hello'), image]);
      expect(outcome.rejection).toMatchObject({ code: 'plugin_failed', status: 503 });
      expect(outcome.rejection?.message).not.toMatch(/Anna|secret/);
    },
  );

  it('is stopped at its deadline, which its signal reports', async () => {
    let signal: AbortSignal | undefined;
    const outcome = await runOne(
      (input) => {
        signal = input.signal;
        return new Promise(() => {});
      },
      { timeout_ms: 5 },
    );
    expect(outcome.runs[0]).toMatchObject({ outcome: 'timeout', reason: 'gave no result within 5 ms' });
    expect(outcome.rejection).toBeUndefined();
    expect(signal?.aborted).toBe(true);
  });

  it('ends the exchange at its deadline where `on_error` is `closed`', async () => {
    const outcome = await runOne(() => new Promise(() => {}), { timeout_ms: 5, on_error: 'reject' });
    expect(outcome.rejection).toMatchObject({ code: 'plugin_failed' });
    expect(outcome.runs[0]?.outcome).toBe('timeout');
  });
});

describe('a plugin that stalls for some', () => {
  it('does not delay the others: of 1,000 requests one in ten stalls', async () => {
    const { host, plugins } = preparePlugins(
      [
        requestPlugin('one', ({ requestId }) =>
          requestId.endsWith('0') ? new Promise(() => {}) : Promise.resolve({ action: 'pass' }),
        ),
      ],
      [pluginEntry('one', { timeout_ms: 20 })],
    );
    const ended: string[] = [];
    await Promise.all(
      Array.from({ length: 1_000 }, async (_, index) => {
        const context = contextOf({ requestId: String(index) });
        const { runs } = await host.runRequest(plugins, context, [user('hello')], {});
        ended.push(runs[0]!.outcome);
      }),
    );
    expect(ended.slice(0, 900).every((outcome) => outcome === 'passed')).toBe(true);
    expect(ended.slice(900).every((outcome) => outcome === 'timeout')).toBe(true);
  });
});

describe('when the client leaves', () => {
  it('skips the plugins that have not run yet, with the reason', async () => {
    const outcome = await runOne(
      () => ({ action: 'pass' }),
      {},
      [user('hello')],
      contextOf({ signal: AbortSignal.abort() }),
    );
    expect(outcome.runs).toMatchObject([{ outcome: 'skipped', reason: 'the client left' }]);
  });

  it('does not wait for the running plugin', async () => {
    const client = new AbortController();
    const outcome = await runOne(
      () => {
        queueMicrotask(() => client.abort());
        return new Promise(() => {});
      },
      {},
      [user('hello')],
      contextOf({ signal: client.signal }),
    );
    expect(outcome.runs).toMatchObject([{ outcome: 'skipped', reason: 'the client left while it ran' }]);
  });
});
