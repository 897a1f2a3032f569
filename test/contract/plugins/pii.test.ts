import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/core/json.js';
import { answerReply, dataFrames, streamAnswerReply, streamedText } from '../../support/chat.js';
import { CHAT_PATH, type Gateway } from '../../support/gateway.js';
import {
  ADDRESS,
  asking,
  borrowPiiGateway,
  MESSAGES_PATH,
  RESPONSES_PATH,
} from '../../support/pii-gateway.js';
import { bytesReply, jsonReply, streamReply } from '../../support/replies.js';
import { missingPrograms } from '../../support/start-sluice.js';

const MESSAGE = 'Request contains personally identifiable information and cannot be processed.';

describe.skipIf(missingPrograms !== null)('pii_detection behind the gateway', () => {
  let gateway: Gateway;
  beforeAll(async () => {
    gateway = await borrowPiiGateway();
  });
  afterAll(() => gateway?.stop());
  beforeEach(() => gateway.provider.reset());

  it('rejects a request before any provider receives it', async () => {
    const answer = await gateway.ask({ model: 'rejects', ...asking(`I am ${ADDRESS}`) });
    expect(answer.status).toBe(400);
    expect(answer.json.error).toMatchObject({ code: 'pii_detected', message: MESSAGE });
    expect(answer.headers.get('x-should-retry')).toBe('false');
    expect(gateway.provider.requests).toEqual([]);
    const log = await gateway.log(answer.id);
    expect(log).toMatchObject({
      status: 'rejected',
      http_status: 400,
      request: { messages: [{ role: 'user', content: 'I am <EMAIL_ADDRESS>' }] },
    });
    expect(log.plugin_runs).toMatchObject([
      {
        phase: 'request',
        outcome: 'rejected',
        findings: [{ type: 'EMAIL_ADDRESS', place: '/0/parts/0/text' }],
      },
      { phase: 'response', outcome: 'skipped', reason: expect.any(String) },
    ]);
    expect(JSON.stringify(log)).not.toContain(ADDRESS);
  });

  it('sends on only what it saw, where a request has the same key twice', async () => {
    const twice = `{"content":"I am ${ADDRESS}","role":"user","content":"Hello."}`;
    const body = `{"model":"rejects","messages":[${twice}],"messages":[${twice}]}`;
    expect((await gateway.call('POST', CHAT_PATH, { body })).status).toBe(200);
    expect((await gateway.provider.received()).text).not.toContain(ADDRESS);
  });

  it('rejects in the form of the Messages API too', async () => {
    const body = { model: 'rejects', max_tokens: 10, system: ADDRESS, ...asking('hello') };
    const answer = await gateway.call('POST', MESSAGES_PATH, { body });
    expect(answer.status).toBe(400);
    expect(answer.json.error.message).toBe(`pii_detected: ${MESSAGE}`);
  });

  it.each([
    ['rejects-full', (log: JsonObject) => expect(JSON.stringify(log.request)).toContain(ADDRESS)],
    ['rejects-none', (log: JsonObject) => expect([log.request, log.response]).toEqual([null, null])],
  ])('keeps on the log what %s says', async (model, check) => {
    const answer = await gateway.ask({ model, ...asking(ADDRESS) });
    check(await gateway.log(answer.id));
  });

  it('masks a request and its answer, and logs what was sent on', async () => {
    gateway.provider.enqueue(answerReply(`Writing to ${ADDRESS} now.`));
    const answer = await gateway.ask({ model: 'masks', ...asking(`I am ${ADDRESS}`) });
    expect((await gateway.provider.received()).json().messages).toEqual([
      { role: 'user', content: 'I am <EMAIL_ADDRESS>' },
    ]);
    expect(answer.json.choices[0].message.content).toBe('Writing to <EMAIL_ADDRESS> now.');
    const log = await gateway.log(answer.id);
    expect(log.plugin_runs).toMatchObject([{ outcome: 'modified' }, { outcome: 'modified' }]);
    expect(JSON.stringify(log)).not.toContain(ADDRESS);
  });

  it('logs everything unmasked where the full log is asked for', async () => {
    gateway.provider.enqueue(answerReply(`Writing to ${ADDRESS} now.`));
    const answer = await gateway.ask({ model: 'masks-full', ...asking(`I am ${ADDRESS}`) });
    expect(answer.text).not.toContain(ADDRESS);
    const log = await gateway.log(answer.id);
    expect(JSON.stringify(log.request)).toContain(ADDRESS);
    expect(JSON.stringify(log.response)).toContain(ADDRESS);
  });

  it.each(['masks', 'masks-whole'])('masks a stream, wherever it is cut (%s)', async (model) => {
    const text = `Please write to ${ADDRESS} today. The report is done, and the weather is fine.`;
    for (const size of [1, 3, 10, 40]) {
      const pieces = text.match(new RegExp(`.{1,${size}}`, 'gs')) ?? [];
      gateway.provider.enqueue(streamAnswerReply(...pieces));
      const answer = await gateway.ask({ model, stream: true, ...asking('hello') });
      expect(streamedText(answer.text)).toBe(text.replace(ADDRESS, '<EMAIL_ADDRESS>'));
      expect(dataFrames(answer.text).at(-1)).toBe('[DONE]');
      const log = await gateway.log(answer.id);
      const run = log.plugin_runs.find((one: { phase: string }) => one.phase === 'response');
      expect(run).toMatchObject({
        outcome: 'modified',
        findings: [{ type: 'EMAIL_ADDRESS', start: 16, end: 40 }],
      });
      expect(JSON.stringify(log)).not.toContain(ADDRESS);
    }
  });

  it('rejects a stream with a plain error as long as nothing was sent', async () => {
    gateway.provider.enqueue(streamAnswerReply('I am ', ADDRESS, ', hello.'));
    const answer = await gateway.ask({ model: 'rejects', stream: true, ...asking('hello') });
    expect(answer.status).toBe(400);
    expect(answer.json.error.code).toBe('pii_detected');
    expect(answer.text).not.toContain('anna');
  });

  it('ends a stream with an error once text was sent', async () => {
    const before = 'The weather is fine and the report is done. '.repeat(30);
    gateway.provider.enqueue(streamAnswerReply(before, before, 'I am ', ADDRESS, ', hello.'));
    const answer = await gateway.ask({ model: 'rejects', stream: true, ...asking('hello') });
    expect(answer.status).toBe(200);
    expect(answer.text).toContain('The weather is fine');
    expect(JSON.parse(dataFrames(answer.text).at(-1)!).error.code).toBe('pii_detected');
    expect(answer.text).not.toContain('anna');
    expect((await gateway.log(answer.id)).status).toBe('rejected');
  });

  it('checks arguments of tool calls and reasoning in a stream', async () => {
    const chunk = (delta: JsonObject, finish: string | null = null) =>
      `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
    const call = (piece: string, start: JsonObject = {}) =>
      chunk({
        tool_calls: [
          { index: 0, ...start, function: { ...(start.id ? { name: 'mail' } : {}), arguments: piece } },
        ],
      });
    gateway.provider.enqueue(
      streamReply([
        chunk({ role: 'assistant', reasoning_content: 'The user is anna.sch' }),
        chunk({ reasoning_content: 'midt@example.org.' }),
        call('', { id: 'call_1', type: 'function' }),
        call('{"to":"anna.schmidt@'),
        call('example.org"}'),
        chunk({}, 'tool_calls'),
        'data: [DONE]\n\n',
      ]),
    );
    const answer = await gateway.ask({ model: 'masks', stream: true, ...asking('hello') });
    const deltas = dataFrames(answer.text)
      .filter((frame) => frame !== '[DONE]')
      .map((frame) => JSON.parse(frame).choices[0].delta);
    expect(deltas.map((delta) => delta.reasoning_content ?? '').join('')).toBe(
      'The user is <EMAIL_ADDRESS>.',
    );
    const pieces = deltas.map((delta) => delta.tool_calls?.[0].function.arguments ?? '');
    expect(pieces.join('')).toBe('{"to":"<EMAIL_ADDRESS>"}');
  });

  it('masks a stream of the Messages API', async () => {
    const event = (type: string, data: JsonObject) =>
      `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`;
    const message = {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: 'c',
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: { input_tokens: 1, output_tokens: 1 },
    };
    const text = (piece: string) =>
      event('content_block_delta', { index: 0, delta: { type: 'text_delta', text: piece } });
    gateway.provider.enqueue(
      streamReply([
        event('message_start', { message }),
        event('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }),
        ...['Write to anna.', 'schmidt@exam', 'ple.org now.'].map(text),
        event('content_block_stop', { index: 0 }),
        event('message_delta', {
          delta: { stop_reason: 'end_turn', stop_sequence: null },
          usage: { output_tokens: 5 },
        }),
        event('message_stop', {}),
      ]),
    );
    const body = { model: 'claude-masks', max_tokens: 10, stream: true, ...asking('hello') };
    const answer = await gateway.call('POST', MESSAGES_PATH, { body });
    const frames = dataFrames(answer.text.replaceAll(/event: .*\n/g, '')).map((frame) => JSON.parse(frame));
    expect(frames.map((frame) => frame.delta?.text ?? '').join('')).toBe('Write to <EMAIL_ADDRESS> now.');
    expect(frames.at(-1).type).toBe('message_stop');
  });

  it('masks a stream of the Responses API, also where it repeats the whole text', async () => {
    const event = (type: string, data: JsonObject) =>
      `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`;
    const text = `Write to ${ADDRESS} now.`;
    const part = { type: 'output_text', text, annotations: [], logprobs: [{ token: 'anna', logprob: 0 }] };
    const item = { id: 'msg_1', type: 'message', role: 'assistant', status: 'completed', content: [part] };
    const place = { item_id: 'msg_1', output_index: 0, content_index: 0 };
    const response = (output: JsonObject[], status: string) => {
      return { id: 'resp_1', object: 'response', created_at: 1, model: 'r', status, output, error: null };
    };
    gateway.provider.enqueue(
      streamReply([
        event('response.created', { response: response([], 'in_progress') }),
        event('response.output_item.added', {
          output_index: 0,
          item: { ...item, status: 'in_progress', content: [] },
        }),
        event('response.content_part.added', { ...place, part: { ...part, text: '', logprobs: [] } }),
        ...['Write to anna.', 'schmidt@exam', 'ple.org now.'].map((delta) =>
          event('response.output_text.delta', { ...place, delta }),
        ),
        event('response.output_text.done', { ...place, text }),
        event('response.content_part.done', { ...place, part }),
        event('response.output_item.done', { output_index: 0, item }),
        event('response.completed', { response: response([item], 'completed') }),
      ]),
    );
    const body = { model: 'responses-masks', stream: true, input: 'hello' };
    const answer = await gateway.call('POST', RESPONSES_PATH, { body });
    expect(answer.status).toBe(200);
    expect(answer.text).not.toContain('anna');
    const frames = dataFrames(answer.text.replaceAll(/event: .*\n/g, '')).map((frame) => JSON.parse(frame));
    expect(frames.at(-1).response.output[0].content[0].text).toBe('Write to <EMAIL_ADDRESS> now.');
  });

  it('masks an answer whatever content type its server declares', async () => {
    const completion = {
      id: 'c',
      object: 'chat.completion',
      choices: [{ index: 0, message: { role: 'assistant', content: ADDRESS }, finish_reason: 'stop' }],
    };
    const headers = { 'content-type': 'text/plain' };
    gateway.provider.enqueue(bytesReply(JSON.stringify(completion), { headers }));
    const answer = await gateway.ask({ model: 'masks', ...asking('hello') });
    expect(answer.json.choices[0].message.content).toBe('<EMAIL_ADDRESS>');
    gateway.provider.enqueue(streamAnswerReply('I am ', ADDRESS, '.'));
    const chunks = dataFrames((await gateway.ask({ model: 'notes', stream: true, ...asking('hello') })).text);
    const text = chunks.map((chunk) => `data: ${chunk}\n\n`).join('');
    gateway.provider.enqueue(bytesReply(text, { headers }));
    const streamed = await gateway.ask({ model: 'masks', stream: true, ...asking('hello') });
    expect(streamedText(streamed.text)).toBe('I am <EMAIL_ADDRESS>.');
  });

  it('lets the error of a provider pass unchanged', async () => {
    const error = {
      error: { message: `no ${ADDRESS}`, type: 'invalid_request_error', code: 'x', param: null },
    };
    gateway.provider.enqueue(jsonReply(error, { status: 400 }), bytesReply('<html>', { status: 404 }));
    const answer = await gateway.ask({ model: 'masks', ...asking('hello') });
    expect([answer.status, answer.json]).toEqual([400, error]);
    const log = await gateway.log(answer.id);
    expect(log.plugin_runs).toMatchObject([{ phase: 'request' }, { phase: 'response', outcome: 'skipped' }]);
    expect((await gateway.ask({ model: 'masks', ...asking('hello') })).text).toBe('<html>');
  });

  it('notes on the log what was found in request and answer', async () => {
    gateway.provider.enqueue(answerReply(`Writing to ${ADDRESS} now.`));
    const answer = await gateway.ask({ model: 'notes', ...asking('hello') });
    expect(answer.text).toContain(ADDRESS);
    await expect
      .poll(async () => (await gateway.log(answer.id)).plugin_runs, { timeout: 20_000 })
      .toMatchObject([
        {
          phase: 'log',
          outcome: 'passed',
          findings: [{ type: 'EMAIL_ADDRESS', place: '/response/choices/0/message/content' }],
        },
      ]);
  });
});
