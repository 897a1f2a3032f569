import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import {
  completion,
  jsonHead,
  type PipelineOptions,
  STREAM_END,
  streamChunk,
  streamHead,
} from '../../../test/support/pipeline.js';
import { pluginEntry } from '../../../test/support/plugin-host.js';
import { forwarded, watching } from '../../../test/support/response-stage.js';
import type { Plugin } from '../../plugins/contract/plugin.js';
import type { WholeAnswer } from '../exchange/whole-answer.js';
import { composeWhole } from './compose.js';

describe('an answer that a guard is to see', () => {
  const BODY = completion('a bad word').toString();
  const deep = `${'['.repeat(1_001)}1${']'.repeat(1_001)}`;
  const asRejecting = (plugin: Plugin<unknown>) => ({
    plugins: [plugin],
    endpoint: { plugins: [pluginEntry(plugin.name, { on_error: 'reject' })] },
  });
  /** Finds `bad` in every text of an answer. */
  const looking: Plugin<unknown> = {
    name: 'looking',
    configSchema: {},
    response: ({ choices }) =>
      JSON.stringify(choices).includes('bad')
        ? { action: 'reject', message: 'No.', code: 'not_this' }
        : { action: 'pass' },
  };
  const answered = async (
    options: PipelineOptions,
    body: string | Buffer,
    headers: Record<string, string> = {},
  ) => {
    const test = await forwarded(options);
    await test.stage.onHead(jsonHead(200, headers));
    await test.stage.onChunk(Buffer.from(body));
    await test.stage.onEnd();
    return test;
  };

  it.each<[string, string | Buffer, Record<string, string>?]>([
    ['behind a byte order mark', `\ufeff${BODY}`],
    ['as the text of a server of the older API', '{"id":"a","choices":[{"index":0,"text":"a bad word"}]}'],
    ['in no encoding, so named', BODY, { 'content-encoding': 'none' }],
    ['packed twice', gzipSync(gzipSync(BODY)), { 'content-encoding': 'gzip, gzip' }],
  ])('is parsed %s', async (_name, body, headers) => {
    const { outlet, record } = await answered(asRejecting(looking), body, headers);
    expect([outlet.status, outlet.json.error.code]).toEqual([400, 'not_this']);
    expect(JSON.stringify(record())).not.toContain('bad word');
  });

  it.each<[string, string, Record<string, string>?]>([
    ['nests too deep', `{"extra":${deep},${BODY.slice(1)}`],
    ['is in an encoding that nobody knows', BODY, { 'content-encoding': 'aes' }],
    ['is a list around an answer', `[${BODY}]`],
    ['is of no known shape', '{"answer":"a bad word"}'],
    ['is not JSON', 'a bad word'],
  ])('causes an error of the guard where it %s', async (_name, body, headers) => {
    const { outlet, record } = await answered(asRejecting(looking), body, headers);
    expect([outlet.status, outlet.json.error.code]).toEqual([503, 'plugin_failed']);
    expect(record().plugin_runs).toMatchObject([
      { plugin: 'looking', phase: 'response', outcome: 'error', reason: 'the answer cannot be read' },
    ]);
    expect(JSON.stringify(record())).not.toContain('bad word');
    const open = await answered({ plugins: [looking] }, body, headers);
    expect([open.outlet.status, open.outlet.text]).toEqual([200, body]);
    expect(open.record()).toMatchObject({ response: null, plugin_runs: [{ outcome: 'error' }] });
    const full = await answered({ plugins: [looking], endpoint: { log_content: 'full' } }, body, headers);
    expect(JSON.stringify(full.record().response)).toContain('bad word');
  });

  it('causes an error of the guard where it has more values than are read', async () => {
    const body = `{"extra":[${'0,'.repeat(3_000_000)}0],${BODY.slice(1)}`;
    const limits = { response_body_bytes: 10_000_000, bodies_in_flight_bytes: 10_000_000 };
    const { outlet } = await answered({ ...asRejecting(looking), limits }, body);
    expect([outlet.status, outlet.json.error.code]).toEqual([503, 'plugin_failed']);
    const open = await answered({ plugins: [looking], limits }, body);
    expect(open.outlet.text === body).toBe(true);
    expect(open.record()).toMatchObject({ response: null, plugin_runs: [{ outcome: 'error' }] });
  });

  it('causes an error of the guard where it has more texts than plugins are shown', async () => {
    const parts = Array.from({ length: 200_001 }, () => ({ type: 'text' as const, text: 'bad' }));
    const whole: WholeAnswer = {
      kind: 'json',
      head: jsonHead(),
      document: { text: BODY, value: JSON.parse(BODY) },
      answer: { id: 'a', model: 'large', choices: [{ index: 0, parts, finishReason: 'stop' }] },
    };
    const composed = async (options: PipelineOptions) => {
      const { exchange, pipeline } = await forwarded(options);
      return composeWhole(exchange, whole, undefined, pipeline.services);
    };
    await expect(composed(asRejecting(looking))).rejects.toMatchObject({ code: 'plugin_failed' });
    const { body, ending } = await composed({ plugins: [looking] });
    expect(body.toString()).toBe(BODY);
    expect(ending).toMatchObject({ status: 'success', response: null });
  });

  it('keeps only the last of repeated keys, which is the one that the guard saw', async () => {
    const good = completion('yes').toString();
    const { outlet } = await answered({ plugins: [looking] }, `${BODY.slice(0, -1)},${good.slice(1)}`);
    expect(outlet.json.choices[0].message.content).toBe('yes');
    expect(outlet.text).not.toContain('bad word');
  });

  it.each([
    ['no JSON', 'a bad word'],
    ['a list', `[${BODY}]`],
    ['too deep', `{"extra":${deep}}`],
  ])('causes an error of the guard where an event of its stream is %s', async (_name, data) => {
    for (const plugin of [watching, looking]) {
      const streamed = async (options: PipelineOptions) => {
        const test = await forwarded(options);
        await test.stage.onHead(streamHead());
        await test.stage.onChunk(Buffer.from(`data: ${data}\n\n`));
        await test.stage.onChunk(streamChunk('yes', 'stop'));
        await test.stage.onChunk(STREAM_END);
        await test.stage.onEnd();
        return test;
      };
      const { outlet, record } = await streamed(asRejecting(plugin));
      expect([outlet.status, outlet.json.error.code]).toEqual([503, 'plugin_failed']);
      expect(outlet.text).not.toContain('bad');
      expect(record().plugin_runs[0]).toMatchObject({ plugin: plugin.name, outcome: 'error' });
      const open = await streamed({ plugins: [plugin] });
      expect(open.outlet.text).toContain('yes');
      expect(open.record().plugin_runs[0]).toMatchObject({ outcome: 'error', reason: expect.any(String) });
    }
  });

  it('keeps only the last of repeated keys in an event of a stream', async () => {
    for (const plugin of [watching, looking]) {
      const { stage, outlet } = await forwarded({ plugins: [plugin] });
      await stage.onHead(streamHead());
      const chunk = streamChunk('yes', 'stop').toString().trim().slice('data: {'.length);
      await stage.onChunk(
        Buffer.from(`data: {"choices":[{"index":0,"delta":{"content":"bad"}}],${chunk}\n\n`),
      );
      await stage.onChunk(STREAM_END);
      await stage.onEnd();
      expect(outlet.text).toContain('yes');
      expect(outlet.text).not.toContain('bad');
    }
  });

  it('is checked over all pieces of a stream of the older API', async () => {
    const { stage, outlet } = await forwarded({ plugins: [watching] });
    await stage.onHead(streamHead());
    for (const text of ['well, b', 'a', 'd']) {
      await stage.onChunk(Buffer.from(`data: {"choices":[{"index":0,"text":"${text}"}]}\n\n`));
    }
    await stage.onChunk(STREAM_END);
    await stage.onEnd();
    expect(outlet.text).toContain('not_this');
    expect(outlet.text).not.toContain('b","a');
  });
});
