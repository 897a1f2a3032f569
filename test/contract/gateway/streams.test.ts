import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { SseFrame } from '../../../src/dialects/dialect.js';
import { createSseParser, formatFrame } from '../../../src/dialects/wire/sse.js';
import { borrowGateway, type Gateway } from '../../support/gateway.js';
import { ControlledStream, jsonReply, streamReply } from '../../support/replies.js';
import { missingPrograms } from '../../support/start-sluice.js';

const ROUTES = ['support', 'chain'];
const USAGE = { prompt_tokens: 7, completion_tokens: 2, total_tokens: 9 };

const chunk = (delta: object, finish: string | null = null) =>
  `data: ${JSON.stringify({
    id: 'chatcmpl-provider-1',
    object: 'chat.completion.chunk',
    created: 1_700_000_000,
    model: 'large-2024',
    choices: [{ index: 0, delta, finish_reason: finish }],
  })}\n\n`;
const usageChunk = `data: ${JSON.stringify({ id: 'chatcmpl-provider-1', choices: [], usage: USAGE })}\n\n`;
const DONE = 'data: [DONE]\n\n';
const WORDS = ['Grüße', ' aus', ' der', ' Ferne', ' 👋'];
const STREAM = [
  chunk({ role: 'assistant', content: '' }),
  ...WORDS.map((content) => chunk({ content })),
  chunk({}, 'stop'),
  DONE,
];

/** The stream as the client must get it: all as it came, with the log id in the first chunk. */
function withId(stream: readonly string[], id: string): string {
  return stream.join('').replace('data: {', `data: {"inference_log_id":"${id}",`);
}

function framesOf(text: string): SseFrame[] {
  const parser = createSseParser();
  return [...parser.push(Buffer.from(text)), ...parser.end()];
}

function cut(bytes: Buffer, size: number): Buffer[] {
  const pieces: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += size) pieces.push(bytes.subarray(at, at + size));
  return pieces;
}

/** Reads from an answer until this much text is there. */
async function readUntil(reader: ReadableStreamDefaultReader<Uint8Array>, part: string): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  while (!text.includes(part)) {
    const { done, value } = await reader.read();
    if (done) throw new Error(`the stream ended without ${part}: ${text}`);
    text += decoder.decode(value, { stream: true });
  }
  return text;
}

describe.skipIf(missingPrograms !== null)('a streamed chat completion', () => {
  let gateway: Gateway;
  beforeAll(async () => {
    const model = (name: string) => [{ provider: 'fake', model: name }];
    gateway = await borrowGateway({
      endpoints: [
        { name: 'patient', models: model('patient'), stream_idle_timeout_ms: 200 },
        {
          name: 'patient-chain',
          models: [...model('patient-one'), ...model('patient-two')],
          stream_idle_timeout_ms: 200,
        },
        { name: 'breaking', models: model('breaking') },
        { name: 'breaking-chain', models: [...model('breaking-one'), ...model('breaking-two')] },
      ],
    });
  });
  afterAll(() => gateway?.stop());
  beforeEach(() => gateway.provider.reset());

  it.each(ROUTES)(
    'passes as the provider sends it, with the log id in the first chunk (%s)',
    async (model) => {
      gateway.provider.enqueue(streamReply(STREAM, { headers: { 'x-request-id': 'req_1' } }));
      const answer = await gateway.ask({ model, stream: true });
      expect(answer.status).toBe(200);
      expect(answer.text).toBe(withId(STREAM, answer.id));
      expect(answer.headers.get('content-type')).toBe('text/event-stream');
      expect(answer.headers.get('x-request-id')).toBe('req_1');
      expect(answer.headers.get('x-sluice-model')).toBe(model === 'support' ? 'fake/large' : 'fake/small');
      expect(answer.headers.get('x-sluice-attempts')).toBe('1');
    },
  );

  it.each(ROUTES)('has the log id in its first chunk, whatever comes before it (%s)', async (model) => {
    const ping = 'data: {"type":"ping"}\n\n';
    const usage = 'data: {"choices":[],"usage":{"prompt_tokens":7,"completion_tokens":0}}\n\n';
    gateway.provider.enqueue(streamReply([ping, usage, ...STREAM]));
    const answer = await gateway.ask({ model, stream: true });
    expect(answer.text).toBe(ping + withId(STREAM, answer.id));
  });

  it.each(ROUTES)('reaches the client piece by piece, as it comes (%s)', async (model) => {
    const stream = new ControlledStream();
    gateway.provider.enqueue(stream.reply());
    const opened = gateway.open({ model, stream: true });
    const [first, ...others] = WORDS as [string, ...string[]];
    // While a model has said nothing, a chain may still go on to its next one.
    await stream.send(STREAM[0]! + chunk({ content: first }));
    const reader = (await opened).body!.getReader();
    expect(await readUntil(reader, first)).toContain('"role":"assistant"');
    for (const word of others) {
      await stream.send(chunk({ content: word }));
      await readUntil(reader, word);
    }
    await stream.send(chunk({}, 'stop') + DONE);
    await stream.end();
    await readUntil(reader, '[DONE]');
    expect((await reader.read()).done).toBe(true);
  });

  it.each([1, 7, 64, 1000])('is the same when it arrives in pieces of %i bytes', async (size) => {
    const pieces = cut(Buffer.from(STREAM.join('')), size);
    for (const model of ROUTES) {
      gateway.provider.enqueue(streamReply(pieces));
      const answer = await gateway.ask({ model, stream: true });
      expect(answer.text).toBe(withId(STREAM, answer.id));
      expect((await gateway.log(answer.id)).response.choices[0].message.content).toBe(WORDS.join(''));
    }
  });

  it.each([undefined, 5])('is decompressed where the provider compressed it (pieces of %s)', async (size) => {
    const pieces = size === undefined ? STREAM : cut(Buffer.from(STREAM.join('')), size);
    for (const model of ROUTES) {
      gateway.provider.enqueue(streamReply(pieces, { gzip: true }));
      const answer = await gateway.ask({ model, stream: true }, { headers: { 'accept-encoding': 'gzip' } });
      expect(answer.headers.get('content-encoding')).toBeNull();
      expect(answer.text).toBe(withId(STREAM, answer.id));
    }
  });

  it.each(['text', 'choices', 'tool-call', 'reasoning', 'refusal', 'structured-output', 'odd-framing'])(
    'keeps what the provider sent: %s',
    async (fixture) => {
      const text = readFileSync(
        new URL(`../../fixtures/openai-chat/${fixture}.sse`, import.meta.url),
        'utf8',
      );
      const expected = framesOf(text);
      for (const model of ROUTES) {
        gateway.provider.enqueue(streamReply(cut(Buffer.from(text), 50)));
        const body = { model, stream: true, stream_options: { include_usage: true } };
        const answer = await gateway.ask(body);
        const [first, ...rest] = framesOf(answer.text);
        const { inference_log_id, ...said } = JSON.parse(first!.data);
        expect(inference_log_id).toBe(answer.id);
        expect([said, ...rest]).toEqual([JSON.parse(expected[0]!.data), ...expected.slice(1)]);
      }
    },
  );

  it.each(ROUTES)(
    'includes usage for the log, which the client gets only where it asked (%s)',
    async (model) => {
      const told = [...STREAM.slice(0, -1), usageChunk, DONE];
      gateway.provider.always(streamReply(told));
      try {
        const without = await gateway.ask({ model, stream: true });
        expect(without.text).toBe(withId(STREAM, without.id));
        const asked = await gateway.ask({ model, stream: true, stream_options: { include_usage: true } });
        expect(asked.text).toBe(withId(told, asked.id));
        for (const [index, { id }] of [without, asked].entries()) {
          expect((await gateway.provider.received(index)).json().stream_options).toEqual({
            include_usage: true,
          });
          expect((await gateway.log(id)).usage).toEqual({ input_tokens: 7, output_tokens: 2 });
        }
      } finally {
        gateway.provider.always(jsonReply({}));
      }
    },
  );

  it.each(ROUTES)('is in the log as one answer (%s)', async (model) => {
    gateway.provider.enqueue(streamReply(STREAM));
    const answer = await gateway.ask({ model, stream: true, metadata: { task: 'faq' } });
    const log = await gateway.log(answer.id);
    expect(log).toMatchObject({
      status: 'success',
      http_status: 200,
      stream: true,
      tags: ['task:faq'],
      request: { model, stream: true },
      response: {
        id: 'chatcmpl-provider-1',
        object: 'chat.completion',
        model: 'large-2024',
        inference_log_id: answer.id,
        choices: [
          { index: 0, message: { role: 'assistant', content: WORDS.join('') }, finish_reason: 'stop' },
        ],
      },
      attempts: [{ status: 'success' }],
    });
    expect(log.timing.time_to_first_token_ms).toBeLessThanOrEqual(log.timing.total_ms);
  });

  it.each(ROUTES)('of many megabytes arrives whole, at the speed of its reader (%s)', async (model) => {
    const big = 'x'.repeat(512 * 1024);
    const stream = [
      STREAM[0]!,
      ...Array.from({ length: 40 }, () => chunk({ content: big })),
      chunk({}, 'stop'),
      DONE,
    ];
    gateway.provider.enqueue(streamReply(stream));
    const answer = await gateway.ask({ model, stream: true });
    expect(answer.text.length).toBe(withId(stream, answer.id).length);
    expect(answer.text === withId(stream, answer.id)).toBe(true);
  });

  it.each(ROUTES)('ends where its provider ends, even without the end marker of the API', async (model) => {
    const stream = STREAM.slice(0, -1);
    gateway.provider.enqueue(streamReply(stream));
    const answer = await gateway.ask({ model, stream: true });
    expect(answer.text).toBe(withId(stream, answer.id));
    expect((await gateway.log(answer.id)).status).toBe('success');
  });

  it.each([
    ['support', 1],
    ['chain', 2],
  ])('without a single event counts as an answer that was cut off (%s)', async (model, tries) => {
    gateway.provider.enqueue(...Array.from({ length: tries }, () => streamReply([': wait\n\n'])));
    const answer = await gateway.ask({ model, stream: true });
    expect([answer.status, answer.json?.error.code]).toEqual([502, 'upstream_unavailable']);
    expect(answer.headers.get('x-sluice-attempts')).toBe(String(tries));
    expect((await gateway.log(answer.id)).attempts.at(-1)).toMatchObject({ status: 'server_error' });
  });

  it('without a single event is followed by the answer of the next model', async () => {
    gateway.provider.enqueue(streamReply([]), streamReply(STREAM));
    const answer = await gateway.ask({ model: 'chain', stream: true });
    expect([answer.status, answer.text]).toEqual([200, withId(STREAM, answer.id)]);
    expect((await gateway.log(answer.id)).attempts).toMatchObject([
      { status: 'server_error' },
      { status: 'success' },
    ]);
  });

  it.each(['patient', 'patient-chain'])(
    'that falls silent ends with an error and no [DONE] (%s)',
    async (model) => {
      const stream = new ControlledStream();
      gateway.provider.enqueue(stream.reply());
      const asked = gateway.ask({ model, stream: true });
      await stream.send(STREAM[0]! + STREAM[1]!);
      const answer = await asked;
      const frames = framesOf(answer.text);
      expect(answer.status).toBe(200);
      expect(JSON.parse(frames.at(-1)!.data)).toEqual({
        error: { message: expect.any(String), type: 'server_error', param: null, code: 'upstream_timeout' },
      });
      expect(frames.slice(0, -1).map(formatFrame).join('')).toBe(withId(STREAM.slice(0, 2), answer.id));
      expect(await (await gateway.provider.received()).answered).toBe(false);
      expect(await gateway.log(answer.id)).toMatchObject({
        status: 'error',
        http_status: 200,
        error: { code: 'upstream_timeout' },
        response: { choices: [{ message: { content: WORDS[0] } }] },
        attempts: [{ status: 'timeout' }],
      });
    },
  );

  it.each(['breaking', 'breaking-chain'])(
    'with an error of the provider in it passes unchanged (%s)',
    async (model) => {
      const error = `data: {"error":{"message":"overloaded","type":"server_error","code":"x"}}\n\n`;
      const stream = [...STREAM.slice(0, 3), error];
      gateway.provider.enqueue(streamReply(stream));
      const answer = await gateway.ask({ model, stream: true });
      expect(answer.text).toBe(withId(stream, answer.id));
      expect(await gateway.log(answer.id)).toMatchObject({
        status: 'error',
        error: { message: 'overloaded' },
      });
    },
  );

  it.each(['breaking', 'breaking-chain'])(
    'that the provider breaks off is cut for the client too (%s)',
    async (model) => {
      const stream = new ControlledStream();
      gateway.provider.enqueue(stream.reply());
      const opened = gateway.open({ model, stream: true });
      await stream.send(STREAM[0]! + STREAM[1]!);
      const response = await opened;
      const reader = response.body!.getReader();
      await readUntil(reader, WORDS[0]!);
      await stream.reset();
      await expect(reader.read()).rejects.toThrow();
      expect(await gateway.log(response.headers.get('x-inference-log-id')!)).toMatchObject({
        status: 'error',
        http_status: 200,
        error: { code: 'upstream_unavailable' },
        response: { choices: [{ message: { content: WORDS[0] } }] },
        attempts: [{ status: 'server_error' }],
      });
    },
  );
});
