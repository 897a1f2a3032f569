import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '../../../src/core/json.js';
import {
  BAD,
  borrowChains,
  type Chains,
  chainEndpoint,
  GOOD,
  PERSON,
  wanting,
} from '../../support/chains.js';
import {
  answerReply,
  type ChatAnswer,
  chunk,
  dataFrames,
  streamAnswerReply,
  streamedText,
  USAGE_CHUNK,
} from '../../support/chat.js';
import { ControlledStream, jsonReply, type Reply, streamReply } from '../../support/replies.js';
import { missingPrograms } from '../../support/start-sluice.js';

const CHECKED = { json_validation: true };
const FENCED = `\`\`\`json\n${GOOD}\n\`\`\``;

let chains: Chains;

beforeAll(async () => {
  if (missingPrograms !== null) return;
  const mixed: JsonObject[] = [
    { provider: 'first', model: 'plain' },
    { provider: 'second', model: 'json', structured_output: true },
  ];
  chains = await borrowChains({
    endpoints: [
      chainEndpoint('pair', ['first', 'second'], CHECKED),
      chainEndpoint('lone', ['first'], CHECKED),
      chainEndpoint('unchecked', ['first']),
      chainEndpoint('elsewhere', ['third']),
      chainEndpoint('explaining', ['first', 'second', 'third'], { ...CHECKED, explain_invalid: true }),
      chainEndpoint('unwrapping', ['first', 'second'], { ...CHECKED, unwrap_fences: true }),
      { name: 'structured', models: mixed, ...CHECKED },
      { name: 'prompting', models: mixed, schema_in_prompt: true, ...CHECKED },
    ],
  });
});
afterAll(() => chains?.stop());
beforeEach(() => {
  chains?.reset();
  for (const provider of chains?.providers ?? []) provider.always(answerReply(GOOD));
});

type Message = { role: string; content: string };
const messagesOf = (request: { json(): JsonObject }) => request.json().messages as Message[];
const errorOf = (answer: ChatAnswer) => (answer.json as { error: JsonObject }).error;
const contentOf = (answer: ChatAnswer) =>
  (answer.json as { choices: { message: Message }[] }).choices[0]!.message.content;

const choiceReply = (...choices: JsonObject[]): Reply =>
  answerReply('', { choices: choices.map((choice, index) => ({ index, finish_reason: 'stop', ...choice })) });
const said = (content: string | null, more: JsonObject = {}) => ({
  message: { role: 'assistant', content, ...more },
});
const TOOL_CALL = { id: 'call_1', type: 'function', function: { name: 'look', arguments: '{}' } };

const streamOf = (...chunks: string[]) => streamReply([...chunks, USAGE_CHUNK, 'data: [DONE]\n\n']);

describe.skipIf(missingPrograms !== null)('the schema', () => {
  test('goes to models with structured output, and is removed from the request for others', async () => {
    chains.first.always(answerReply(BAD));
    await chains.ask('structured', { ...wanting(), seed: 1 });
    const [plain, json] = [await chains.first.received(), await chains.second.received()];
    expect(plain.json()).toEqual({ model: 'plain', messages: [{ role: 'user', content: 'Hello' }], seed: 1 });
    expect(json.json()).toEqual({
      model: 'json',
      messages: [{ role: 'user', content: 'Hello' }],
      seed: 1,
      ...wanting(),
    });
  });

  test('is put into the system prompt for models without structured output, where the endpoint says so', async () => {
    chains.first.always(answerReply(BAD));
    const messages = [
      { role: 'system', content: 'Be kind.' },
      { role: 'user', content: 'Hello' },
    ];
    await chains.ask('prompting', { ...wanting(), messages });
    const [plain, json] = [await chains.first.received(), await chains.second.received()];
    const [system, ...rest] = messagesOf(plain);
    expect(plain.json().response_format).toBeUndefined();
    expect(system!.role).toBe('system');
    expect(system!.content.startsWith('Be kind.\n\n')).toBe(true);
    expect(system!.content).toContain(JSON.stringify(PERSON));
    expect(rest).toEqual(messages.slice(1));
    expect(json.json()).toMatchObject({ messages, ...wanting() });
  });

  test('is not checked where the endpoint does not validate', async () => {
    chains.first.always(answerReply(BAD));
    const answer = await chains.ask('unchecked', wanting());
    expect([answer.status, contentOf(answer)]).toEqual([200, BAD]);
  });

  test('may be `false`, which no output satisfies', async () => {
    expect((await chains.ask('lone', wanting(false))).status).toBe(422);
  });

  test('does not change the output: no coercion, no defaults, nothing removed', async () => {
    const schema = {
      type: 'object',
      properties: { n: { type: 'number' }, d: { default: 1 } },
      required: ['n'],
    };
    chains.first.enqueue(answerReply('{"n":"1"}'), answerReply(' {"n":1.0,  "more":[]} '));
    expect((await chains.ask('lone', wanting(schema))).status).toBe(422);
    expect(contentOf(await chains.ask('lone', wanting(schema)))).toBe(' {"n":1.0,  "more":[]} ');
  });
});

describe.skipIf(missingPrograms !== null)('an invalid output', () => {
  test.each([false, true])(
    'is 422 with the place of the mistake, and without a byte of the output (stream: %s)',
    async (stream) => {
      chains.first.always(stream ? streamAnswerReply('{"na', 'me":12}') : answerReply(BAD));
      const answer = await chains.ask('lone', { ...wanting(), stream });
      expect(answer.status).toBe(422);
      expect(answer.headers.get('content-type')).toBe('application/json');
      expect(answer.headers.get('x-should-retry')).toBe('false');
      expect(answer.headers.get('x-sluice-attempts')).toBe('1');
      expect(errorOf(answer)).toMatchObject({
        code: 'output_validation_failed',
        message: expect.stringContaining('/name'),
      });
      expect(answer.text).not.toContain('12');
      expect(await chains.log(answer)).toMatchObject({
        status: 'invalid_output',
        http_status: 422,
        model: null,
        attempts: [
          {
            status: 'invalid_output',
            http_status: 200,
            error: { path: '/name', message: expect.any(String) },
            usage: { input_tokens: 7, output_tokens: 3 },
          },
        ],
      });
    },
  );

  test('is explained to the next model where the endpoint says so, and to the one after it', async () => {
    chains.first.always(answerReply(BAD));
    chains.second.always(answerReply('{"name":"Ann","more":1}'));
    const answer = await chains.ask('explaining', wanting());
    expect(answer.headers.get('x-sluice-attempts')).toBe('3');
    const [one, two, three] = await Promise.all(
      chains.providers.map(async (provider) => messagesOf(await provider.received())),
    );
    const asked = { role: 'user', content: 'Hello' };
    const told = (place: string) => ({ role: 'user', content: expect.stringContaining(place) });
    expect(one).toEqual([asked]);
    expect(two).toEqual([asked, { role: 'assistant', content: BAD }, told('/name')]);
    expect(three).toEqual([asked, { role: 'assistant', content: '{"name":"Ann","more":1}' }, told('more')]);
    // What was told to a model is no part of what the client asked.
    expect((await chains.log(answer)).request.messages).toEqual([asked]);
  });

  test('is not explained where the endpoint does not say so', async () => {
    chains.first.always(answerReply(BAD));
    await chains.ask('pair', wanting());
    expect(messagesOf(await chains.second.received())).toEqual([{ role: 'user', content: 'Hello' }]);
  });
});

describe.skipIf(missingPrograms !== null)('what an answer means', () => {
  interface Row {
    what: string;
    plain: Reply;
    stream: Reply;
    /** Where it is invalid: what the record says of it. */
    invalid?: { path: string; message: RegExp };
  }

  const refused = said(null, { refusal: 'I will not.' });
  const ROWS: Row[] = [
    {
      what: 'a refusal is accepted',
      plain: choiceReply(refused),
      stream: streamOf(chunk({ role: 'assistant', refusal: 'I will not.' }), chunk({}, 'stop')),
    },
    {
      what: 'a tool call without text is accepted',
      plain: choiceReply({ ...said(null, { tool_calls: [TOOL_CALL] }), finish_reason: 'tool_calls' }),
      stream: streamOf(chunk({ tool_calls: [{ index: 0, ...TOOL_CALL }] }), chunk({}, 'tool_calls')),
    },
    {
      what: 'what the provider’s filter withheld is accepted',
      plain: choiceReply({ ...said('{"na'), finish_reason: 'content_filter' }),
      stream: streamOf(chunk({ content: '{"na' }), chunk({}, 'content_filter')),
    },
    {
      what: 'an output cut by the token limit is invalid, also where what came is valid',
      plain: choiceReply({ ...said(GOOD), finish_reason: 'length' }),
      stream: streamOf(chunk({ content: GOOD }), chunk({}, 'length')),
      invalid: { path: '', message: /cut/ },
    },
    {
      what: 'an empty output is invalid',
      plain: choiceReply(said('')),
      stream: streamOf(chunk({ role: 'assistant', content: '' }), chunk({}, 'stop')),
      invalid: { path: '', message: /empty/ },
    },
    {
      what: 'an answer without choices is invalid',
      plain: choiceReply(),
      stream: streamReply(['data: [DONE]\n\n']),
      invalid: { path: '', message: /empty|format/ },
    },
    {
      what: 'text beside a tool call is checked',
      plain: choiceReply({ ...said(BAD, { tool_calls: [TOOL_CALL] }), finish_reason: 'tool_calls' }),
      stream: streamOf(
        chunk({ content: BAD }),
        chunk({ tool_calls: [{ index: 0, ...TOOL_CALL }] }),
        chunk({}, 'tool_calls'),
      ),
      invalid: { path: '/name', message: /string/ },
    },
    {
      what: 'JSON in a fence is invalid',
      plain: answerReply(FENCED),
      stream: streamAnswerReply(FENCED),
      invalid: { path: '', message: /fence|JSON/ },
    },
    {
      what: 'prose around JSON is invalid',
      plain: answerReply(`Here it is: ${GOOD}`),
      stream: streamAnswerReply('Here it is: ', GOOD),
      invalid: { path: '', message: /JSON/ },
    },
    {
      what: 'several choices that are all valid are accepted',
      plain: choiceReply(said(GOOD), said(GOOD)),
      stream: streamOf(
        inChoice(0, GOOD),
        inChoice(1, GOOD),
        inChoice(0, '', 'stop'),
        inChoice(1, '', 'stop'),
      ),
    },
    {
      what: 'several choices of which one is invalid are invalid, by its place',
      plain: choiceReply(said(GOOD), said(BAD)),
      stream: streamOf(inChoice(1, BAD), inChoice(0, GOOD), inChoice(0, '', 'stop'), inChoice(1, '', 'stop')),
      invalid: { path: '/choices/1/name', message: /string/ },
    },
  ];

  for (const { what, plain, stream, invalid } of ROWS) {
    for (const streamed of [false, true]) {
      test(`${what} (${streamed ? 'stream' : 'plain'})`, async () => {
        chains.first.always(streamed ? stream : plain);
        chains.second.always(streamed ? streamAnswerReply(GOOD) : answerReply(GOOD));
        const answer = await chains.ask('pair', { ...wanting(), stream: streamed });
        expect(answer.status, answer.text).toBe(200);
        const { attempts } = await chains.log(answer);
        if (invalid === undefined) {
          expect(attempts).toMatchObject([{ status: 'success', error: null }]);
          return;
        }
        expect(attempts).toMatchObject([
          {
            status: 'invalid_output',
            error: { path: invalid.path, message: expect.stringMatching(invalid.message) },
          },
          { status: 'success' },
        ]);
        expect(streamed ? streamedText(answer.text) : contentOf(answer)).toBe(GOOD);
      });
    }
  }

  test('a refusal passes to the client unchanged', async () => {
    chains.first.always(choiceReply(refused));
    const answer = await chains.ask('pair', wanting());
    expect(answer.json).toMatchObject({ choices: [{ message: { content: null, refusal: 'I will not.' } }] });
  });
});

describe.skipIf(missingPrograms !== null)('with unwrap_fences', () => {
  test('the client gets the bare JSON, and the rest of the answer unchanged', async () => {
    const reply = jsonReply({
      id: 'chatcmpl-9',
      object: 'chat.completion',
      choices: [{ index: 0, ...said(FENCED), finish_reason: 'stop', logprobs: null, more: { a: 1 } }],
      extra: 'kept',
    });
    chains.first.always(reply);
    const answer = await chains.ask('unwrapping', wanting());
    expect(answer.json).toEqual({
      inference_log_id: answer.id,
      id: 'chatcmpl-9',
      object: 'chat.completion',
      choices: [{ index: 0, ...said(GOOD), finish_reason: 'stop', logprobs: null, more: { a: 1 } }],
      extra: 'kept',
    });
    expect((await chains.log(answer)).response.choices[0].message.content).toBe(GOOD);
  });

  test('a stream has the bare JSON, its finish reason, its usage if asked for, and its end', async () => {
    chains.first.always(streamAnswerReply('```js', 'on\n{"name"', ':"Ann"}\n`', '``'));
    const body = { ...wanting(), stream: true, stream_options: { include_usage: true } };
    const answer = await chains.ask('unwrapping', body);
    expect(answer.headers.get('content-type')).toContain('text/event-stream');
    expect(streamedText(answer.text)).toBe(GOOD);
    const frames = dataFrames(answer.text);
    expect(frames.at(-1)).toBe('[DONE]');
    const chunks = frames.slice(0, -1).map((frame) => JSON.parse(frame));
    expect(chunks[0]).toMatchObject({ inference_log_id: answer.id, object: 'chat.completion.chunk' });
    expect(chunks.map(({ choices }) => choices[0]?.finish_reason).filter(Boolean)).toEqual(['stop']);
    expect(chunks.filter(({ usage }) => usage)).toMatchObject([{ usage: { prompt_tokens: 7 } }]);
  });

  test('the content of the fence is still validated', async () => {
    chains.first.always(answerReply(`\`\`\`json\n${BAD}\n\`\`\``));
    const answer = await chains.ask('unwrapping', wanting());
    expect(answer.headers.get('x-sluice-attempts')).toBe('2');
  });

  test('a fence stays where the request has no schema', async () => {
    chains.first.always(answerReply(FENCED));
    expect(contentOf(await chains.ask('unwrapping'))).toBe(FENCED);
  });
});

describe.skipIf(missingPrograms !== null)('a stream that is validated', () => {
  test('is sent frame by frame once it was validated: unchanged, with the log id', async () => {
    const sent = [
      ': hello\n\n',
      chunk({ role: 'assistant', content: '' }).replace('"choices"', '"x":1.0,"choices"'),
      chunk({ content: '{"name"' }),
      chunk({ content: ':"Ann"}' }),
      chunk({}, 'stop'),
      'data: [DONE]\n\n',
    ];
    chains.first.always(streamReply(sent));
    const answer = await chains.ask('pair', { ...wanting(), stream: true });
    const frames = dataFrames(answer.text);
    const expected = dataFrames(sent.join(''));
    expect(JSON.parse(frames[0]!)).toEqual({ ...JSON.parse(expected[0]!), inference_log_id: answer.id });
    expect(frames[0]).toContain('"x":1.0');
    expect(frames.slice(1)).toEqual(expected.slice(1));
  });

  test('is held back: until it is complete, its client gets not even a status', async () => {
    const stream = new ControlledStream();
    chains.first.always(stream.reply());
    let answered = false;
    const asked = chains.ask('pair', { ...wanting(), stream: true }).finally(() => {
      answered = true;
    });
    await stream.send(chunk({ role: 'assistant', content: '{"name"' }));
    // A whole other request goes through meanwhile.
    expect((await chains.ask('elsewhere')).status).toBe(200);
    expect(answered).toBe(false);
    await stream.send(`${chunk({ content: ':7}' })}${chunk({}, 'stop')}data: [DONE]\n\n`);
    await stream.end();
    chains.second.always(streamAnswerReply(GOOD));
    const answer = await asked;
    // The invalid one left no trace.
    expect(answer.headers.get('x-sluice-model')).toBe('second/pair');
    expect(streamedText(answer.text)).toBe(GOOD);
  });

  test('may be answered by plain JSON, which is validated as well', async () => {
    chains.first.always(answerReply(BAD));
    const answer = await chains.ask('pair', { ...wanting(), stream: true });
    expect(answer.headers.get('x-sluice-attempts')).toBe('2');
    expect(contentOf(answer)).toBe(GOOD);
  });
});

function inChoice(index: number, content: string, finish: string | null = null): string {
  const value: JsonValue = JSON.parse(chunk({ content }, finish).slice('data: '.length));
  ((value as JsonObject).choices as JsonObject[])[0]!.index = index;
  return `data: ${JSON.stringify(value)}\n\n`;
}
