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
  TestPipeline,
} from '../../../test/support/pipeline.js';
import type { SluiceError } from '../../core/errors.js';
import { type FallbackReason, JSON_VALIDATION, type ModelChoice } from '../../core/settings.js';
import type { Plugin } from '../../plugins/contract/plugin.js';
import type { AnswerHead } from '../exchange/http.js';
import { receive } from '../request/receive.js';
import { Judge, type JudgeOutlet } from './judge.js';

const SCHEMA = {
  response_format: { type: 'json_schema', json_schema: { name: 'a', schema: { type: 'object' } } },
};
const TWO: ModelChoice[] = ['small', 'large'].map((model) => ({
  provider: 'local',
  model,
  structured_output: true,
}));
const watching: Plugin<unknown> = {
  name: 'watching',
  configSchema: {},
  response: () => ({ action: 'pass' }),
};
const ERROR_EVENT = Buffer.from('data: {"error":{"message":"overloaded"}}\n\n');

/** What a judge decided, in its order. */
class Decisions implements JudgeOutlet {
  readonly list: string[] = [];
  pass(bytes: Buffer): void {
    this.list.push(`pass ${bytes.length}`);
  }
  end(): void {
    this.list.push('end');
  }
  answer(status: number): void {
    this.list.push(`answer ${status}`);
  }
  retry(reason: FallbackReason): void {
    this.list.push(`retry ${reason}`);
  }
}

interface Case extends PipelineOptions {
  body?: object;
  /** Which try it is, counted from 1. */
  attempt?: number;
}

async function judged(head: AnswerHead, chunks: Buffer[], options: Case = {}) {
  const pipeline = new TestPipeline({ ...options, endpoint: { models: TWO, ...options.endpoint } });
  const exchange = pipeline.exchange();
  await receive(exchange, requestBody(options.body), pipeline.services);
  for (let number = 1; number < (options.attempt ?? 1); number++) pipeline.attempt(exchange);
  const { attempt } = pipeline.attempt(exchange);
  const outlet = new Decisions();
  const judge = new Judge(exchange, attempt, pipeline.services, outlet);
  judge.onHead(head);
  for (const chunk of chunks) await judge.onChunk(chunk);
  const before = [...outlet.list];
  if (!outlet.list.some((decision) => decision.startsWith('retry'))) await judge.onEnd();
  return { exchange, record: attempt.record, decisions: outlet.list, before };
}

const checked = { endpoint: { json_validation: true, models: TWO }, body: SCHEMA };

describe('a stream that its provider leaves open', () => {
  async function silent(chunks: Buffer[], waits: number) {
    const pipeline = new TestPipeline(checked);
    const exchange = pipeline.exchange();
    await receive(exchange, requestBody(SCHEMA), pipeline.services);
    const outlet = new Decisions();
    const judge = new Judge(exchange, pipeline.attempt(exchange).attempt, pipeline.services, outlet);
    judge.onHead(streamHead());
    for (const chunk of chunks) await judge.onChunk(chunk);
    pipeline.clock.pass(waits);
    expect(judge.quietLeft()).toBe(0);
    await judge.onQuiet();
    return { outlet, judge };
  }

  it('is judged soon after its end marker', async () => {
    const { outlet } = await silent([streamChunk('{"ok":true}', 'stop'), STREAM_END], 250);
    expect(outlet.list).toEqual(['answer 200']);
  });

  it('leads to the next model where it is invalid', async () => {
    const { outlet } = await silent([streamChunk('{}', 'stop'), STREAM_END], 250);
    expect(outlet.list).toEqual(['retry invalid_output']);
  });

  it('is waited for where it has no end marker yet', async () => {
    const { outlet, judge } = await silent([streamChunk('{"ok":true}', 'stop')], 250);
    expect([outlet.list, judge.quietLeft()]).toEqual([[], 4_750]);
  });
});

describe('an answer without a schema', () => {
  it('is the final one when it is complete', async () => {
    const { decisions, before, exchange, record } = await judged(jsonHead(), [completion('yes')]);
    expect([before, decisions]).toEqual([[], ['answer 200']]);
    expect(exchange.outcome).toMatchObject({ kind: 'answer', whole: { kind: 'json' } });
    expect(record).toMatchObject({ status: 'success', usage: { input_tokens: 5, output_tokens: 2 } });
  });

  it.each([429, 529, 500, 503])('with status %i leads to the next model', async (status) => {
    const reason = status === 429 || status === 529 ? 'rate_limited' : 'server_error';
    const { decisions, record } = await judged(jsonHead(status), [Buffer.from('{"error":{"message":"no"}}')]);
    expect(decisions).toEqual([`retry ${reason}`]);
    expect(record).toMatchObject({ status: reason, error: { message: 'no' } });
  });

  it.each([
    ['a status that is the fault of the client', 400, {}],
    ['a status that is not in fallback_on', 500, { endpoint: { fallback_on: ['connect'] } as const }],
    ['no model left', 500, { attempt: 2 }],
  ])('is sent to the client unchanged: %s', async (_case, status, options) => {
    const { decisions, exchange } = await judged(jsonHead(status), [Buffer.from('oops')], options as Case);
    expect(decisions).toEqual([`answer ${status}`]);
    expect(exchange.outcome).toMatchObject({ kind: 'answer' });
  });

  it.each([
    ['JSON of an unknown shape', 'application/json', '{"odd":1}'],
    ['an error', 'application/json', '{"error":{"message":"busy"}}'],
    ["a proxy's page", 'text/html', '<html>Log in first</html>'],
    ['nothing', 'application/json', ''],
  ])(
    'without text leads to the next model, and is sent to the client where none is left: %s',
    async (_case, type, body) => {
      const head = { status: 200, headers: { 'content-type': type } };
      const [first, last] = [
        await judged(head, [Buffer.from(body)]),
        await judged(head, [Buffer.from(body)], { attempt: 2 }),
      ];
      expect([first.decisions, last.decisions]).toEqual([['retry server_error'], ['answer 200']]);
      const message = body.includes('busy') ? 'busy' : 'The answer of the model has an unknown format.';
      const failed = { status: 'server_error', error: { message } };
      expect([first.record, last.record]).toMatchObject([failed, failed]);
    },
  );
});

describe('a stream without a schema', () => {
  it('is held back until its first event, and then sent as it arrives', async () => {
    const first = streamChunk('a');
    const { before, decisions } = await judged(streamHead(), [
      Buffer.from(': comment\n\n'),
      first.subarray(0, 10),
      first.subarray(10),
      streamChunk('b'),
    ]);
    const passed = [`pass ${11 + first.length}`, `pass ${streamChunk('b').length}`];
    expect([before, decisions]).toEqual([passed, [...passed, 'end']]);
  });

  it('whose first event is an error leads to the next model', async () => {
    const { decisions, record } = await judged(streamHead(), [ERROR_EVENT]);
    expect(decisions).toEqual(['retry server_error']);
    expect(record).toMatchObject({ status: 'server_error', error: { message: 'overloaded' } });
  });

  it('whose first event is an error is logged without its text in a log without content', async () => {
    const { record, exchange } = await judged(streamHead(), [ERROR_EVENT], {
      endpoint: { log_content: 'none' },
    });
    const message = 'The model reported an error in its stream.';
    expect(record.error).toEqual({ message });
    expect(exchange.outcome).toMatchObject({ error: { message: 'overloaded', logMessage: message } });
  });

  it('whose first event is an error is sent where no model is left', async () => {
    const { decisions } = await judged(streamHead(), [ERROR_EVENT], { attempt: 2 });
    expect(decisions).toEqual([`pass ${ERROR_EVENT.length}`, 'end']);
  });

  it('whose second event is an error is sent', async () => {
    const { decisions } = await judged(streamHead(), [streamChunk('a'), ERROR_EVENT]);
    expect(decisions.at(-1)).toBe('end');
    expect(decisions).toHaveLength(3);
  });

  it('is decompressed to be checked, and sent unchanged', async () => {
    const packed = gzipSync(streamChunk('a'));
    expect((await judged(streamHead({ 'content-encoding': 'gzip' }), [packed])).decisions).toEqual([
      `pass ${packed.length}`,
      'end',
    ]);
    const broken = gzipSync(ERROR_EVENT);
    expect((await judged(streamHead({ 'content-encoding': 'gzip' }), [broken])).decisions).toEqual([
      'retry server_error',
    ]);
  });
});

describe('an answer with a schema', () => {
  it.each([
    ['plain', jsonHead(), [completion('{"ok":true}')]],
    ['streamed', streamHead(), [streamChunk('{"ok":'), streamChunk('true}', 'stop'), STREAM_END]],
  ])('is the final one where its output is valid: %s', async (_case, head, chunks) => {
    const { before, decisions, record } = await judged(head, chunks, checked);
    expect([before, decisions, record.status]).toEqual([[], ['answer 200'], 'success']);
  });

  it.each([
    ['plain', jsonHead(), [completion('no')]],
    ['streamed', streamHead(), [streamChunk('n'), streamChunk('o', 'stop'), STREAM_END]],
  ])('leads to the next model where its output is invalid: %s', async (_case, head, chunks) => {
    const { decisions, record } = await judged(head, chunks, checked);
    expect(decisions).toEqual(['retry invalid_output']);
    expect(record).toMatchObject({
      status: 'invalid_output',
      error: { path: '/ok', message: 'must be true', output: 'no' },
    });
  });

  it.each<[string, PipelineOptions, string | undefined]>([
    ['where nobody else would have to look at it', {}, 'no'],
    ['not where response plugins have yet to see it', { plugins: [watching] }, undefined],
    ['where all is kept as it came', { plugins: [watching], endpoint: { log_content: 'full' } }, 'no'],
    ['not where no message is kept', { endpoint: { log_content: 'none' } }, undefined],
  ])('is in the log %s', async (_case, options, output) => {
    const endpoint = { ...checked.endpoint, ...options.endpoint };
    const { record } = await judged(jsonHead(), [completion('no')], { ...checked, ...options, endpoint });
    expect(record.error?.output).toBe(output);
  });

  it('is a 422 where its output is invalid and no model is left', async () => {
    const { decisions, exchange } = await judged(jsonHead(), [completion('no')], { ...checked, attempt: 2 });
    expect(decisions).toEqual(['answer 422']);
    expect(exchange.outcome).toMatchObject({
      kind: 'failure',
      error: { code: 'output_validation_failed', details: [{ path: '/ok' }] },
    });
  });

  it.each<[string, PipelineOptions]>([
    ['response plugins have yet to see it', { plugins: [watching] }],
    ['its log has no messages', { endpoint: { log_content: 'none' } }],
  ])('is described without names that only the output has where %s', async (_case, options) => {
    const endpoint = { ...checked.endpoint, ...options.endpoint };
    const { record, exchange } = await judged(jsonHead(), [completion('no')], {
      ...checked,
      ...options,
      endpoint,
      attempt: 2,
    });
    expect(record.error).toEqual({ path: '/*', message: 'must be true' });
    expect(exchange.outcome).toMatchObject({ error: { details: [{ path: '/*' }] } });
  });

  it.each([false, true])(
    'explains to the next model what was wrong only where the endpoint says so: %s',
    async (explain) => {
      const endpoint = { ...checked.endpoint, explain_invalid: explain };
      const { exchange } = await judged(jsonHead(), [completion('no')], { ...checked, endpoint });
      expect(exchange.chain.correction).toEqual(
        explain ? { answer: 'no', problem: '/ok: must be true' } : undefined,
      );
    },
  );

  it('is sent though invalid where no model is left and the endpoint says `release`', async () => {
    const json_validation = { ...JSON_VALIDATION, on_invalid: 'release' as const };
    const releasing = { ...checked, endpoint: { ...checked.endpoint, json_validation } };
    expect((await judged(jsonHead(), [completion('no')], releasing)).decisions).toEqual([
      'retry invalid_output',
    ]);
    const last = await judged(jsonHead(), [completion('no')], { ...releasing, attempt: 2 });
    expect(last.decisions).toEqual(['answer 200']);
    expect(last.record.status).toBe('invalid_output');
    expect(last.exchange).toMatchObject({
      outcome: { kind: 'answer' },
      released: { invalid: { code: 'output_validation_failed' } },
    });
    const unread = await judged(jsonHead(), [Buffer.from('{"odd":1}')], { ...releasing, attempt: 2 });
    expect(unread.decisions).toEqual(['answer 422']);
  });

  it.each<[string, PipelineOptions, string | undefined]>([
    ['the endpoint says so', {}, 'no'],
    ['not where response plugins have yet to see it', { plugins: [watching] }, undefined],
  ])('is part of the error where %s', async (_case, options, output) => {
    const json_validation = { ...JSON_VALIDATION, include_invalid: true };
    const { plugins } = options;
    const including = { ...checked, plugins, endpoint: { ...checked.endpoint, json_validation }, attempt: 2 };
    const { exchange } = await judged(jsonHead(), [completion('no')], including);
    const { error } = exchange.outcome as { error: SluiceError };
    expect(error.details?.map((detail) => detail.output)).toEqual([output]);
  });

  it('that is an error with status 200 is a failure of the server, not of the output', async () => {
    const busy = Buffer.from('{"error":{"message":"busy"}}');
    const first = await judged(jsonHead(), [busy], checked);
    expect([first.decisions, first.record.error?.message]).toEqual([['retry server_error'], 'busy']);
    const { decisions, exchange } = await judged(jsonHead(), [busy], { ...checked, attempt: 2 });
    expect(decisions).toEqual(['answer 502']);
    expect(exchange.outcome).toMatchObject({ error: { code: 'upstream_unavailable', message: 'busy' } });
  });

  it('that is cut off is a failure of the server, not of the output', async () => {
    const { decisions } = await judged(streamHead(), [streamChunk('{"ok":')], checked);
    expect(decisions).toEqual(['retry server_error']);
    const { exchange } = await judged(streamHead(), [streamChunk('{'), ERROR_EVENT], {
      ...checked,
      attempt: 2,
    });
    expect(exchange.outcome).toMatchObject({ kind: 'failure', error: { code: 'upstream_unavailable' } });
  });
});

describe('an answer that cannot be read', () => {
  const gzip = { 'content-encoding': 'gzip' };
  it.each([
    ['larger than may be held', jsonHead(), Buffer.alloc(10_001, 'x'), {}],
    ['not what its encoding says', jsonHead(200, gzip), Buffer.from('no gzip'), {}],
    ['a stream that is not what its encoding says', streamHead(gzip), Buffer.from('no gzip'), {}],
    ['a stream that comes to no event', streamHead(), Buffer.from(`:${' '.repeat(10_000)}`), {}],
    ['small, and large when it is unpacked', jsonHead(200, gzip), gzipSync(Buffer.alloc(20_000)), {}],
  ])('leads to the next model, or is 502: %s', async (_case, head, chunk, options) => {
    const first = await judged(head, [chunk, chunk], options);
    expect([first.decisions, first.record.status]).toEqual([['retry server_error'], 'server_error']);
    const last = await judged(head, [chunk], { ...options, attempt: 2 });
    expect(last.decisions).toEqual(['answer 502']);
    expect(last.exchange.outcome).toMatchObject({
      error: {
        code: 'upstream_unavailable',
        message: expect.stringMatching(/^The model's answer cannot be read: /),
      },
    });
  });

  it('counts as invalid output where it is too large to be validated', async () => {
    const { decisions, record } = await judged(jsonHead(), [Buffer.alloc(10_001, 'x')], checked);
    expect([decisions, record]).toMatchObject([
      ['retry invalid_output'],
      { status: 'invalid_output', error: { path: '', message: expect.stringContaining('10000 bytes') } },
    ]);
  });
});
