import { describe, expect, it } from 'vitest';
import { STREAM_END, streamChunk, streamHead } from '../../../test/support/pipeline.js';
import { forwarded, watching } from '../../../test/support/response-stage.js';
import type { Plugin, WindowResult } from '../../plugins/contract/plugin.js';

/** A guard that lets everything pass, but only once it is told to. */
function slowGuard() {
  const waiting: (() => void)[] = [];
  const plugin: Plugin<unknown> = {
    ...watching,
    responseWindow: () =>
      new Promise<WindowResult>((resolve) => waiting.push(() => resolve({ action: 'pass' }))),
  };
  return { plugin, waiting };
}

const masking: Plugin<unknown> = {
  ...watching,
  responseWindow: ({ text }) => ({
    action: 'replace',
    spans: [...text.matchAll(/bad/g)].map(({ index }) => ({
      start: index,
      end: index + 3,
      replacement: '#',
    })),
  }),
};

/** The text of the stream as the client reads it. */
function textIn(stream: string): string {
  return [...stream.matchAll(/"content":"([^"]*)"/g)].map(([, text]) => text).join('');
}

describe('a chunk of a stream that waits for nothing', () => {
  it.each<[string, Plugin<unknown>[], string]>([
    ['without a guard', [], 'one two bad words'],
    ['behind a guard that answers at once', [watching], 'one two'],
    ['behind a guard that replaces some of it', [masking], 'one two # words'],
  ])('is sent in the turn in which it came, %s', async (_case, plugins, expected) => {
    const { stage, outlet } = await forwarded({ plugins });
    await stage.onHead(streamHead());
    const words = plugins.includes(watching)
      ? ['one ', 'two ', 'good ', 'words']
      : ['one ', 'two ', 'bad ', 'words'];
    for (const word of [...words, ' and more', ' to look at'])
      expect(stage.onChunk(streamChunk(word))).toBeUndefined();
    expect(textIn(outlet.text)).toContain(expected);
  });

  it('may hold several frames, and a part of one', async () => {
    const { stage, outlet } = await forwarded();
    await stage.onHead(streamHead());
    const bytes = Buffer.concat(['a', 'b', 'c', 'd'].map((text) => streamChunk(text)));
    expect(stage.onChunk(bytes.subarray(0, 250))).toBeUndefined();
    expect(textIn(outlet.text)).toMatch(/^ab+c?$/);
    expect(stage.onChunk(bytes.subarray(250))).toBeUndefined();
    expect(textIn(outlet.text)).toBe('abcd');
  });

  it('makes the client wait for the log only at the end of the stream', async () => {
    const { stage, outlet, pipeline } = await forwarded();
    await stage.onHead(streamHead());
    expect(stage.onChunk(streamChunk('yes', 'stop'))).toBeUndefined();
    const ending = stage.onChunk(STREAM_END);
    expect(outlet.text).not.toContain('[DONE]');
    await ending;
    expect(outlet.text).toContain('[DONE]');
    expect(pipeline.records).toHaveLength(1);
  });
});

describe('a chunk of a stream behind a guard that takes its time', () => {
  it('is sent once the guard has answered, and its error ends the stream then', async () => {
    const { plugin, waiting } = slowGuard();
    const { stage, outlet, record } = await forwarded({ plugins: [plugin] });
    await stage.onHead(streamHead());
    const pending = stage.onChunk(streamChunk('one two three'));
    expect([outlet.text, waiting.length]).toEqual(['', 1]);
    waiting.shift()!();
    await pending;
    expect(textIn(outlet.text)).toBe('');
    const ending = stage.onChunk(Buffer.from('data: [DONE]\n\n'));
    waiting.shift()!();
    await ending;
    expect(textIn(outlet.text)).toBe('one two three');
    expect(record().status).toBe('success');
  });

  it('is dropped where the client has left meanwhile', async () => {
    const { plugin, waiting } = slowGuard();
    const { stage, outlet, record } = await forwarded({ plugins: [plugin] });
    await stage.onHead(streamHead());
    const pending = stage.onChunk(streamChunk('one two three'));
    await stage.onClose('client');
    waiting.shift()!();
    await pending;
    expect(outlet.text).toBe('');
    expect(record().status).toBe('aborted');
  });
});
