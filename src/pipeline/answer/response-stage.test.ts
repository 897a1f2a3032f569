import { describe, expect, it } from 'vitest';
import {
  completion,
  jsonHead,
  streamChunk,
  streamHead,
  TestOutlet,
  TestPipeline,
} from '../../../test/support/pipeline.js';
import { forwarded, rejecting, softening } from '../../../test/support/response-stage.js';
import { finish } from '../end/finish.js';
import { receive } from '../request/receive.js';
import { ResponseStage } from './response-stage.js';

describe('a whole answer', () => {
  it('is held back until it is complete, and is sent with our headers', async () => {
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

  it('is appended to the log before any of it is sent', async () => {
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

  it('is 503 where there is no room for its log', async () => {
    const { stage, outlet, pipeline } = await forwarded();
    await stage.onHead(jsonHead());
    await stage.onChunk(completion('yes'));
    pipeline.full = true;
    await stage.onEnd();
    expect([outlet.status, outlet.json.error.code]).toEqual([503, 'spool_full']);
  });

  it('with an error has no text of it in a log without content, and long errors are cut in another', async () => {
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

  it('with an error of the provider is sent unchanged', async () => {
    const { stage, outlet, record } = await forwarded();
    await stage.onHead(jsonHead(429, { 'retry-after': '3' }));
    await stage.onChunk(Buffer.from('{"error":{"message":"slow down"}, "x":1.0}'));
    await stage.onEnd();
    expect([outlet.status, outlet.text]).toEqual([429, '{"error":{"message":"slow down"}, "x":1.0}']);
    expect(outlet.headers['x-sluice-model']).toBe('local/large');
    expect(record()).toMatchObject({
      status: 'error',
      http_status: 429,
      attempts: [{ status: 'rate_limited' }],
    });
  });

  it.each([
    ['{"error":{"message":"slow down","code":"busy"}}', { code: 'busy', message: 'slow down' }],
    ['{"odd":1}', { code: 'upstream_unavailable', message: expect.stringContaining('unknown format') }],
  ])('without any text of a model is sent unchanged, and is an error in the log: %s', async (body, error) => {
    const { stage, outlet, record } = await forwarded();
    await stage.onHead(jsonHead());
    await stage.onChunk(Buffer.from(body));
    await stage.onEnd();
    expect([outlet.status, outlet.text]).toEqual([200, body]);
    const attempts = [{ status: 'server_error', error: { message: error.message } }];
    expect(record()).toMatchObject({ status: 'error', http_status: 200, error, attempts });
  });

  it('with an error in it that no guard could check has no text of it in the log', async () => {
    const { stage, record } = await forwarded({ plugins: [softening] });
    await stage.onHead(jsonHead());
    await stage.onChunk(Buffer.from('{"error":{"message":"no such person: Ann Lee"}}'));
    await stage.onEnd();
    expect(record().status).toBe('error');
    expect(JSON.stringify(record())).not.toContain('Ann');
  });

  it.each([
    ['cluster_not_found', 502, 'connect'],
    ['upstream_reset_before_response_started{connection_termination}', 502, 'server_error'],
    ['response_timeout', 504, 'timeout'],
  ])(
    "that Envoy gave in the provider's place is replaced by ours: %s",
    async (localReason, status, reason) => {
      const { stage, outlet, record } = await forwarded();
      await stage.onHead({ status: 503, headers: {}, localReason });
      await stage.onChunk(Buffer.from('upstream connect error'));
      await stage.onEnd();
      expect(outlet.status).toBe(status);
      expect(record()).toMatchObject({
        status: 'error',
        http_status: status,
        attempts: [{ status: reason }],
      });
    },
  );

  it('that a plugin changed has the old text nowhere, not even in token probabilities', async () => {
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

  it('that a plugin rejects is not sent, and is blank in the log', async () => {
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

describe('an exchange', () => {
  it('whose client has left is aborted, once, with what was sent', async () => {
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

  it('whose client left before an answer is aborted with 499', async () => {
    const { stage, record } = await forwarded();
    await stage.onClose('client');
    expect(record()).toMatchObject({ status: 'aborted', http_status: 499, response: null });
  });

  it('whose provider broke off is an error', async () => {
    const { stage, record } = await forwarded();
    await stage.onClose('model');
    expect(record()).toMatchObject({ status: 'error', attempts: [{ status: 'server_error' }] });
  });

  it('that was answered is not ended again by a disconnect, a timeout or a failure', async () => {
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

  it('whose stream Envoy closes while its log is being appended is closed afterwards', async () => {
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

  it('whose body is not JSON shows the client where, and has no piece of it in the log', async () => {
    const pipeline = new TestPipeline();
    const exchange = pipeline.exchange();
    const outlet = new TestOutlet();
    const stage = new ResponseStage(exchange, pipeline.services, outlet, finish);
    const body = Buffer.from('{"model":"support","messages":[{"role":"user","content":secret words}]}');
    await receive(exchange, body, pipeline.services).catch((error) => stage.fail(error));
    expect(outlet.json.error.message).toMatch(/not valid JSON: .*secret/);
    expect(pipeline.records[0]).toMatchObject({
      error: { code: 'invalid_request', message: 'The body is not valid JSON.' },
      response: { error: { message: 'The body is not valid JSON.' } },
    });
    expect(JSON.stringify(pipeline.records)).not.toContain('secret');
  });

  it('with a bug of ours is a 500 that reveals nothing of it', async () => {
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
    exchange.chain.route = 'chain';
    expect(stage.timeLeft()).toBe(1_000);
  });

  it('hides a credential of its provider in a successful answer', async () => {
    const { stage, outlet, attempt, record } = await forwarded();
    const [secret] = attempt.secrets;
    await stage.onHead(jsonHead());
    await stage.onChunk(completion(`my key is ${secret}.`));
    await stage.onEnd();
    expect(outlet.json.choices[0].message.content).toBe('my key is [redacted].');
    expect(JSON.stringify(record())).not.toContain(secret);
  });
});
