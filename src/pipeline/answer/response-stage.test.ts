import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import {
  completion,
  jsonHead,
  type PipelineOptions,
  requestBody,
  STREAM_END,
  streamChunk,
  streamHead,
  TestOutlet,
  TestPipeline,
} from '../../../test/support/pipeline.js';
import type { Plugin } from '../../plugins/plugin.js';
import { receive } from '../request/receive.js';
import { composeWhole } from './compose.js';
import { ResponseStage } from './response-stage.js';
import type { WholeAnswer } from './whole-answer.js';

/** A stage whose one try was forwarded. */
async function forwarded(options: PipelineOptions & { body?: object } = {}) {
  const pipeline = new TestPipeline(options);
  const exchange = pipeline.exchange();
  await receive(exchange, requestBody(options.body), pipeline.services);
  const { attempt } = pipeline.attempt(exchange);
  const outlet = new TestOutlet();
  const stage = new ResponseStage(exchange, pipeline.services, outlet);
  const record = () => {
    expect(pipeline.records).toHaveLength(1);
    return pipeline.records[0]!;
  };
  return { pipeline, exchange, attempt, outlet, stage, record };
}

const rejecting: Plugin<unknown> = {
  name: 'rejecting',
  configSchema: {},
  response: () => ({ action: 'reject', message: 'No.', code: 'not_this' }),
};
const softening: Plugin<unknown> = {
  name: 'softening',
  configSchema: {},
  response: ({ choices }) => ({
    action: 'modify',
    content: choices.map((choice) => ({
      ...choice,
      parts: choice.parts.map((part) => ('text' in part ? { ...part, text: 'darn' } : part)),
    })),
  }),
};
/** Lets text go behind 4 units, and rejects at `bad`. */
interface Choice {
  message: { content: string };
}

const watching: Plugin<unknown> = {
  name: 'watching',
  configSchema: {},
  stream: { window: 4 },
  responseWindow: ({ text }) =>
    text.includes('bad') ? { action: 'reject', message: 'No.', code: 'not_this' } : { action: 'pass' },
};

describe('a whole answer', () => {
  it('is held until it is whole, and goes out with our headers', async () => {
    const { stage, outlet, exchange, record } = await forwarded();
    await stage.onHead(jsonHead(200, { 'x-request-id': 'r' }));
    const body = completion('yes');
    await stage.onChunk(body.subarray(0, 10));
    await stage.onChunk(body.subarray(10));
    expect(outlet.status).toBeUndefined();
    await stage.onEnd();
    expect(outlet).toMatchObject({
      status: 200,
      headers: {
        'content-type': 'application/json',
        'x-inference-log-id': exchange.id,
        'x-sluice-model': 'local/large',
        'x-sluice-attempts': '1',
      },
      ended: true,
    });
    expect(outlet.removed).toContain('content-encoding');
    expect(outlet.json).toMatchObject({
      inference_log_id: exchange.id,
      choices: [{ message: { content: 'yes' } }],
    });
    expect(record()).toMatchObject({
      status: 'success',
      model: 'local/large',
      attempts: [{ status: 'success' }],
    });
  });

  it('is appended to the log before any of it goes out', async () => {
    const { stage, outlet, pipeline } = await forwarded();
    const order: string[] = [];
    pipeline.services.sink.append = async () => void order.push('log');
    outlet.head = () => void order.push('head');
    outlet.body = () => void order.push('body');
    outlet.end = () => void order.push('end');
    await stage.onHead(jsonHead());
    await stage.onChunk(completion('yes'));
    await stage.onEnd();
    expect(order).toEqual(['log', 'head', 'end']);
  });

  it('is 503 where its log finds no room', async () => {
    const { stage, outlet, pipeline } = await forwarded();
    await stage.onHead(jsonHead());
    await stage.onChunk(completion('yes'));
    pipeline.full = true;
    await stage.onEnd();
    expect([outlet.status, outlet.json.error.code]).toEqual([503, 'spool_full']);
  });

  it("has no words of its provider's error in a log without content, and no end of long ones in another", async () => {
    const words = `invalid input: ${'my secret '.repeat(1_000)}`;
    const body = JSON.stringify({ error: { message: words, code: 'x'.repeat(5_000) } });
    const failed = async (log_content: 'none' | 'masked') => {
      const { stage, outlet, record } = await forwarded({
        endpoint: { log_content },
        limits: { response_body_bytes: 100_000 },
      });
      await stage.onHead(jsonHead(400));
      await stage.onChunk(Buffer.from(body));
      await stage.onEnd();
      expect(outlet.text).toBe(body);
      return record();
    };
    const without = await failed('none');
    expect(without).toMatchObject({
      response: null,
      attempts: [{ error: { message: 'The model answered with status 400.' } }],
    });
    expect(JSON.stringify(without)).not.toContain('secret');
    const { attempts, error } = await failed('masked');
    expect(error?.message).toContain('my secret');
    expect(error).toEqual({ code: `${'x'.repeat(256)}…`, message: attempts[0]?.error?.message });
    expect(error?.message.length).toBeLessThan(5_000);
  });

  it("with an error of the provider's goes out as it came", async () => {
    const { stage, outlet, record } = await forwarded();
    await stage.onHead(jsonHead(429, { 'retry-after': '3' }));
    await stage.onChunk(Buffer.from('{"error":{"message":"slow down"}, "x":1.0}'));
    await stage.onEnd();
    expect([outlet.status, outlet.text]).toEqual([429, '{"error":{"message":"slow down"}, "x":1.0}']);
    expect(outlet.headers['x-sluice-model']).toBeUndefined();
    expect(record()).toMatchObject({
      status: 'error',
      http_status: 429,
      attempts: [{ status: 'rate_limited' }],
    });
  });

  it.each([
    ['cluster_not_found', 502, 'connect'],
    ['upstream_reset_before_response_started{connection_termination}', 502, 'server_error'],
    ['response_timeout', 504, 'timeout'],
  ])("that Envoy gave in the provider's place is ours: %s", async (localReason, status, reason) => {
    const { stage, outlet, record } = await forwarded();
    await stage.onHead({ status: 503, headers: {}, localReason });
    await stage.onChunk(Buffer.from('upstream connect error'));
    await stage.onEnd();
    expect(outlet.status).toBe(status);
    expect(record()).toMatchObject({ status: 'error', http_status: status, attempts: [{ status: reason }] });
  });

  it('that a plugin changed says the old text nowhere, not in token probabilities either', async () => {
    const { stage, outlet } = await forwarded({ plugins: [softening] });
    await stage.onHead(jsonHead());
    const body = JSON.parse(completion('damn').toString());
    body.choices[0].logprobs = { content: [{ token: 'damn', logprob: -0.1 }] };
    body.choices[0].message.reasoning = 'damn';
    await stage.onChunk(Buffer.from(JSON.stringify(body)));
    await stage.onEnd();
    expect(outlet.json.choices[0].message.content).toBe('darn');
    expect(outlet.text).not.toContain('damn');
  });

  it('that a plugin rejects is not shown, and is blank in the log', async () => {
    const { stage, outlet, record } = await forwarded({ plugins: [rejecting] });
    await stage.onHead(jsonHead());
    await stage.onChunk(completion('bad words'));
    await stage.onEnd();
    expect([outlet.status, outlet.json.error]).toEqual([400, expect.objectContaining({ code: 'not_this' })]);
    expect(record()).toMatchObject({
      status: 'rejected',
      attempts: [{ status: 'success' }],
      plugin_runs: [{ plugin: 'rejecting', phase: 'response', outcome: 'rejected' }],
    });
    expect(JSON.stringify(record())).not.toContain('bad words');
  });

  it('over the limit is 502', async () => {
    const { stage, outlet, record } = await forwarded();
    await stage.onHead(jsonHead());
    await stage.onChunk(Buffer.alloc(10_001));
    await stage.onChunk(Buffer.alloc(10));
    await stage.onEnd();
    expect([outlet.status, outlet.json.error.code]).toEqual([502, 'upstream_unavailable']);
    expect(record()).toMatchObject({ status: 'error', attempts: [{ status: 'server_error' }] });
  });
});

describe('an answer that a guard is to see', () => {
  const BODY = completion('a bad word').toString();
  const deep = `${'['.repeat(1_001)}1${']'.repeat(1_001)}`;
  const asRejecting = (plugin: Plugin<unknown>) => ({
    plugins: [plugin],
    endpoint: {
      plugins: [
        {
          plugin: plugin.name,
          phases: [],
          config: {},
          timeout_ms: 1_000,
          on_error: 'reject' as const,
          isolate: false,
          mode: 'enforce' as const,
          sample: 1,
        },
      ],
    },
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
  ])('is read %s', async (_name, body, headers) => {
    const { outlet, record } = await answered(asRejecting(looking), body, headers);
    expect([outlet.status, outlet.json.error.code]).toEqual([400, 'not_this']);
    expect(JSON.stringify(record())).not.toContain('bad word');
  });

  it.each<[string, string, Record<string, string>?]>([
    ['nests too deep', `{"extra":${deep},${BODY.slice(1)}`],
    ['is in an encoding that nobody knows', BODY, { 'content-encoding': 'aes' }],
    ['is a list around an answer', `[${BODY}]`],
    ['is of no known shape', '{"answer":"a bad word"}'],
    ['is no JSON', 'a bad word'],
  ])('and that %s is the error of that guard', async (_name, body, headers) => {
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

  it('and that has more values than are read is the error of that guard', async () => {
    const body = `{"extra":[${'0,'.repeat(3_000_000)}0],${BODY.slice(1)}`;
    const limits = { response_body_bytes: 10_000_000, bodies_in_flight_bytes: 10_000_000 };
    const { outlet } = await answered({ ...asRejecting(looking), limits }, body);
    expect([outlet.status, outlet.json.error.code]).toEqual([503, 'plugin_failed']);
    const open = await answered({ plugins: [looking], limits }, body);
    expect(open.outlet.text === body).toBe(true);
    expect(open.record()).toMatchObject({ response: null, plugin_runs: [{ outcome: 'error' }] });
  });

  it('and that has more texts than plugins are shown is the error of that guard', async () => {
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

  it('says nothing twice: the guard saw only the last', async () => {
    const good = completion('yes').toString();
    const { outlet } = await answered({ plugins: [looking] }, `${BODY.slice(0, -1)},${good.slice(1)}`);
    expect(outlet.json.choices[0].message.content).toBe('yes');
    expect(outlet.text).not.toContain('bad word');
  });

  it.each([
    ['no JSON', 'a bad word'],
    ['a list', `[${BODY}]`],
    ['too deep', `{"extra":${deep}}`],
  ])('as a stream with an event that is %s is the error of that guard', async (_name, data) => {
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

  it('as a stream says nothing twice in one event', async () => {
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

  it('as a stream of the older API is guarded over all of its pieces', async () => {
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

describe('a stream', () => {
  it('goes out as it comes, its head with its first piece', async () => {
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

  it('that ends without an end of its own is an error in the log', async () => {
    const { stage, outlet, record } = await forwarded();
    await stage.onHead(streamHead());
    await stage.onChunk(streamChunk('ye'));
    await stage.onEnd();
    expect(outlet.ended).toBe(true);
    expect(record()).toMatchObject({ status: 'error', attempts: [{ status: 'server_error' }] });
  });

  it('goes on over the limit of held answers, and its log keeps as much as that', async () => {
    const { stage, outlet, record } = await forwarded();
    await stage.onHead(streamHead());
    for (let sent = 0; sent < 20; sent++) await stage.onChunk(streamChunk('a'.repeat(1_000)));
    await stage.onChunk(STREAM_END);
    await stage.onEnd();
    expect(outlet.text.length).toBeGreaterThan(20_000);
    expect(record()).toMatchObject({ status: 'success', http_status: 200 });
    expect(JSON.stringify(record().response)).toMatch(/a{9000}"/);
  });

  it('ends with an error there where a guard has to keep what it saw', async () => {
    const { stage, outlet, record } = await forwarded({ plugins: [watching] });
    await stage.onHead(streamHead());
    for (let sent = 0; sent < 20 && !outlet.ended; sent++)
      await stage.onChunk(streamChunk('a'.repeat(1_000)));
    expect(outlet.text).toMatch(/"code":"upstream_unavailable"\}\}\n\n$/);
    expect(record()).toMatchObject({ status: 'error', http_status: 200 });
  });

  it('that falls silent ends with an error, in its time', async () => {
    const { stage, outlet, pipeline, record } = await forwarded();
    expect(stage.timeLeft()).toBe(1_000);
    await stage.onHead(streamHead());
    pipeline.clock.pass(400);
    expect(stage.timeLeft()).toBe(600);
    await stage.onChunk(streamChunk('ye'));
    expect(stage.timeLeft()).toBe(300);
    pipeline.clock.pass(200);
    await stage.onChunk(Buffer.from(': still here\n\n'));
    expect(stage.timeLeft()).toBe(100);
    pipeline.clock.pass(100);
    expect(stage.timeLeft()).toBe(0);
    await stage.onTimeout();
    expect(outlet.text).toMatch(/"code":"upstream_timeout"\}\}\n\n$/);
    expect(outlet.ended).toBe(true);
    expect(stage.timeLeft()).toBe(Number.POSITIVE_INFINITY);
    expect(record()).toMatchObject({ status: 'error', http_status: 200, attempts: [{ status: 'timeout' }] });
  });

  it('with an error event has no words of it in a log without content', async () => {
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
        error: { message: 'The model told an error in its stream.' },
      });
      expect(JSON.stringify(record())).not.toContain('secret');
    }
  });

  it('goes on where an event came before its timeout was told', async () => {
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

  it('of which nothing was released ends with 504', async () => {
    const { stage, outlet, pipeline, record } = await forwarded();
    await stage.onHead(streamHead());
    pipeline.clock.pass(1_000);
    await stage.onTimeout();
    expect(outlet.status).toBe(504);
    expect(record()).toMatchObject({ http_status: 504, attempts: [{ status: 'timeout' }] });
  });

  it('that cannot be unpacked ends with an error, before or after its first piece', async () => {
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

  it('in an encoding that nobody knows is 502', async () => {
    const { stage, outlet, record } = await forwarded();
    await stage.onHead(streamHead({ 'content-encoding': 'zstd9' })).catch((error) => stage.fail(error));
    expect(outlet.status).toBe(502);
    expect(record().attempts[0]!.status).toBe('server_error');
  });
});

describe('a guarded stream', () => {
  it('that is rejected before any text went out is an answer with the status of the rejection', async () => {
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
  ])('that went on %s has what went in its full log, where that differs', async (_case, look, came, went) => {
    const plugin: Plugin<unknown> = { ...watching, responseWindow: look };
    const { stage, record } = await forwarded({ plugins: [plugin], endpoint: { log_content: 'full' } });
    await stage.onHead(streamHead());
    await stage.onChunk(streamChunk(came));
    await stage.onChunk(Buffer.from('data: [DONE]\n\n'));
    await stage.onEnd();
    const said = (body: unknown) => (body as { choices: Choice[] } | undefined)?.choices[0]?.message.content;
    expect([said(record().response), said(record().client_response)]).toEqual([came, went]);
  });

  it('that is rejected after some text went out ends with the error', async () => {
    const { stage, outlet, record } = await forwarded({ plugins: [watching] });
    await stage.onHead(streamHead());
    for (const text of ['good', ' and', ' long', ' words', ' then', ' bad', ' and more to look at it'])
      await stage.onChunk(streamChunk(text));
    expect(outlet.text).toContain('good');
    expect(outlet.text).not.toContain('bad');
    expect(outlet.text).toMatch(/"code":"not_this"\}\}\n\n$/);
    expect(record()).toMatchObject({ status: 'rejected', http_status: 200 });
  });
});

describe('an exchange', () => {
  it('whose client has gone is aborted, once, with what had gone out', async () => {
    const { stage, exchange, record } = await forwarded();
    await stage.onHead(streamHead());
    await stage.onChunk(streamChunk('ye'));
    await stage.onClose('client');
    await stage.onClose('client');
    await stage.onEnd();
    expect(exchange.signal.aborted).toBe(true);
    expect(record()).toMatchObject({
      status: 'aborted',
      http_status: 200,
      response: { choices: [{ message: { content: 'ye' } }] },
      attempts: [{ status: 'aborted' }],
    });
  });

  it('whose client has gone before an answer is aborted with 499', async () => {
    const { stage, record } = await forwarded();
    await stage.onClose('client');
    expect(record()).toMatchObject({ status: 'aborted', http_status: 499, response: null });
  });

  it('whose provider broke off is an error', async () => {
    const { stage, record } = await forwarded();
    await stage.onClose('model');
    expect(record()).toMatchObject({ status: 'error', attempts: [{ status: 'server_error' }] });
  });

  it('that was answered is not ended again by a close, a timeout or a failure', async () => {
    const { stage, outlet, record } = await forwarded();
    await stage.onHead(jsonHead());
    await stage.onChunk(completion('yes'));
    await stage.onEnd();
    const { text } = outlet;
    await stage.onClose('client');
    await stage.onTimeout();
    await stage.fail(new Error('late'));
    expect([record().status, outlet.text]).toEqual(['success', text]);
  });

  it('that Envoy leaves while its log is being appended has left once it is', async () => {
    const { stage, pipeline } = await forwarded();
    let appended = () => {};
    pipeline.services.sink.append = () =>
      new Promise((resolve) => {
        appended = resolve;
      });
    await stage.onHead(jsonHead());
    await stage.onChunk(completion('yes'));
    const ending = stage.onEnd();
    await new Promise((resolve) => setImmediate(resolve));
    let left = false;
    const closing = stage.onClose('gateway').then(() => {
      left = true;
    });
    await new Promise((resolve) => setImmediate(resolve));
    expect(left).toBe(false);
    appended();
    await Promise.all([ending, closing]);
  });

  it('whose body is no JSON shows where to the client, and no piece of it in the log', async () => {
    const pipeline = new TestPipeline();
    const exchange = pipeline.exchange();
    const outlet = new TestOutlet();
    const stage = new ResponseStage(exchange, pipeline.services, outlet);
    const body = Buffer.from('{"model":"support","messages":[{"role":"user","content":secret words}]}');
    await receive(exchange, body, pipeline.services).catch((error) => stage.fail(error));
    expect(outlet.json.error.message).toMatch(/not valid JSON: .*secret/);
    expect(pipeline.records[0]).toMatchObject({
      error: { code: 'invalid_request', message: 'The body is not valid JSON.' },
      response: { error: { message: 'The body is not valid JSON.' } },
    });
    expect(JSON.stringify(pipeline.records)).not.toContain('secret');
  });

  it('with a mistake of ours is a 500 that tells nothing of it', async () => {
    const { stage, outlet, record } = await forwarded();
    await stage.fail(new Error('secret detail'));
    expect([outlet.status, outlet.json.error.code]).toEqual([500, 'internal_error']);
    expect(outlet.text + JSON.stringify(record())).not.toContain('secret detail');
  });

  it('has no more time than all its tries together', async () => {
    const { stage, pipeline, exchange } = await forwarded({
      endpoint: { timeout_ms: 5_000, total_timeout_ms: 5_000 },
    });
    pipeline.clock.pass(4_000);
    expect(stage.timeLeft()).toBe(1_000);
    exchange.route = 'chain';
    expect(stage.timeLeft()).toBe(1_000);
  });
});
