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
import { finish } from '../end/finish.js';
import type { AnswerHead } from '../exchange/http.js';
import { receive } from '../request/receive.js';
import { EngineChain, type TryEvent } from './engine-chain.js';
import { ResponseStage } from './response-stage.js';

const MODELS = ['large', 'small'].map((model) => ({ provider: 'local', model, structured_output: false }));
const SCHEMA = { json_validation: true } as const;
const FORMAT = { response_format: { type: 'json_schema', json_schema: { name: 'a', schema: {} } } };

async function start(options: PipelineOptions & { body?: object } = {}) {
  const endpoint = { models: MODELS, timeout_ms: 1_000, total_timeout_ms: 5_000, ...options.endpoint };
  const pipeline = new TestPipeline({ ...options, endpoint });
  const exchange = pipeline.exchange({ headers: { 'user-agent': 'test/1', host: 'gateway' } });
  await receive(exchange, requestBody(options.body), pipeline.services);
  exchange.move('forwarded');
  exchange.chain.route = 'engine';
  const outlet = new TestOutlet();
  const stage = new ResponseStage(exchange, pipeline.services, outlet, finish);
  const waiting: TryEvent[] = [];
  const heads: AnswerHead[] = [];
  const chain = new EngineChain(exchange, pipeline.services, stage, {
    push: (event) => waiting.push(event),
    answers: (head) => heads.push(head),
  });
  await chain.start();
  const { calls } = pipeline.providers;
  /** The provider of a try, from 1 on, says these. */
  const says = async (number: number, head: AnswerHead, ...chunks: Buffer[]) => {
    calls[number - 1]!.say({ kind: 'head', head });
    for (const chunk of chunks) calls[number - 1]!.say({ kind: 'chunk', chunk });
    for (const event of waiting.splice(0)) await chain.take(event);
  };
  const ends = async (number: number) => {
    calls[number - 1]!.say({ kind: 'end' });
    for (const event of waiting.splice(0)) await chain.take(event);
  };
  const fails = async (number: number, connected: boolean) => {
    calls[number - 1]!.say({ kind: 'failed', connected });
    for (const event of waiting.splice(0)) await chain.take(event);
  };
  const statuses = () => exchange.attempts.map(({ record }) => record.status);
  return { pipeline, exchange, chain, stage, outlet, calls, heads, says, ends, fails, statuses };
}

describe('a chain that the engine makes', () => {
  it('asks the first model, with what goes to every provider and the credential of that one', async () => {
    const { calls, exchange } = await start();
    expect(calls).toHaveLength(1);
    const { origin, path, headers, body } = calls[0]!.request;
    expect([origin, path]).toEqual(['http://127.0.0.1:9', '/v1/chat/completions']);
    expect(headers).toMatchObject({
      authorization: 'Bearer provider-secret-of-many-letters',
      'user-agent': 'test/1',
      'x-request-id': exchange.id,
    });
    expect(headers).not.toHaveProperty('host');
    expect(JSON.parse(body.toString()).model).toBe('large');
  });

  it('returns the first answer to the client and asks no other model', async () => {
    const { says, ends, outlet, calls, heads, pipeline } = await start();
    await says(1, jsonHead(200, { 'x-said': 'a' }), completion('yes'));
    await ends(1);
    expect(outlet.json.choices[0].message.content).toBe('yes');
    expect(heads.map(({ headers }) => headers['x-said'])).toEqual(['a']);
    expect(calls).toHaveLength(1);
    expect(pipeline.records).toMatchObject([{ status: 'success', attempts: [{ status: 'success' }] }]);
  });

  it.each([
    [429, 'rate_limited'],
    [500, 'server_error'],
  ])('asks the next model after a %d', async (status, reason) => {
    const { says, ends, outlet, statuses } = await start();
    await says(1, jsonHead(status), Buffer.from('{"error":{"message":"no"}}'));
    await ends(1);
    await says(2, jsonHead(), completion('yes'));
    await ends(2);
    expect(outlet.status).toBe(200);
    expect(statuses()).toEqual([reason, 'success']);
  });

  it.each([
    ['connect', false],
    ['server_error', true],
  ])('asks the next model where no answer comes (%s)', async (reason, connected) => {
    const { fails, says, ends, outlet, statuses } = await start();
    await fails(1, connected);
    await says(2, jsonHead(), completion('yes'));
    await ends(2);
    expect(outlet.status).toBe(200);
    expect(statuses()).toEqual([reason, 'success']);
  });

  it('asks no other model once its client has left', async () => {
    const { exchange, fails, calls } = await start();
    exchange.cancel();
    await fails(1, true);
    expect(calls).toHaveLength(1);
  });

  it('asks the next model where an answer is cut off before any of it was sent', async () => {
    const { says, fails, ends, outlet, statuses } = await start({ body: { stream: true } });
    await says(1, streamHead(), Buffer.from(': nothing yet\n\n'));
    await fails(1, true);
    await says(2, streamHead(), streamChunk('yes', 'stop'), STREAM_END);
    await ends(2);
    expect(outlet.text).toContain('yes');
    expect(statuses()).toEqual(['server_error', 'success']);
  });

  it('reports a stream that is cut off later as an error, and asks no other model', async () => {
    const { says, fails, outlet, calls, pipeline } = await start({ body: { stream: true } });
    await says(1, streamHead(), streamChunk('On its'));
    await fails(1, true);
    expect(outlet.text).toMatch(/On its[\s\S]*"error"/);
    expect(outlet.ended).toBe(true);
    expect(calls).toHaveLength(1);
    expect(pipeline.records).toMatchObject([{ status: 'error', error: { code: 'upstream_unavailable' } }]);
  });

  it('does not treat a connection that breaks after the end of a stream as an error', async () => {
    const { says, fails, outlet, pipeline } = await start({ body: { stream: true } });
    await says(1, streamHead(), streamChunk('yes', 'stop'), STREAM_END);
    await fails(1, true);
    expect(outlet.text.endsWith('data: [DONE]\n\n')).toBe(true);
    expect(outlet.ended).toBe(true);
    expect(pipeline.records).toMatchObject([{ status: 'success' }]);
  });

  it('hangs up and asks the next model when the time of a try is up', async () => {
    const { chain, calls, pipeline, says, ends, statuses, outlet } = await start();
    expect(chain.timeLeft()).toBe(1_000);
    pipeline.clock.pass(1_000);
    await chain.onTimeout();
    expect(calls[0]!.cancelled).toBe(true);
    // What was on its way from the first.
    await says(1, jsonHead(), completion('late'));
    await says(2, jsonHead(), completion('yes'));
    await ends(2);
    expect(outlet.json.choices[0].message.content).toBe('yes');
    expect(statuses()).toEqual(['timeout', 'success']);
  });

  it('asks the next model where an output is invalid', async () => {
    const { says, ends, outlet, statuses } = await start({ endpoint: SCHEMA, body: FORMAT });
    await says(1, jsonHead(), completion('{"ok":false}'));
    await ends(1);
    await says(2, jsonHead(), completion('{"ok":true}'));
    await ends(2);
    expect(outlet.json.choices[0].message.content).toBe('{"ok":true}');
    expect(statuses()).toEqual(['invalid_output', 'success']);
  });

  it.each([
    ['connect', 502, 'upstream_unavailable'],
    ['timeout', 504, 'upstream_timeout'],
  ])('ends with the result of the last try (%s)', async (reason, status, code) => {
    const { chain, pipeline, fails, outlet } = await start();
    for (const number of [1, 2]) {
      if (reason === 'connect') {
        await fails(number, false);
      } else {
        pipeline.clock.pass(1_000);
        await chain.onTimeout();
      }
    }
    expect([outlet.status, outlet.json.error.code]).toEqual([status, code]);
    expect(pipeline.records[0]!.attempts.map(({ status }) => status)).toEqual([reason, reason]);
  });

  it('returns a failure that fallback_on does not list to the client', async () => {
    const { fails, outlet, calls } = await start({ endpoint: { fallback_on: ['timeout'] } });
    await fails(1, false);
    expect(outlet.status).toBe(502);
    expect(calls).toHaveLength(1);
  });

  it('counts how much of a stream was handled, so that its provider is not read faster', async () => {
    const { says, calls } = await start({ body: { stream: true } });
    const chunk = streamChunk('On its');
    await says(1, streamHead(), chunk, chunk);
    expect(calls[0]!.takenBytes).toBe(2 * chunk.length);
  });

  it('hangs up when nobody waits any more', async () => {
    const { chain, calls } = await start();
    chain.cancel();
    expect(calls[0]!.cancelled).toBe(true);
    expect(chain.timeLeft()).toBe(Number.POSITIVE_INFINITY);
  });
});
