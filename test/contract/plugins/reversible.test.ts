import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/core/json.js';
import { answerReply, chunk, dataFrames, streamAnswerReply, streamedText } from '../../support/chat.js';
import { borrowGateway, type Gateway } from '../../support/gateway.js';
import { jsonReply, type Reply, streamReply } from '../../support/replies.js';
import { missingPrograms } from '../../support/start-sluice.js';

/* What a request hides from the model, and what the model then says of it. test/contract/dialects/guards has the APIs. */

const NAME = 'Katherine Miller';
const ADDRESS = 'kate.miller@example.com';
/** Findings that JSON has to escape. */
const QUOTED = 'agent "K"';
const HIDDEN = [NAME, ADDRESS, 'agent', 'Miller', 'kate'];

const guard = (mask: string, more: JsonObject = {}): JsonObject => ({
  plugin: 'pii_detection',
  config: { reject_on_detection: false, mask, deny_list: [QUOTED], ...more },
  timeout_ms: 20_000,
  on_error: 'reject',
});
const asking = (content: string) => ({ messages: [{ role: 'user', content }] });

const schema = (properties: JsonObject): JsonObject => ({
  response_format: {
    type: 'json_schema',
    json_schema: {
      name: 'mail',
      schema: {
        type: 'object',
        properties,
        required: Object.keys(properties),
        additionalProperties: false,
      },
    },
  },
});
const tool = (name: string, properties: JsonObject): JsonObject => ({
  tools: [{ type: 'function', function: { name, parameters: { type: 'object', properties } } }],
  tool_choice: 'required',
});

/** An answer that calls `mail` with these arguments. */
const callReply = (args: string): Reply =>
  jsonReply({
    id: 'c',
    object: 'chat.completion',
    created: 1,
    model: 'm',
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'mail', arguments: args } }],
        },
        finish_reason: 'tool_calls',
      },
    ],
  });
const callStream = (pieces: readonly string[]): Reply => {
  const call = (value: JsonObject) => chunk({ tool_calls: [{ index: 0, ...value }] });
  return streamReply([
    call({ id: 'call_1', type: 'function', function: { name: 'mail', arguments: '' } }),
    ...pieces.map((piece) => call({ function: { arguments: piece } })),
    chunk({}, 'tool_calls'),
    'data: [DONE]\n\n',
  ]);
};
const piecesOf = (text: string, size: number) => text.match(new RegExp(`.{1,${size}}`, 'gsu')) ?? [];

describe.skipIf(missingPrograms !== null)('masks that are undone for the client', () => {
  let gateway: Gateway;
  beforeAll(async () => {
    const models = [{ provider: 'fake', model: 'large' }];
    const two = [...models, { provider: 'fake', model: 'larger' }];
    gateway = await borrowGateway({
      endpoints: [
        { name: 'plain', models, plugins: [guard('reversible')] },
        { name: 'request', models, plugins: [{ ...guard('reversible'), phases: ['request'] }] },
        { name: 'strict', models: two, json_validation: { tools: 'all' }, plugins: [guard('reversible')] },
        {
          name: 'explains',
          models: two,
          json_validation: true,
          explain_invalid: true,
          plugins: [guard('reversible')],
        },
        { name: 'stands-in', models, plugins: [guard('surrogate')] },
        { name: 'full', models, log_content: 'full', plugins: [guard('reversible')] },
        {
          name: 'twice',
          models,
          plugins: [
            { ...guard('surrogate'), phases: ['request'] },
            { ...guard('reversible', { reject_on_detection: true, mask: false }), phases: ['response'] },
          ],
        },
        {
          name: 'secrets',
          models,
          plugins: [
            { plugin: 'secrets_detection', config: { reject_on_detection: false, mask: 'reversible' } },
          ],
        },
      ],
    });
  });
  afterAll(() => gateway?.stop());
  beforeEach(() => gateway.provider.reset());

  const received = async () => JSON.parse((await gateway.provider.received()).text);

  async function expectHidden(id: string): Promise<JsonObject> {
    const log = await gateway.log(id);
    for (const text of HIDDEN) expect(JSON.stringify(log)).not.toContain(text);
    for (const { text } of gateway.provider.requests)
      for (const one of HIDDEN) expect(text).not.toContain(one);
    return log;
  }

  it('number the findings of a conversation, with the same numbers in its next turn', async () => {
    const turns = [
      { role: 'user', content: `I am ${NAME}, ${ADDRESS}.` },
      { role: 'assistant', content: `Hello ${NAME}.` },
      { role: 'user', content: `Write to John Carpenter, not to ${ADDRESS}.` },
    ];
    gateway.provider.enqueue(answerReply('Hello <PERSON_1>.'), answerReply('Done.'));
    const first = await gateway.ask({ model: 'plain', messages: turns.slice(0, 1) });
    const second = await gateway.ask({ model: 'plain', messages: turns });
    expect(first.json.choices[0].message.content).toBe(`Hello ${NAME}.`);
    expect(gateway.provider.requests.map((request) => request.json().messages)).toEqual([
      [{ role: 'user', content: 'I am <PERSON_1>, <EMAIL_ADDRESS_1>.' }],
      [
        { role: 'user', content: 'I am <PERSON_1>, <EMAIL_ADDRESS_1>.' },
        { role: 'assistant', content: 'Hello <PERSON_1>.' },
        { role: 'user', content: 'Write to <PERSON_2>, not to <EMAIL_ADDRESS_1>.' },
      ],
    ]);
    await expectHidden(first.id);
    await expectHidden(second.id);
  });

  it.each([false, true])(
    'are marked in the log, apart from what the client got (stream: %s)',
    async (stream) => {
      const reply = (text: string) => (stream ? streamAnswerReply(...piecesOf(text, 3)) : answerReply(text));
      const text = 'Hello <PERSON_1>, ask Jane Doe.';
      const got = `Hello ${NAME}, ask Jane Doe.`;
      const shown = (body: unknown) => JSON.stringify(body);
      gateway.provider.enqueue(reply(text), reply(text));
      const full = await gateway.log(
        (await gateway.ask({ model: 'full', stream, ...asking(`I am ${NAME}.`) })).id,
      );
      expect(full).toMatchObject({ request_kept: 'as_it_was', client_response_kept: 'as_it_was' });
      expect(shown(full.request)).toContain(NAME);
      expect(shown(full.response)).toContain(text);
      expect(shown(full.client_response)).toContain(got);
      expect(full.preview).toEqual({ input: `I am ${NAME}.`, output: got });
      const masked = await expectHidden(
        (await gateway.ask({ model: 'plain', stream, ...asking(`I am ${NAME}.`) })).id,
      );
      expect(masked).toMatchObject({
        request_kept: 'masked',
        response_kept: 'masked',
        client_response_kept: 'masked',
        caller: expect.stringMatching(/^key:/),
      });
      expect(masked.preview).toEqual({
        input: 'I am <PERSON_1>.',
        output: 'Hello <PERSON_1>, ask <PERSON_A1>.',
      });
      expect(masked).not.toHaveProperty('client_response');
      expect(shown(masked)).not.toContain('Jane Doe');
      expect(shown(masked.response)).toContain('Hello <PERSON_1>, ask <PERSON_A1>.');
    },
  );

  it('leave alone what the client itself typed in the form of a mask', async () => {
    gateway.provider.enqueue(answerReply('<PERSON_1> is a placeholder, <PERSON_2> is you.'));
    const answer = await gateway.ask({ model: 'plain', ...asking(`I am ${NAME}. What is <PERSON_1>?`) });
    expect((await received()).messages[0].content).toBe('I am <PERSON_2>. What is <PERSON_1>?');
    expect(answer.json.choices[0].message.content).toBe(`<PERSON_1> is a placeholder, ${NAME} is you.`);
  });

  it.each(['plain', 'request'])('are undone in a stream, wherever it is cut (%s)', async (model) => {
    const text = 'Dear <PERSON_1>, 1 < 2, and <PERSON_9> or <PERSON_1>: <EMAIL_ADDRESS_1>. Bye <';
    for (const size of [1, 2, 5, 11, 100]) {
      gateway.provider.enqueue(streamAnswerReply(...piecesOf(text, size)));
      const answer = await gateway.ask({ model, stream: true, ...asking(`I am ${NAME}, ${ADDRESS}.`) });
      expect(streamedText(answer.text)).toBe(
        `Dear ${NAME}, 1 < 2, and <PERSON_9> or ${NAME}: ${ADDRESS}. Bye <`,
      );
      expect(dataFrames(answer.text).at(-1)).toBe('[DONE]');
      const log = await expectHidden(answer.id);
      expect(JSON.stringify(log.response)).toContain('Dear <PERSON_1>, 1 < 2');
    }
  });

  it('do not hold up a stream while they are looked for', async () => {
    gateway.provider.enqueue(streamAnswerReply('The weather', ' is fine.', ' Bye.'));
    const answer = await gateway.ask({ model: 'request', stream: true, ...asking(`I am ${NAME}.`) });
    const texts = dataFrames(answer.text).filter((frame) => frame.includes('"content":"'));
    expect(texts.length).toBeGreaterThanOrEqual(3);
  });

  const ARGUMENTS = '{"to":"<EMAIL_ADDRESS_1>","text":"Hi\\n\\u003cDENY_LIST_1\\u003e!"}';
  const CALLED = { to: ADDRESS, text: `Hi\n${QUOTED}!` };
  it.each(['plain', 'request'])(
    'are undone in the arguments of a call, escaped for JSON (%s)',
    async (model) => {
      const question = asking(`I am ${QUOTED}, ${ADDRESS}.`);
      gateway.provider.enqueue(callReply(ARGUMENTS));
      const answer = await gateway.ask({ model, ...tool('mail', {}), ...question });
      const { function: called } = answer.json.choices[0].message.tool_calls[0];
      expect(JSON.parse(called.arguments)).toEqual(CALLED);
      await expectHidden(answer.id);
      for (const size of [1, 3, 8]) {
        gateway.provider.enqueue(callStream(piecesOf(ARGUMENTS, size)));
        const stream = await gateway.ask({ model, stream: true, ...tool('mail', {}), ...question });
        const pieces = dataFrames(stream.text)
          .filter((frame) => frame !== '[DONE]')
          .map((frame) => JSON.parse(frame).choices[0]?.delta.tool_calls?.[0].function.arguments ?? '');
        expect(JSON.parse(pieces.join(''))).toEqual(CALLED);
        await expectHidden(stream.id);
      }
    },
  );

  it('are recognized in the arguments of earlier calls, and keep their number', async () => {
    const call = {
      id: 'call_1',
      type: 'function',
      function: { name: 'mail', arguments: JSON.stringify(CALLED) },
    };
    gateway.provider.enqueue(answerReply('Sent.'));
    await gateway.ask({
      model: 'plain',
      messages: [
        { role: 'user', content: `I am ${QUOTED}, ${ADDRESS}.` },
        { role: 'assistant', content: null, tool_calls: [call] },
        { role: 'tool', tool_call_id: 'call_1', content: `Sent to ${ADDRESS}.` },
      ],
    });
    const { messages } = await received();
    expect(JSON.parse(messages[1].tool_calls[0].function.arguments).to).toBe('<EMAIL_ADDRESS_1>');
    expect(messages[2].content).toBe('Sent to <EMAIL_ADDRESS_1>.');
  });

  it.each([false, true])('are undone before an output is validated (stream: %s)', async (stream) => {
    const properties = {
      name: { const: QUOTED },
      mail: { type: 'string', pattern: '^[a-z.]+@example.com$' },
    };
    const text = '{"name":"<DENY_LIST_1>","mail":"<EMAIL_ADDRESS_1>"}';
    gateway.provider.enqueue(stream ? streamAnswerReply(...piecesOf(text, 7)) : answerReply(text));
    const request = { ...asking(`I am ${QUOTED}, ${ADDRESS}.`), ...schema(properties), stream };
    const answer = await gateway.ask({ model: 'strict', ...request });
    const output = stream ? streamedText(answer.text) : answer.json.choices[0].message.content;
    expect(JSON.parse(output)).toEqual({ name: QUOTED, mail: ADDRESS });
    const log = await gateway.log(answer.id);
    expect(log).toMatchObject({ status: 'success', attempts: [{ status: 'success' }] });
    expect(JSON.stringify(log.response)).toContain('<EMAIL_ADDRESS_1>');
    for (const hidden of HIDDEN) expect(JSON.stringify(log)).not.toContain(hidden);
  });

  it('are undone before the arguments of a call are validated, and the next model gets the same ones', async () => {
    const properties = { to: { type: 'string', pattern: '^kate' } };
    gateway.provider.enqueue(
      callReply('{"to":"<EMAIL_ADDRESS_2>"}'),
      callReply('{"to":"<EMAIL_ADDRESS_1>"}'),
    );
    const answer = await gateway.ask({
      model: 'strict',
      ...tool('mail', properties),
      ...asking(`I am ${ADDRESS}.`),
    });
    expect(JSON.parse(answer.json.choices[0].message.tool_calls[0].function.arguments)).toEqual({
      to: ADDRESS,
    });
    expect(gateway.provider.requests.map((request) => request.json().messages)).toEqual([
      [{ role: 'user', content: 'I am <EMAIL_ADDRESS_1>.' }],
      [{ role: 'user', content: 'I am <EMAIL_ADDRESS_1>.' }],
    ]);
    const log = await expectHidden(answer.id);
    expect(log.attempts).toMatchObject([{ status: 'invalid_output' }, { status: 'success' }]);
  });

  it('stay in what a model is told about why an output was invalid', async () => {
    const text = '{"<PERSON_1>":1,"mail":"<EMAIL_ADDRESS_1>"}';
    gateway.provider.enqueue(answerReply(text), answerReply('{"mail":"<EMAIL_ADDRESS_1>"}'));
    const request = { ...asking(`I am ${NAME}, ${ADDRESS}.`), ...schema({ mail: { type: 'string' } }) };
    const answer = await gateway.ask({ model: 'explains', ...request });
    expect(JSON.parse(answer.json.choices[0].message.content)).toEqual({ mail: ADDRESS });
    expect(gateway.provider.requests[1]!.text).toContain('<PERSON_1>');
    const log = await expectHidden(answer.id);
    expect(log.attempts).toMatchObject([{ status: 'invalid_output' }, { status: 'success' }]);
  });

  it('are the same for the model that is tried after a failure', async () => {
    gateway.provider.enqueue(
      jsonReply({ error: { message: 'no' } }, { status: 500 }),
      answerReply('Hi <PERSON_1>.'),
    );
    const answer = await gateway.ask({ model: 'strict', ...asking(`I am ${NAME}.`) });
    expect(answer.json.choices[0].message.content).toBe(`Hi ${NAME}.`);
    expect(gateway.provider.requests).toHaveLength(2);
    await expectHidden(answer.id);
  });

  it('never reveal to one exchange the values of another', async () => {
    gateway.provider.always((response, request) => {
      const [, one] = /I am (\S+)\./.exec(request.text) ?? [];
      return streamAnswerReply(...piecesOf(`Hello ${one}, ${'<EMAIL_ADDRESS_1>'}!`, 3))(response, request);
    });
    const names = Array.from({ length: 12 }, (_, at) => `user${at}.test@example.com`);
    const answers = await Promise.all(
      names.map((name) => gateway.ask({ model: 'plain', stream: true, ...asking(`I am ${name}.`) })),
    );
    expect(answers.map(({ text }) => streamedText(text))).toEqual(
      names.map((name) => `Hello ${name}, ${name}!`),
    );
  });

  it('can be valid-looking stand-ins, which are undone in answers and streams', async () => {
    const question = asking(`I am ${NAME}, ${ADDRESS}, card 4111 1111 1111 1111.`);
    const said = { text: '' };
    gateway.provider.always(async (response, request) => {
      said.text = JSON.parse(request.text).messages[0].content;
      const text = `Sure: ${said.text.replace('I am ', '')}`;
      const reply =
        request.json().stream === true ? streamAnswerReply(...piecesOf(text, 4)) : answerReply(text);
      return reply(response, request);
    });
    const plain = await gateway.ask({ model: 'stands-in', ...question });
    const streamed = await gateway.ask({ model: 'stands-in', stream: true, ...question });
    const restored = `Sure: ${NAME}, ${ADDRESS}, card 4111 1111 1111 1111.`;
    expect(said.text).toMatch(
      /^I am [A-Z][a-z]+ [A-Z][a-z]+, [a-z]+\.[a-z]+@example\.(com|net|org), card 4242 42\d\d \d{4} \d{4}\.$/,
    );
    expect(plain.json.choices[0].message.content).toBe(restored);
    expect(streamedText(streamed.text)).toBe(restored);
    for (const { id } of [plain, streamed]) {
      const log = await expectHidden(id);
      expect(JSON.stringify(log.response)).toContain(said.text.replace('I am ', ''));
    }
  });

  it('are not findings of a guard that checks the answer', async () => {
    gateway.provider.always((response, request) =>
      answerReply(JSON.parse(request.text).messages[0].content)(response, request),
    );
    const answer = await gateway.ask({ model: 'twice', ...asking(`I am ${NAME}, ${ADDRESS}.`) });
    expect(answer.json.choices[0].message.content).toBe(`I am ${NAME}, ${ADDRESS}.`);
    gateway.provider.reset();
    gateway.provider.enqueue(answerReply(`Call ${ADDRESS}.`));
    expect((await gateway.ask({ model: 'twice', ...asking('Hello.') })).json.error.code).toBe('pii_detected');
  });

  it('exist for secrets too, so that a tool gets the key that it needs', async () => {
    const key = `sk_live_${'51H8xK2eZvKYlo2C9qPzT4rW'}`;
    gateway.provider.always((response, request) => {
      const [placeholder] = /<[A-Z_]+_1>/.exec(request.text) ?? [];
      return callReply(JSON.stringify({ key: placeholder }))(response, request);
    });
    const answer = await gateway.ask({
      model: 'secrets',
      ...tool('mail', {}),
      ...asking(`Use ${key} to pay.`),
    });
    expect(JSON.parse(answer.json.choices[0].message.tool_calls[0].function.arguments)).toEqual({ key });
    expect(gateway.provider.requests[0]!.text).not.toContain(key);
    expect(JSON.stringify(await gateway.log(answer.id))).not.toContain(key);
  });
});
