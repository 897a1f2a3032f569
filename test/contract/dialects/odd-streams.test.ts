import { describe, expect, it } from 'vitest';
import type { ConversationId } from '../../../src/core/dialect-ids.js';
import type { JsonObject } from '../../../src/core/json.js';
import { PROJECT } from '../../support/gateway.js';
import { chunk, chunks, useOddGateway } from '../../support/odd-providers.js';
import { ControlledStream, jsonReply, streamReply } from '../../support/replies.js';
import { missingPrograms } from '../../support/start-sluice.js';

/* Answers in the shapes in which servers really send them. */

const USER: JsonObject = { messages: [{ role: 'user', content: 'x' }] };
const ASKED: Record<ConversationId, JsonObject> = {
  'openai.chat': USER,
  'openai.responses': { input: 'x' },
  'anthropic.messages': USER,
  'gemini.generate': { contents: [{ role: 'user', parts: [{ text: 'x' }] }] },
};

describe.skipIf(missingPrograms !== null)('a provider with unusual streams', () => {
  const odd = useOddGateway();

  describe('that has nothing to say for long', () => {
    const written = (value: JsonObject) => `data: ${JSON.stringify(value)}\n\n`;

    it.each([
      ['openai.chat', 'openai/v1/chat/completions', ': keep-alive\n\n'],
      ['openai.responses', 'openai/v1/responses', ': keep-alive\n\n'],
      ['anthropic.messages', 'anthropic/v1/messages', 'event: ping\ndata: {"type":"ping"}\n\n'],
    ] as const)(
      'passes its comments on to clients of %s, in the form of their API',
      async (client, path, sign) => {
        const stream = new ControlledStream();
        odd.gateway.provider.enqueue(stream.reply());
        const body = { model: 'chat', max_tokens: 10, stream: true, ...ASKED[client] };
        const asking = odd.gateway.fetch('POST', `/${PROJECT}/${path}`, { body });
        await stream.send(written(chunk({ content: 'Hel' })));
        const answer = await asking;
        const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader();
        let text = '';
        const readUntil = async (wanted: string) => {
          while (!text.includes(wanted)) {
            const { value, done } = await reader.read();
            if (done) throw new Error(`the stream ended without ${wanted}: ${text}`);
            text += value;
          }
          text = text.slice(text.indexOf(wanted) + wanted.length);
        };
        await readUntil('Hel');
        for (let round = 0; round < 3; round++) {
          await stream.send(': OPENROUTER PROCESSING\n\n');
          await readUntil(sign);
        }
        await stream.send(`${written(chunk({ content: 'lo' }, 'stop'))}data: [DONE]\n\n`);
        await stream.end();
        await readUntil('lo');
        while (!(await reader.read()).done);
      },
    );
  });

  const clients: ConversationId[] = ['openai.responses', 'anthropic.messages', 'gemini.generate'];

  /** Magistral and its like. */
  const thought = (text: string): JsonObject => ({ type: 'thinking', thinking: [{ type: 'text', text }] });

  it.each(clients)(
    'that puts its thoughts in parts of the content: %s gets thoughts and text apart',
    async (client) => {
      const content = [thought('Rome is '), thought('in Italy.'), { type: 'text', text: 'Italy' }];
      odd.gateway.provider.enqueue(
        jsonReply({
          id: 'c1',
          object: 'chat.completion',
          created: 1,
          model: 'magistral',
          choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
        }),
        chunks(
          chunk({ role: 'assistant', content: [thought('Rome is ')] }),
          chunk({ content: [thought('in Italy.')] }),
          chunk({ content: 'Ita' }),
          chunk({ content: [{ type: 'text', text: 'ly' }] }, 'stop'),
          'data: [DONE]',
        ),
      );
      const plain = await odd.ask(client, 'mistral', ASKED[client]);
      expect(thoughtAndSaid(client, plain.json)).toEqual(['Rome is in Italy.', 'Italy']);
      const { text } = await odd.ask(client, 'mistral', { ...ASKED[client], stream: true });
      expect(streamedThoughtAndSaid(client, text)).toEqual(['Rome is in Italy.', 'Italy']);
    },
  );

  it('that puts its thoughts in parts receives them in the next turn as it sent them', async () => {
    const content = [thought('Rome is in Italy.'), { type: 'text', text: 'Italy' }];
    const messages = [
      { role: 'user', content: 'x' },
      { role: 'assistant', content },
      { role: 'user', content: 'y' },
    ];
    expect((await odd.ask('openai.chat', 'mistral', { messages })).status).toBe(200);
    expect(odd.taken('mistral').messages).toEqual(messages);
  });

  describe('that wants its reasoning back, before a client that kept none', () => {
    const call = { id: 'call_1', type: 'function', function: { name: 'f', arguments: '{}' } };

    it.each<[string, JsonObject]>([
      ['nothing of it', {}],
      ['null', { reasoning_content: null }],
      ['an empty text', { reasoning_content: '' }],
    ])('gets empty reasoning for %s', async (_what, kept) => {
      const messages: JsonObject[] = [
        { role: 'user', content: 'x' },
        { role: 'assistant', content: null, tool_calls: [call], ...kept },
        { role: 'tool', tool_call_id: 'call_1', content: 'r' },
      ];
      expect((await odd.ask('openai.chat', 'deepseek', { messages })).status).toBe(200);
      expect((odd.taken('deepseek').messages as JsonObject[])[1]!.reasoning_content).toBe('');
    });

    it.each(clients)('does not make %s see a thought where it had none', async (client) => {
      const message = { role: 'assistant', content: 'Hi', reasoning_content: '' };
      odd.gateway.provider.enqueue(
        jsonReply({
          id: 'c1',
          created: 1,
          model: 'm',
          choices: [{ index: 0, message, finish_reason: 'stop' }],
        }),
        chunks(
          chunk({ role: 'assistant', content: null, reasoning_content: '' }),
          chunk({ content: 'Hi', reasoning_content: null }),
          chunk({ content: '', reasoning_content: null }, 'stop'),
          'data: [DONE]',
        ),
      );
      const plain = await odd.ask(client, 'deepseek', ASKED[client]);
      expect(plain.text).not.toMatch(/"type":"(thinking|reasoning)"|"thought":true/);
      const { text } = await odd.ask(client, 'deepseek', { ...ASKED[client], stream: true });
      expect(text).toContain('Hi');
      expect(text).not.toMatch(/"type":"(thinking|reasoning)"|"thought":true/);
    });
  });

  it('that sends all arguments of a call where its block begins', async () => {
    const frames: JsonObject[] = [
      {
        type: 'message_start',
        message: { id: 'm1', type: 'message', role: 'assistant', model: 'm', content: [] },
      },
      {
        type: 'content_block_start',
        index: 0,
        content_block: { type: 'tool_use', id: 't1', name: 'f', input: { a: 1 } },
      },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 1 } },
      { type: 'message_stop' },
    ];
    const written = frames.map((frame) => `event: ${String(frame.type)}\ndata: ${JSON.stringify(frame)}\n\n`);
    odd.gateway.provider.enqueue(streamReply(written));
    const { text } = await odd.ask('openai.chat', 'claude', { ...USER, stream: true });
    const values = text
      .split('\n\n')
      .flatMap((frame) => (frame.startsWith('data: {') ? [JSON.parse(frame.slice(6))] : []));
    const calls = values.flatMap(({ choices }) => choices[0]?.delta.tool_calls ?? []);
    expect(calls.map((part: JsonObject) => (part.function as JsonObject).arguments ?? '').join('')).toBe(
      '{"a":1}',
    );
  });
});

type Json = ReturnType<typeof JSON.parse>;

function thoughtAndSaid(client: ConversationId, answer: Json): [string, string] {
  const of = (list: Json[], is: (one: Json) => boolean, text: (one: Json) => string) =>
    list.filter(is).map(text).join('');
  switch (client) {
    case 'anthropic.messages':
      return [
        of(
          answer.content,
          ({ type }) => type === 'thinking',
          ({ thinking }) => thinking,
        ),
        of(
          answer.content,
          ({ type }) => type === 'text',
          ({ text }) => text,
        ),
      ];
    case 'gemini.generate': {
      const { parts } = answer.candidates[0].content;
      return [
        of(
          parts,
          ({ thought: isThought }) => isThought === true,
          ({ text }) => text,
        ),
        of(
          parts,
          ({ thought: isThought }) => isThought !== true,
          ({ text }) => text,
        ),
      ];
    }
    default: {
      const inside = (type: string, field: string) =>
        answer.output.filter((item: Json) => item.type === type).flatMap((item: Json) => item[field]);
      return [
        of(
          inside('reasoning', 'summary'),
          () => true,
          ({ text }) => text,
        ),
        of(
          inside('message', 'content'),
          () => true,
          ({ text }) => text,
        ),
      ];
    }
  }
}

function streamedThoughtAndSaid(client: ConversationId, stream: string): [string, string] {
  const values: Json[] = stream
    .split('\n')
    .flatMap((line) => (line.startsWith('data: {') ? [JSON.parse(line.slice(6))] : []));
  switch (client) {
    case 'anthropic.messages':
      return [
        values.map(({ delta }) => delta?.thinking ?? '').join(''),
        values.map(({ delta }) => delta?.text ?? '').join(''),
      ];
    case 'gemini.generate': {
      const parts = values.flatMap(({ candidates }) => candidates?.[0]?.content?.parts ?? []);
      return thoughtAndSaid(client, { candidates: [{ content: { parts } }] });
    }
    default:
      return thoughtAndSaid(client, values.find(({ type }) => type === 'response.completed').response);
  }
}
