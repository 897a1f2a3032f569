import { describe, expect, it } from 'vitest';
import { pluginEntry, preparePlugins } from '../../../../test/support/plugin-host.js';
import type { Channel } from '../../../core/answer.js';
import type { PluginEntry } from '../../../core/settings.js';
import { textOf } from '../../../core/texts/text-pieces.js';
import type { Plugin, WindowInput } from '../../contract/plugin.js';

const text: Channel = { kind: 'text', choice: 0, part: 0 };

function open(
  plugins: { name?: string; window: number; look: (input: WindowInput<unknown>) => unknown }[],
  more: Partial<PluginEntry> = {},
) {
  const made = plugins.map(({ name = 'guard', window, look }): Plugin<unknown> => {
    // The result is what a plugin in JavaScript might return.
    return {
      name,
      configSchema: {},
      stream: { window },
      responseWindow: look as Plugin<unknown>['responseWindow'],
    };
  });
  const entries = made.map(({ name }) => pluginEntry(name, { timeout_ms: 1_000, ...more }));
  const prepared = preparePlugins(made, entries);
  const signal = new AbortController().signal;
  return prepared.host.openStreamGuard(prepared.plugins, {
    requestId: 'l',
    endpoint: 'e',
    metadata: {},
    headers: {},
    signal,
  });
}

/** Replaces what the pattern finds. */
function masking(pattern: RegExp) {
  return ({ text }: WindowInput<unknown>) => ({
    action: 'replace',
    spans: [...text.matchAll(pattern)].map((match) => {
      return { start: match.index, end: match.index + match[0].length, replacement: '#' };
    }),
    findings: [...text.matchAll(pattern)].map((match) => {
      return { type: 'X', start: match.index, end: match.index + match[0].length, score: 1 };
    }),
  });
}

async function released(step: ReturnType<ReturnType<typeof open>['push']>): Promise<string> {
  const done = await step;
  return 'rejection' in done ? `rejected: ${done.rejection.code}` : textOf(done.pieces);
}

describe('a guard of a stream', () => {
  it('is not called before any text could be sent, and then sees the text from before', () => {
    const seen: Partial<WindowInput<unknown>>[] = [];
    const guard = open([
      {
        window: 4,
        look: ({ text, released, settled, final, kind }) => {
          seen.push({ text, released, settled, final, kind });
          return { action: 'pass' };
        },
      },
    ]);
    guard.push(text, 'abcd');
    guard.push(text, 'ef');
    guard.push(text, 'ghij');
    guard.flush(text);
    guard.flush(text);
    expect(seen).toEqual([
      { text: 'abcdef', released: 0, settled: 2, final: false, kind: 'text' },
      { text: 'abcdefghij', released: 2, settled: 6, final: false, kind: 'text' },
      { text: 'cdefghij', released: 4, settled: 8, final: true, kind: 'text' },
    ]);
  });

  it('says how much text of a channel it collects before it calls a plugin', () => {
    const calls: string[] = [];
    const look = ({ text }: WindowInput<unknown>) => {
      calls.push(text);
      return { action: 'pass' };
    };
    const guard = open([{ window: 4, look }]);
    const other: Channel = { kind: 'text', choice: 1, part: 0 };
    for (const piece of ['ab', 'c', 'def', 'ghi', 'j', 'klm']) {
      const collected = guard.collects(text);
      const before = calls.length;
      guard.push(text, piece);
      expect(calls.length > before, piece).toBe(piece.length >= collected);
    }
    expect(calls).toHaveLength(2);
    expect(guard.collects(other)).toBe(5);
  });

  it('collects nothing for a plugin that has failed, but for the one behind it', () => {
    const failing = () => {
      throw new Error('broken');
    };
    const alone = open([{ window: 4, look: failing }]);
    alone.push(text, 'abcdefgh');
    expect(alone.collects(text)).toBe(0);
    const both = open([
      { name: 'first', window: 4, look: failing },
      { name: 'second', window: 20, look: () => ({ action: 'pass' }) },
    ]);
    both.push(text, 'abcdefgh');
    expect(both.collects(text)).toBe(22 - 8);
  });

  it('holds back a finding as a whole until it is settled', async () => {
    const guard = open([{ window: 3, look: masking(/b+/g) }]);
    expect(await released(guard.push(text, 'aabbbb'))).toBe('aa');
    expect(await released(guard.push(text, 'bb'))).toBe('');
    expect(await released(guard.push(text, 'cccc'))).toBe('#c');
    expect(await released(guard.flush(text))).toBe('ccc');
    expect(guard.finish().runs).toMatchObject([
      {
        outcome: 'modified',
        findings: [{ type: 'X', place: '/0/parts/0/text', start: 2, end: 8, score: 1 }],
      },
    ]);
  });

  it('holds back what the plugin is not sure of', async () => {
    const guard = open([
      { window: 2, look: ({ text }) => ({ action: 'pass', keepFrom: text.lastIndexOf('(') }) },
    ]);
    expect(await released(guard.push(text, 'one (two th'))).toBe('one ');
    expect(await released(guard.push(text, 'ree'))).toBe('');
    expect(await released(guard.flush(text))).toBe('(two three');
  });

  it('is not blocked by a finding without end: what has come of it is replaced', async () => {
    const guard = open([{ window: 10, look: masking(/b+/g) }]);
    let out = '';
    let longest = 0;
    let pushed = 0;
    for (let i = 0; i < 1_000; i++) {
      const step = await guard.push(text, 'b'.repeat(50));
      if ('rejection' in step) throw step.rejection;
      out += textOf(step.pieces);
      pushed += 50;
      longest = Math.max(longest, pushed - step.pieces.reduce((sum, piece) => sum + piece.source, 0));
      pushed -= step.pieces.reduce((sum, piece) => sum + piece.source, 0);
    }
    out += await released(guard.push(text, ' end'));
    out += await released(guard.flush(text));
    expect(out).toBe('# end');
    expect(longest).toBeLessThan(5_000);
  });

  it('does not split the halves of a character', async () => {
    const guard = open([{ window: 1, look: () => ({ action: 'pass' }) }]);
    expect(await released(guard.push(text, 'a😀'))).toBe('a');
    expect(await released(guard.push(text, 'bc'))).toBe('😀b');
  });

  it('still sees a text that continues after it was treated as ended', async () => {
    const guard = open([{ window: 20, look: masking(/anna@a\.org/g) }]);
    guard.push(text, 'to anna@');
    expect(await released(guard.flush(text))).toBe('to anna@');
    guard.push(text, 'a.org now');
    expect(await released(guard.flush(text))).toBe('# now');
  });

  it('shows the second guard what the first one let pass', async () => {
    const guard = open([
      { name: 'one', window: 3, look: masking(/a+/g) },
      { name: 'two', window: 3, look: masking(/#x/g) },
    ]);
    expect(await released(guard.push(text, '-aaaax-'))).toBe('');
    expect(await released(guard.flush(text))).toBe('-#-');
  });

  it.each([
    [
      'throws',
      () => {
        throw new Error('no');
      },
      'error',
    ],
    [
      'gives spans out of order',
      () => ({
        action: 'replace',
        spans: [
          { start: 2, end: 3, replacement: '' },
          { start: 1, end: 2, replacement: '' },
        ],
      }),
      'error',
    ],
    [
      'gives spans out of the text',
      () => ({ action: 'replace', spans: [{ start: 0, end: 99, replacement: '' }] }),
      'error',
    ],
    [
      'gives an empty span',
      () => ({ action: 'replace', spans: [{ start: 1, end: 1, replacement: 'x' }] }),
      'error',
    ],
    ['gives no action', () => ({}), 'error'],
    ['stalls', () => new Promise(() => {}), 'timeout'],
  ])('is stopped for the rest of the stream when it %s', async (_, look, outcome) => {
    let calls = 0;
    const counted = () => {
      calls++;
      return look();
    };
    const open_ = open([{ window: 2, look: counted }], { timeout_ms: 5 });
    expect(await released(open_.push(text, 'abcdef'))).toBe('abcdef');
    expect(await released(open_.push(text, 'ghi'))).toBe('ghi');
    expect(calls).toBe(1);
    expect(open_.finish().runs).toMatchObject([{ outcome }]);

    const closed = open([{ window: 2, look }], { timeout_ms: 5, on_error: 'reject' });
    expect(await released(closed.push(text, 'abcdef'))).toBe('rejected: plugin_failed');
    expect(closed.finish().runs).toMatchObject([{ outcome }]);
  });

  it('reports the result of each plugin when the stream ends early', () => {
    const guard = open([
      { name: 'one', window: 2, look: () => ({ action: 'reject', message: 'No.' }) },
      { name: 'two', window: 2, look: () => ({ action: 'pass' }) },
    ]);
    guard.push(text, 'abcdef');
    expect(guard.finish('it was rejected').runs).toMatchObject([
      { plugin: 'one', outcome: 'rejected' },
      { plugin: 'two', outcome: 'skipped', reason: 'it was rejected' },
    ]);
  });
});
