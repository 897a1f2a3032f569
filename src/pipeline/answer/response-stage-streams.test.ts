import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { STREAM_END, streamChunk, streamHead } from '../../../test/support/pipeline.js';
import { forwarded, softening, watching } from '../../../test/support/response-stage.js';
import { recover } from '../../core/pacing/maybe-promise.js';
import type { Plugin } from '../../plugins/contract/plugin.js';

describe('a stream', () => {
  it('is sent as it arrives, with its headers before its first piece', async () => {
    const { stage, outlet, exchange, record } = await forwarded();
    await stage.onHead(streamHead());
    expect(outlet.status).toBeUndefined();
    await stage.onChunk(streamChunk('yes').subarray(0, 5));
    await stage.onChunk(streamChunk('yes').subarray(5));
    expect([outlet.status, outlet.text]).toEqual([
      200,
      streamChunk('yes').toString().replace('{', `{"inference_log_id":"${exchange.id}",`),
    ]);
    expect(exchange.state).toBe('releasing');
    await stage.onChunk(streamChunk('', 'stop'));
    await stage.onChunk(STREAM_END);
    await stage.onEnd();
    expect(outlet.ended).toBe(true);
    expect(record()).toMatchObject({
      status: 'success',
      response: { choices: [{ message: { content: 'yes' } }] },
    });
  });

  it('is appended to the log before the client gets its end', async () => {
    const { stage, outlet, pipeline } = await forwarded();
    await stage.onHead(streamHead());
    await stage.onChunk(streamChunk('yes', 'stop'));
    expect(pipeline.records).toEqual([]);
    pipeline.services.sink.append = async (record) => {
      expect(outlet.text).not.toContain('[DONE]');
      pipeline.records.push(record);
    };
    await stage.onChunk(STREAM_END);
    expect(outlet.text).toContain('[DONE]');
    expect(pipeline.records).toHaveLength(1);
  });

  it('without an end marker is an error in the log', async () => {
    const { stage, outlet, record } = await forwarded();
    await stage.onHead(streamHead());
    await stage.onChunk(streamChunk('ye'));
    await stage.onEnd();
    expect(outlet.ended).toBe(true);
    expect(record()).toMatchObject({ status: 'error', attempts: [{ status: 'server_error' }] });
  });

  it('continues beyond the limit of held answers, and its log has only that much of it', async () => {
    const { stage, outlet, record } = await forwarded();
    await stage.onHead(streamHead());
    for (let sent = 0; sent < 20; sent++) await stage.onChunk(streamChunk('a'.repeat(1_000)));
    await stage.onChunk(STREAM_END);
    await stage.onEnd();
    expect(outlet.text.length).toBeGreaterThan(20_000);
    expect(record()).toMatchObject({ status: 'success', http_status: 200 });
    expect(JSON.stringify(record().response)).toMatch(/a{9000}"/);
  });

  it('ends with an error at that limit where a guard must keep what it saw', async () => {
    const { stage, outlet, record } = await forwarded({ plugins: [watching] });
    await stage.onHead(streamHead());
    for (let sent = 0; sent < 20 && !outlet.ended; sent++)
      await stage.onChunk(streamChunk('a'.repeat(1_000)));
    expect(outlet.text).toMatch(/"code":"upstream_unavailable"\}\}\n\n$/);
    expect(record()).toMatchObject({ status: 'error', http_status: 200 });
  });

  it('that falls silent ends with an error after its timeout', async () => {
    const { stage, outlet, pipeline, record } = await forwarded();
    expect(stage.timeLeft()).toBe(1_000);
    await stage.onHead(streamHead());
    pipeline.clock.pass(400);
    expect(stage.timeLeft()).toBe(600);
    await stage.onChunk(streamChunk('ye'));
    expect(stage.timeLeft()).toBe(300);
    pipeline.clock.pass(200);
    await stage.onChunk(Buffer.from(': still here\n\n'));
    // A comment says that the provider is at work.
    expect(stage.timeLeft()).toBe(300);
    pipeline.clock.pass(300);
    expect(stage.timeLeft()).toBe(0);
    await stage.onTimeout();
    expect(outlet.text).toMatch(/"code":"upstream_timeout"\}\}\n\n$/);
    expect(outlet.ended).toBe(true);
    expect(stage.timeLeft()).toBe(Number.POSITIVE_INFINITY);
    expect(record()).toMatchObject({ status: 'error', http_status: 200, attempts: [{ status: 'timeout' }] });
  });

  it('that is silent keeps its connection open, and so does one whose provider sends comments', async () => {
    const { stage, outlet, pipeline } = await forwarded({
      body: { stream: true },
      endpoint: { stream_idle_timeout_ms: 60_000, timeout_ms: 60_000 },
    });
    await stage.onHead(streamHead());
    await stage.onChunk(streamChunk('ye'));
    const before = outlet.text;
    expect(stage.timeLeft()).toBe(15_000);
    pipeline.clock.pass(15_000);
    await stage.onTimeout();
    expect(outlet.text).toBe(`${before}: keep-alive\n\n`);
    expect(stage.timeLeft()).toBe(15_000);
    pipeline.clock.pass(1_000);
    await stage.onChunk(Buffer.from(': at work\n\n'));
    expect(outlet.text).toBe(`${before}: keep-alive\n\n: keep-alive\n\n`);
    await stage.onChunk(streamChunk('s', 'stop'));
    await stage.onChunk(STREAM_END);
    await stage.onEnd();
    expect(outlet.text).toMatch(/data: \[DONE\]\n\n$/);
    expect(outlet.ended).toBe(true);
  });

  it('that its provider leaves open after its end marker is ended for the client, without an error', async () => {
    const { stage, outlet, pipeline, record } = await forwarded({
      endpoint: { stream_idle_timeout_ms: 60_000 },
    });
    await stage.onHead(streamHead());
    await stage.onChunk(streamChunk('yes', 'stop'));
    expect(stage.timeLeft()).toBe(60_000);
    await stage.onChunk(STREAM_END);
    expect([outlet.ended, stage.timeLeft()]).toEqual([false, 5_000]);
    pipeline.clock.pass(5_000);
    await stage.onTimeout();
    expect([outlet.ended, stage.timeLeft()]).toEqual([true, Number.POSITIVE_INFINITY]);
    expect(outlet.text).toMatch(/data: \[DONE\]\n\n$/);
    expect(record().status).toBe('success');
  });

  it.each([
    ['whose event nothing can follow', [streamChunk('yes', 'stop'), STREAM_END], 250],
    ['in a chunk with what came before', [Buffer.concat([streamChunk('yes', 'stop'), STREAM_END])], 250],
    ['behind which a comment came', [streamChunk('yes', 'stop'), STREAM_END, Buffer.from(': on\n\n')], 250],
    ['that is not its last event', [streamChunk('yes'), STREAM_END, streamChunk('', 'stop')], 5_000],
  ])(
    'that is held back, and left open after its end marker %s, is answered',
    async (_case, chunks, waits) => {
      const { stage, outlet, pipeline, record } = await forwarded({
        plugins: [softening],
        endpoint: { timeout_ms: 60_000, total_timeout_ms: 60_000 },
      });
      await stage.onHead(streamHead());
      for (const chunk of chunks) await stage.onChunk(chunk);
      for (let waited = 0; !outlet.ended && waited < waits; ) {
        const next = stage.timeLeft();
        pipeline.clock.pass(next);
        waited += next;
        await stage.onTimeout();
      }
      expect(outlet.text).toMatch(/"darn".*data: \[DONE\]\n\n/s);
      expect(stage.timeLeft()).toBe(Number.POSITIVE_INFINITY);
      expect(record().status).toBe('success');
    },
  );

  it('that is held back and has no end marker yet waits for its timeout', async () => {
    const { stage, outlet, pipeline, record } = await forwarded({
      plugins: [softening],
      endpoint: { timeout_ms: 60_000, total_timeout_ms: 60_000 },
    });
    await stage.onHead(streamHead());
    await stage.onChunk(streamChunk('yes', 'stop'));
    const waits: number[] = [];
    while (!outlet.ended) {
      waits.push(stage.timeLeft());
      pipeline.clock.pass(stage.timeLeft());
      await stage.onTimeout();
    }
    expect(waits).toEqual([250, 4_750, 55_000]);
    expect(record()).toMatchObject({ status: 'error', http_status: 504 });
  });

  it('with an error event has no text of the error in a log without content', async () => {
    const event = Buffer.from('data: {"error":{"message":"invalid input: my secret"}}\n\n');
    for (const plugins of [[], [softening]]) {
      const { stage, outlet, record } = await forwarded({ plugins, endpoint: { log_content: 'none' } });
      await stage.onHead(streamHead());
      await stage.onChunk(streamChunk('ye'));
      await stage.onChunk(event);
      await stage.onEnd();
      expect(outlet.text).toContain('my secret');
      expect(record()).toMatchObject({
        status: 'error',
        error: { message: 'The model reported an error in its stream.' },
      });
      expect(JSON.stringify(record())).not.toContain('secret');
    }
  });

  it('continues where an event arrived just before its timeout was handled', async () => {
    const { stage, outlet, pipeline, record } = await forwarded();
    await stage.onHead(streamHead());
    await stage.onChunk(streamChunk('ye'));
    pipeline.clock.pass(300);
    await stage.onChunk(streamChunk('s', 'stop'));
    await stage.onTimeout();
    expect(outlet.text).not.toContain('error');
    pipeline.clock.pass(300);
    await stage.onChunk(STREAM_END);
    await stage.onTimeout();
    await stage.onEnd();
    expect(outlet.text.endsWith('data: [DONE]\n\n')).toBe(true);
    expect(record()).toMatchObject({ status: 'success' });
  });

  it('of which nothing was sent yet ends with 504', async () => {
    const { stage, outlet, pipeline, record } = await forwarded();
    await stage.onHead(streamHead());
    pipeline.clock.pass(1_000);
    await stage.onTimeout();
    expect(outlet.status).toBe(504);
    expect(record()).toMatchObject({ http_status: 504, attempts: [{ status: 'timeout' }] });
  });

  it('that cannot be decompressed ends with an error, before or after its first piece', async () => {
    const head = streamHead({ 'content-encoding': 'gzip' });
    const before = await forwarded();
    await before.stage.onHead(head);
    await before.stage.onChunk(Buffer.from('no gzip'));
    expect(before.outlet.status).toBe(502);
    const after = await forwarded();
    await after.stage.onHead(head);
    await after.stage.onChunk(gzipSync(streamChunk('ye')).subarray(0, -8));
    expect(after.outlet.text).toContain('"ye"');
    await after.stage.onChunk(Buffer.from('garbage garbage'));
    expect(after.outlet.text).toMatch(/"code":"upstream_unavailable"\}\}\n\n$/);
    for (const { record } of [before, after]) expect(record().attempts[0]!.status).toBe('server_error');
  });

  it('in an unknown encoding is 502', async () => {
    const { stage, outlet, record } = await forwarded();
    await recover(
      () => stage.onHead(streamHead({ 'content-encoding': 'zstd9' })),
      (error) => stage.fail(error),
    );
    expect(outlet.status).toBe(502);
    expect(record().attempts[0]!.status).toBe('server_error');
  });
});

interface Choice {
  message: { content: string };
}

describe('a guarded stream', () => {
  it('that is rejected before any text was sent is an answer with the status of the rejection', async () => {
    const { stage, outlet, record } = await forwarded({ plugins: [watching] });
    await stage.onHead(streamHead());
    await stage.onChunk(streamChunk('all bad here'));
    expect([outlet.status, outlet.json.error.code]).toEqual([400, 'not_this']);
    expect(record()).toMatchObject({
      status: 'rejected',
      http_status: 400,
      attempts: [{ status: 'success' }],
    });
  });

  it.each<[string, Plugin<unknown>['responseWindow'], string, string | undefined]>([
    ['as it came', () => ({ action: 'pass' }), 'too bad', undefined],
    [
      'otherwise',
      ({ text }) => {
        const start = text.indexOf('bad');
        return { action: 'replace', spans: [{ start, end: start + 3, replacement: 'good' }] };
      },
      'too bad',
      'too good',
    ],
  ])(
    'that was sent %s has the sent text in its full log, where that differs',
    async (_case, look, came, went) => {
      const plugin: Plugin<unknown> = { ...watching, responseWindow: look };
      const { stage, record } = await forwarded({ plugins: [plugin], endpoint: { log_content: 'full' } });
      await stage.onHead(streamHead());
      await stage.onChunk(streamChunk(came));
      await stage.onChunk(Buffer.from('data: [DONE]\n\n'));
      await stage.onEnd();
      const said = (body: unknown) =>
        (body as { choices: Choice[] } | undefined)?.choices[0]?.message.content;
      expect([said(record().response), said(record().client_response)]).toEqual([came, went]);
    },
  );

  it('that is rejected after some text was sent ends with the error', async () => {
    const { stage, outlet, record } = await forwarded({ plugins: [watching] });
    await stage.onHead(streamHead());
    for (const text of ['good', ' and', ' long', ' words', ' then', ' bad', ' and more to look at it'])
      await stage.onChunk(streamChunk(text));
    expect(outlet.text).toContain('good');
    expect(outlet.text).not.toContain('bad');
    expect(outlet.text).toMatch(/"code":"not_this"\}\}\n\n$/);
    expect(record()).toMatchObject({ status: 'rejected', http_status: 200 });
  });

  it('hides a credential of its provider where a frame contains it', async () => {
    const { stage, outlet, attempt, record } = await forwarded();
    const [secret] = attempt.secrets;
    await stage.onHead(streamHead());
    for (const text of ['a', 'b', `my key is ${secret}.`, 'c']) await stage.onChunk(streamChunk(text));
    await stage.onChunk(STREAM_END);
    await stage.onEnd();
    expect(outlet.text).toContain('my key is [redacted].');
    for (const told of [outlet.text, JSON.stringify(record())]) expect(told).not.toContain(secret);
    expect(record()).toMatchObject({ status: 'success' });
  });

  it('ends where its text contains a credential in pieces, before more than half of it was sent', async () => {
    const { stage, outlet, attempt, record } = await forwarded();
    const secret = attempt.secrets[0]!;
    await stage.onHead(streamHead());
    for (const letter of secret) if (!outlet.ended) await stage.onChunk(streamChunk(letter));
    expect(outlet.text).toContain('it repeats a credential of its provider');
    const said = outlet.text.match(/"content":"."/g)!.length;
    expect(said).toBeLessThanOrEqual(secret.length / 2);
    expect(record()).toMatchObject({ status: 'error' });
  });
});
