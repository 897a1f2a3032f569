import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { DIALECT_SAMPLES } from '../../../test/support/dialect-samples.js';
import type { LeftOut } from '../../core/answer.js';
import type { ConversationId } from '../../core/dialect-ids.js';
import type { JsonObject, JsonValue } from '../../core/json.js';
import { atOnce } from '../../core/pacing/steps.js';
import type { Dialect, RenderTarget } from '../dialect.js';
import { dialectById, dialects } from '../index.js';
import { LACKING_RULES, TRANSLATION_RULES } from './unsupported.js';

const USER: JsonObject = { role: 'user', content: 'Hi' };
const TARGET: RenderTarget = { model: 'large', outputSchema: 'native', askForUsage: false };

/** An object with one member, at a dotted path. */
function nested(field: string, value: JsonValue): JsonObject {
  return field.split('.').reduceRight((inner, name) => ({ [name]: inner }), value) as JsonObject;
}

function translate(client: Dialect, provider: Dialect, more: JsonObject): JsonObject {
  const value = { ...DIALECT_SAMPLES[client.id as ConversationId].smallest, ...more };
  const document = { text: JSON.stringify(value), value };
  return JSON.parse(
    atOnce(
      provider.fromNeutral(atOnce(client.toNeutral(document, atOnce(client.readRequest(document)))), TARGET),
    ),
  );
}

const pairs = dialects.flatMap((client) =>
  dialects.filter((provider) => provider !== client).map((provider) => [client, provider] as const),
);

describe('what other APIs do not support', () => {
  const refused = TRANSLATION_RULES.filter(({ action }) => action === 'refuse');

  it.each(refused.map((rule) => [rule.dialect, rule.field, rule] as const))(
    'is refused in %s: `%s`, unless it has no effect',
    (id, field, rule) => {
      const client = dialectById(id);
      const [provider] = dialects.filter((other) => other !== client);
      const odd: JsonValue = field === 'logprobs' ? true : field.includes('id') ? 'x' : { x: 1 };
      expect(() => translate(client, provider!, nested(field, odd))).toThrow(
        expect.objectContaining({ code: 'invalid_request', status: 400, param: field }),
      );
      for (const harmless of [null, ...(rule.unless ?? [])]) {
        expect(translate(client, provider!, nested(field, harmless))).toMatchObject({ model: 'large' });
      }
    },
  );

  it('is left out otherwise, including unknown fields', () => {
    for (const [client, provider] of pairs) {
      const plain = translate(client, provider, {});
      const dropped = TRANSLATION_RULES.filter(
        ({ action, dialect, field }) => action === 'drop' && dialect === client.id && !field.includes('.'),
      );
      const more = Object.fromEntries([
        ...dropped.map(({ field }) => [field, field === 'store' ? true : 'x']),
        ['x_new', 1],
      ]);
      expect(translate(client, provider, more)).toEqual(plain);
    }
  });

  it.each<[string, JsonObject, LeftOut[]]>([
    [
      'openai.responses',
      {
        tools: [{ type: 'function', name: 'f' }, { type: 'web_search' }],
        input: [
          USER,
          { type: 'web_search_call', id: 'ws_1', status: 'completed' },
          { type: 'compaction', encrypted_content: 'x' },
        ],
      },
      [
        { path: 'input[1]', what: 'web_search_call', why: 'only its own API knows it' },
        { path: 'input[2]', what: 'compaction', why: 'only its own API knows it' },
        { path: 'tools[1]', what: 'web_search', why: 'only its own API can run it' },
      ],
    ],
    [
      'anthropic.messages',
      {
        tools: [{ type: 'web_search_20250305', name: 'web_search' }],
        messages: [
          USER,
          { role: 'assistant', content: [{ type: 'server_tool_use', id: 'x', name: 'x', input: {} }] },
          USER,
        ],
      },
      [
        { path: 'messages[1].content[0]', what: 'server_tool_use', why: 'only its own API knows it' },
        { path: 'tools[0]', what: 'web_search_20250305', why: 'only its own API can run it' },
      ],
    ],
    [
      'gemini.generate',
      { tools: [{ googleSearch: {} }, { functionDeclarations: [{ name: 'f' }] }] },
      [{ path: 'tools[0].googleSearch', what: 'googleSearch', why: 'only its own API can run it' }],
    ],
    [
      'openai.chat',
      { web_search_options: {} },
      [{ path: 'web_search_options', what: 'web_search_options', why: 'the tool runs at the provider' }],
    ],
  ])('of %s is left out and reported: %j', (id, more, leftOut) => {
    const client = dialectById(id as ConversationId);
    const value = { ...DIALECT_SAMPLES[id as ConversationId].smallest, ...more };
    const document = { text: JSON.stringify(value), value };
    const neutral = atOnce(client.toNeutral(document, atOnce(client.readRequest(document))));
    expect(neutral.leftOut).toEqual(leftOut);
    for (const provider of dialects.filter((other) => other !== client)) {
      const sent = JSON.stringify(translate(client, provider, more));
      for (const { what } of leftOut) expect(sent).not.toContain(what);
    }
  });

  it('is the same in the documentation as in the code', () => {
    const text = readFileSync(new URL('../../../docs/dialects.md', import.meta.url), 'utf8');
    const rows = TRANSLATION_RULES.map(({ dialect, field, action, why, unless }) => {
      const but =
        unless === undefined
          ? ''
          : `, unless ${unless.map((one) => `\`${JSON.stringify(one)}\``).join(' or ')}`;
      return `| \`${dialect}\` | \`${field}\` | ${action}${but} | ${why} |`;
    });
    const lacking = LACKING_RULES.map(
      ({ dialect, param, action, why }) => `| \`${dialect}\` | \`${param}\` | ${action} | ${why} |`,
    );
    expect([...rows, ...lacking].filter((row) => !text.includes(row))).toEqual([]);
  });

  it.each<[string, string, JsonObject, string]>([
    ['openai.chat', 'anthropic.messages', { n: 2 }, 'n'],
    ['openai.chat', 'openai.responses', { stop: ['x'] }, 'stop'],
    [
      'openai.chat',
      'anthropic.messages',
      { messages: [{ role: 'user', content: [{ type: 'input_audio', input_audio: {} }] }] },
      'messages[0].content[0]',
    ],
    ['openai.responses', 'openai.chat', { input: [{ type: 'item_reference', id: 'x' }] }, 'input[0]'],
    [
      'openai.responses',
      'anthropic.messages',
      { tools: [{ type: 'web_search' }], tool_choice: 'required' },
      'tools[0]',
    ],
    [
      'openai.responses',
      'openai.chat',
      { tools: [{ type: 'web_search' }], tool_choice: { type: 'web_search' } },
      'tool_choice',
    ],
    [
      'anthropic.messages',
      'openai.chat',
      {
        tools: [{ type: 'web_search_20250305', name: 'web_search' }],
        tool_choice: { type: 'tool', name: 'web_search' },
      },
      'tool_choice',
    ],
    [
      'anthropic.messages',
      'openai.chat',
      { messages: [{ role: 'user', content: [{ type: 'image', source: { type: 'file', file_id: 'x' } }] }] },
      'messages',
    ],
  ])('of %s for %s is refused: %j', (client, provider, more, param) => {
    expect(() =>
      translate(dialects.find(({ id }) => id === client)!, dialects.find(({ id }) => id === provider)!, more),
    ).toThrow(expect.objectContaining({ code: 'invalid_request', param }));
  });
});
