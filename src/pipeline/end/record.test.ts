import { describe, expect, it } from 'vitest';
import { type PipelineOptions, requestBody, TestPipeline } from '../../../test/support/pipeline.js';
import type { LogUsage } from '../../core/log-record.js';
import type { Plugin } from '../../plugins/contract/plugin.js';
import { closeAttempt } from '../attempt/prepare-attempt.js';
import type { Ending } from '../exchange/ending.js';
import type { Exchange } from '../exchange/exchange.js';
import { receive } from '../request/receive.js';
import { makeRecord } from './record.js';

const SUCCESS: Ending = { status: 'success', httpStatus: 200, response: { a: 'went' } };
const SECRET = 'my secret words';
const finding = { type: 'PERSON', place: '/0/parts/0/text', start: 3, end: 9, score: 1 };
const rejecting = (findings: (typeof finding)[]): Plugin<unknown> => ({
  name: 'rejecting',
  configSchema: {},
  request: () => ({ action: 'reject', message: 'No.', findings }),
});

/** Leaves of each text its last word, so that places in what came and in what went on differ. */
const masking: Plugin<unknown> = {
  name: 'masking',
  configSchema: {},
  request: ({ messages }) => ({
    action: 'modify',
    content: messages.map((message) => ({
      ...message,
      parts: message.parts.map((part) => (part.type === 'text' ? { ...part, text: '<PERSON> words' } : part)),
    })),
  }),
};
const failing: Plugin<unknown> = {
  name: 'failing',
  configSchema: {},
  request: () => {
    throw new Error('It does not work.');
  },
};

async function received(body: object = {}, options: PipelineOptions = {}) {
  const pipeline = new TestPipeline(options);
  const exchange = pipeline.exchange({ clientRequestId: 'client-1' });
  await receive(exchange, requestBody(body), pipeline.services).catch(() => {});
  return { pipeline, exchange };
}

function tried(pipeline: TestPipeline, exchange: Exchange, usage: LogUsage | null): void {
  exchange.plan = { models: Array.from({ length: 3 }, () => pipeline.endpoint.models[0]!) };
  const { attempt } = pipeline.attempt(exchange);
  closeAttempt(attempt, { status: 'success', usage }, pipeline.services);
}

describe('the record of an exchange', () => {
  it('contains what is known of it', async () => {
    const { pipeline, exchange } = await received({ metadata: { task: 'faq' }, stream: true });
    tried(pipeline, exchange, { input_tokens: 5, output_tokens: 2 });
    exchange.released.firstTokenMs = 7;
    pipeline.clock.pass(20);
    const record = makeRecord(exchange, SUCCESS, pipeline.services);
    expect(record).toMatchObject({
      _id: exchange.id,
      endpoint: 'support',
      api: 'openai.chat',
      status: 'success',
      client_request_id: 'client-1',
      request: { model: 'support', stream: true },
      response: { a: 'went' },
      metadata: { task: 'faq' },
      tags: ['task:faq'],
      model: 'local/large',
      usage: { input_tokens: 5, output_tokens: 2 },
      timing: { total_ms: 20, time_to_first_token_ms: 7 },
      error: null,
      stream: true,
      feedback_count: 0,
      score: null,
    });
    expect(record.request).not.toHaveProperty('metadata');
    expect(record.cost).toBeCloseTo((5 * 2 + 2 * 10) / 1e6, 12);
  });

  it('has no model where none answered', async () => {
    const { pipeline, exchange } = await received();
    tried(pipeline, exchange, null);
    const ending: Ending = {
      status: 'error',
      httpStatus: 502,
      response: null,
      error: { code: 'c', message: 'm' },
    };
    expect(makeRecord(exchange, ending, pipeline.services)).toMatchObject({
      model: null,
      usage: null,
      cost: null,
      error: { code: 'c', message: 'm' },
    });
  });

  it('counts the tokens of all tries, including failed ones', async () => {
    const { pipeline, exchange } = await received();
    tried(pipeline, exchange, { input_tokens: 5, output_tokens: 2, cached_input_tokens: 1 });
    tried(pipeline, exchange, null);
    tried(pipeline, exchange, { input_tokens: 6, output_tokens: 3, reasoning_tokens: 2, estimated: true });
    const record = makeRecord(exchange, SUCCESS, pipeline.services);
    expect(record.usage).toEqual({
      input_tokens: 11,
      output_tokens: 5,
      cached_input_tokens: 1,
      reasoning_tokens: 2,
      estimated: true,
    });
    expect(record.cost).toBeCloseTo((11 * 2 + 5 * 10) / 1e6, 12);
  });

  it('has the cost of each attempt with a price, even after one without', async () => {
    const { pipeline, exchange } = await received();
    tried(pipeline, exchange, { input_tokens: 5, output_tokens: 2 });
    exchange.attempts[0]!.choice = { ...exchange.attempts[0]!.choice, model: 'unpriced' };
    tried(pipeline, exchange, { input_tokens: 6, output_tokens: 3 });
    const { cost, attempts } = makeRecord(exchange, SUCCESS, pipeline.services);
    expect(cost).toBeNull();
    expect(attempts.map((attempt) => attempt.cost)).toEqual([undefined, (6 * 2 + 3 * 10) / 1e6]);
  });

  it('has no content where no endpoint was found, since no setting allows it', async () => {
    const { pipeline, exchange } = await received({ model: 'other', metadata: { a: 'b' } });
    const ending: Ending = { status: 'error', httpStatus: 404, response: { error: 'x' } };
    const record = makeRecord(exchange, ending, pipeline.services);
    expect(record).toMatchObject({ endpoint: null, request: null, tags: ['a:b'] });
  });

  it('has content as the endpoint says', async () => {
    const ending: Ending = { ...SUCCESS, responseAsCame: { a: 'came' } };
    const contentOf = async (log_content: 'masked' | 'full' | 'none') => {
      const { pipeline, exchange } = await received({}, { endpoint: { log_content } });
      const { request, response, client_response } = makeRecord(exchange, ending, pipeline.services);
      return [request === null ? null : 'request', response, client_response];
    };
    expect(await contentOf('masked')).toEqual(['request', { a: 'went' }, undefined]);
    expect(await contentOf('full')).toEqual(['request', { a: 'came' }, { a: 'went' }]);
    expect(await contentOf('none')).toEqual([null, null, undefined]);
  });

  it('marks whether each answer is what the model wrote, and what the client got', async () => {
    const restoring: Ending = {
      ...SUCCESS,
      response: 'Hello <PERSON_1>.',
      clientResponse: 'Hello Ann.',
      isHidden: true,
    };
    const keptOf = async (ending: Ending, log_content: 'masked' | 'full') => {
      const { pipeline, exchange } = await received({}, { endpoint: { log_content } });
      const { response, response_kept, client_response, client_response_kept } = makeRecord(
        exchange,
        ending,
        pipeline.services,
      );
      return { response, response_kept, client_response, client_response_kept };
    };
    expect(await keptOf(restoring, 'full')).toEqual({
      response: 'Hello <PERSON_1>.',
      client_response: 'Hello Ann.',
      client_response_kept: 'as_it_was',
    });
    expect(await keptOf(restoring, 'masked')).toEqual({
      response: 'Hello <PERSON_1>.',
      client_response_kept: 'masked',
    });
    // The guard's own placeholder was put back: the client got what the model said.
    const own: Ending = {
      ...restoring,
      response: 'Ask <PERSON_A1>.',
      responseAsCame: 'Ask Ann.',
      clientResponse: 'Ask Ann.',
    };
    expect(await keptOf(own, 'full')).toEqual({ response: 'Ask Ann.', response_kept: 'as_it_was' });
    expect(await keptOf(own, 'masked')).toEqual({
      response: 'Ask <PERSON_A1>.',
      response_kept: 'masked',
      client_response_kept: 'masked',
    });
    const rejected: Ending = {
      status: 'rejected',
      httpStatus: 400,
      response: '<PERSON>',
      responseAsCame: 'Ann',
      clientResponse: { error: 'no' },
    };
    const got = { client_response: { error: 'no' }, client_response_kept: 'as_it_was' };
    expect(await keptOf(rejected, 'full')).toEqual({ response: 'Ann', response_kept: 'as_it_was', ...got });
    expect(await keptOf(rejected, 'masked')).toEqual({
      response: '<PERSON>',
      response_kept: 'masked',
      ...got,
    });
  });

  it('has who asked, and one line of what was asked and answered', async () => {
    const { pipeline, exchange } = await received({
      messages: [{ role: 'user', content: ' Where\n is it? ' }],
    });
    const response = { choices: [{ message: { role: 'assistant', content: 'There.' } }] };
    expect(makeRecord(exchange, { ...SUCCESS, response }, pipeline.services)).toMatchObject({
      caller: `key:${exchange.key.name}`,
      key_id: exchange.key.id,
      preview: { input: 'Where is it?', output: 'There.' },
    });
    const none = await received({}, { endpoint: { log_content: 'none' } });
    expect(makeRecord(none.exchange, SUCCESS, none.pipeline.services)).not.toHaveProperty('preview');
  });

  it('of a rejected request hides pictures too', async () => {
    const picture = {
      type: 'image_url',
      image_url: { url: 'https://example.com/secret.png', detail: 'low' },
    };
    const messages = [{ role: 'user', content: [{ type: 'text', text: SECRET }, picture] }];
    const { pipeline, exchange } = await received({ messages }, { plugins: [rejecting([])] });
    const ending: Ending = { status: 'rejected', httpStatus: 400, response: null };
    expect(makeRecord(exchange, ending, pipeline.services)).toMatchObject({
      request_kept: 'masked',
      request: {
        messages: [
          {
            role: 'user',
            content: [
              { type: 'text', text: '<REJECTED>' },
              { type: 'image_url', image_url: { url: '<REJECTED>', detail: 'low' } },
            ],
          },
        ],
      },
      preview: { input: '<REJECTED>', output: null },
    });
  });

  it('of a request rejected for its metadata hides that, and shows the messages', async () => {
    const messages = [{ role: 'user', content: 'Hello' }];
    const plugins = [rejecting([{ ...finding, type: 'REJECTED', place: '/metadata/tenant' }])];
    const metadata = { tenant: 'acme', task: 'faq' };
    const { pipeline, exchange } = await received({ messages, metadata }, { plugins });
    const ending: Ending = { status: 'rejected', httpStatus: 400, response: null };
    expect(makeRecord(exchange, ending, pipeline.services)).toMatchObject({
      request: { messages },
      metadata: { tenant: '<REJECTED>', task: 'faq' },
      tags: ['tenant:<REJECTED>', 'task:faq'],
    });
  });

  it.each([
    ['what was found is masked', [finding], 'my <PERSON> words'],
    ['nothing was found that could be masked', [], '<REJECTED>'],
  ])('of a rejected request does not show it where %s', async (_case, findings, content) => {
    const body = { messages: [{ role: 'user', content: SECRET }] };
    const plugins = [rejecting(findings)];
    const ending: Ending = { status: 'rejected', httpStatus: 400, response: null };
    const { pipeline, exchange } = await received(body, { plugins });
    const record = makeRecord(exchange, ending, pipeline.services);
    expect(record.request).toMatchObject({ messages: [{ role: 'user', content }] });
    const full = await received(body, { plugins, endpoint: { log_content: 'full' } });
    expect(makeRecord(full.exchange, ending, full.pipeline.services).request).toMatchObject(body);
  });

  it.each([
    ['rejects', rejecting([{ ...finding, start: 9, end: 14 }]), '<PERSON> <PERSON>'],
    ['fails where it must not', failing, '<PERSON> words'],
  ])('of a request keeps masked what was masked before a plugin %s', async (_case, last, content) => {
    const body = { messages: [{ role: 'user', content: SECRET }] };
    const plugins = [masking, last];
    const entries = plugins.map(({ name }) => ({
      plugin: name,
      phases: ['request' as const],
      config: {},
      timeout_ms: 1_000,
      on_error: 'reject' as const,
      isolate: false,
      mode: 'enforce' as const,
      sample: 1,
    }));
    const { pipeline, exchange } = await received(body, { plugins, endpoint: { plugins: entries } });
    const ending: Ending = { status: 'rejected', httpStatus: 400, response: null };
    const record = makeRecord(exchange, ending, pipeline.services);
    expect(record.plugin_runs[0]).toMatchObject({ outcome: 'modified' });
    expect(record.request).toMatchObject({ messages: [{ role: 'user', content }] });
  });

  it('of a request with very many findings hides them all, and lists the first ones', async () => {
    const content = Array.from({ length: 1_500 }, () => 'secret').join(' ');
    const findings = Array.from({ length: 1_500 }, (_, index) => {
      return { ...finding, start: index * 7, end: index * 7 + 6 };
    });
    const plugins = [rejecting(findings)];
    const { pipeline, exchange } = await received({ messages: [{ role: 'user', content }] }, { plugins });
    const ending: Ending = { status: 'rejected', httpStatus: 400, response: null };
    const record = makeRecord(exchange, ending, pipeline.services);
    expect(record.request).toMatchObject({
      messages: [{ content: content.replaceAll('secret', '<PERSON>') }],
    });
    expect(record.plugin_runs[0]?.findings).toEqual(findings.slice(0, 1_000));
  });
});
