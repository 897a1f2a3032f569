import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/core/json.js';
import { dataFrames } from '../../support/chat.js';
import { CHAT_PATH, type Gateway } from '../../support/gateway.js';
import {
  ADDRESS,
  asking,
  borrowPiiGateway,
  MESSAGES_PATH,
  RESPONSES_PATH,
} from '../../support/pii-gateway.js';
import { jsonReply, streamReply } from '../../support/replies.js';
import { missingPrograms } from '../../support/start-sluice.js';

describe.skipIf(missingPrograms !== null)('pii_detection, beside the text of messages', () => {
  let gateway: Gateway;
  beforeAll(async () => {
    gateway = await borrowPiiGateway();
  });
  afterAll(() => gateway?.stop());
  beforeEach(() => gateway.provider.reset());

  const link = { type: 'url_citation', title: `Mail ${ADDRESS}`, url: 'https://example.org/' };
  it.each<[string, string, JsonObject]>([
    ['masks', CHAT_PATH, { messages: [{ role: 'assistant', content: 'Ask.', annotations: [link] }] }],
    ['masks', CHAT_PATH, { messages: [{ role: 'user', content: 'Hello.', said_before: `I am ${ADDRESS}` }] }],
    [
      'claude-masks',
      MESSAGES_PATH,
      {
        max_tokens: 10,
        system: [{ type: 'text', text: 'Be brief.', citations: [{ cited_text: `It is ${ADDRESS}.` }] }],
        messages: [
          {
            role: 'assistant',
            content: [{ type: 'text', text: 'Ask.', citations: [{ cited_text: `It is ${ADDRESS}.` }] }],
          },
        ],
      },
    ],
    [
      'responses-masks',
      RESPONSES_PATH,
      {
        input: [
          {
            type: 'message',
            role: 'assistant',
            content: [{ type: 'output_text', text: 'Ask.', annotations: [link] }],
          },
        ],
      },
    ],
  ])('masks what a message contains beside its text (%s)', async (model, path, request) => {
    const answer = await gateway.call('POST', path, { body: { model, ...request } });
    const { model: _model, ...sent } = (await gateway.provider.received()).json();
    expect(sent).toEqual(JSON.parse(JSON.stringify(request).replaceAll(ADDRESS, '<EMAIL_ADDRESS>')));
    expect(JSON.stringify(await gateway.log(answer.id))).not.toContain(ADDRESS);
  });

  const picture = `https://pictures.example/a.png?w=2&of=${encodeURIComponent(ADDRESS)}`;
  it.each<[string, string, JsonObject]>([
    [
      'masks',
      CHAT_PATH,
      {
        messages: [
          { role: 'user', content: [{ type: 'image_url', image_url: { url: picture, detail: 'low' } }] },
        ],
      },
    ],
    [
      'claude-masks',
      MESSAGES_PATH,
      {
        max_tokens: 10,
        messages: [{ role: 'user', content: [{ type: 'image', source: { type: 'url', url: picture } }] }],
        metadata: { user_id: ADDRESS },
      },
    ],
    [
      'responses-masks',
      RESPONSES_PATH,
      { input: [{ role: 'user', content: [{ type: 'input_file', file_url: picture }] }] },
    ],
  ])(
    'masks personal data in the URL of a file, and in the id of a user (%s)',
    async (model, path, request) => {
      const answer = await gateway.call('POST', path, { body: { model, ...request } });
      const { model: _model, ...sent } = (await gateway.provider.received()).json();
      const masked = JSON.stringify(request)
        .replaceAll(encodeURIComponent(ADDRESS), encodeURIComponent('<EMAIL_ADDRESS>'))
        .replaceAll(ADDRESS, '<EMAIL_ADDRESS>');
      expect(sent).toEqual(JSON.parse(masked));
      const { request: logged } = await gateway.log(answer.id);
      expect(JSON.stringify(logged)).not.toMatch(ADDRESS);
      expect(JSON.stringify(logged)).not.toContain(encodeURIComponent(ADDRESS));
    },
  );

  it('rejects because of it, and its log contains none of it', async () => {
    const content = [{ type: 'image_url', image_url: { url: picture } }];
    const { status, json, id } = await gateway.call('POST', CHAT_PATH, {
      body: { model: 'rejects', messages: [{ role: 'user', content }] },
    });
    expect([status, (json as { error: JsonObject }).error.code]).toEqual([400, 'pii_detected']);
    expect(gateway.provider.requests).toEqual([]);
    expect(JSON.stringify(await gateway.log(id))).not.toContain(encodeURIComponent(ADDRESS));
  });

  it('lets the URL of a file pass that contains no personal data', async () => {
    const url = 'https://b.example/k?X-Amz-Date=20240101T000000Z&X-Amz-Signature=1f&Expires=1704067200';
    const messages = [{ role: 'user', content: [{ type: 'image_url', image_url: { url } }] }];
    expect((await gateway.call('POST', CHAT_PATH, { body: { model: 'rejects', messages } })).status).toBe(
      200,
    );
  });

  it.each<[string, string, JsonObject, JsonObject]>([
    [
      'the transcript of its sound',
      CHAT_PATH,
      { model: 'masks', ...asking('hello') },
      {
        id: 'c',
        object: 'chat.completion',
        choices: [
          {
            index: 0,
            message: { role: 'assistant', content: 'Listen.', audio: { id: 'a', transcript: ADDRESS } },
            finish_reason: 'stop',
          },
        ],
      },
    ],
    [
      'what it cites',
      MESSAGES_PATH,
      { model: 'claude-masks', max_tokens: 10, ...asking('hello') },
      {
        id: 'm',
        type: 'message',
        role: 'assistant',
        content: [
          { type: 'text', text: 'Ask.', citations: [{ type: 'char_location', cited_text: ADDRESS }] },
        ],
        stop_reason: 'end_turn',
      },
    ],
    [
      'the titles of its links',
      RESPONSES_PATH,
      { model: 'responses-masks', input: 'hello' },
      {
        id: 'r',
        object: 'response',
        status: 'completed',
        output: [
          {
            id: 'm',
            type: 'message',
            role: 'assistant',
            content: [
              { type: 'output_text', text: 'Ask.', annotations: [{ type: 'url_citation', title: ADDRESS }] },
            ],
          },
        ],
      },
    ],
  ])('masks what an answer contains beside its text: %s', async (_case, path, body, completion) => {
    gateway.provider.enqueue(jsonReply(completion));
    const answer = await gateway.call('POST', path, { body });
    const { inference_log_id: _id, ...masked } = answer.json;
    expect(masked).toEqual(JSON.parse(JSON.stringify(completion).replace(ADDRESS, '<EMAIL_ADDRESS>')));
    expect(JSON.stringify(await gateway.log(answer.id))).not.toContain(ADDRESS);
  });

  it.each(['masks', 'masks-whole'])(
    'masks what a frame of a stream contains beside its text (%s)',
    async (model) => {
      const said = (delta: JsonObject) =>
        `data: ${JSON.stringify({ id: 'c', choices: [{ index: 0, delta, finish_reason: null }] })}\n\n`;
      gateway.provider.enqueue(
        streamReply([
          said({ content: 'Listen. ', audio: { transcript: 'It is anna.' } }),
          said({ content: 'Well?', audio: { transcript: 'schmidt@example.org, as ever.' } }),
          'data: {"id":"c","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\n',
          'data: [DONE]\n\n',
        ]),
      );
      const answer = await gateway.ask({ model, stream: true, ...asking('hello') });
      const deltas = dataFrames(answer.text)
        .slice(0, -1)
        .map((frame) => JSON.parse(frame).choices[0].delta);
      expect(deltas.map(({ content }) => content ?? '').join('')).toBe('Listen. Well?');
      expect(deltas.map(({ audio }) => audio?.transcript ?? '').join('')).toBe(
        'It is <EMAIL_ADDRESS>, as ever.',
      );
    },
  );
});
