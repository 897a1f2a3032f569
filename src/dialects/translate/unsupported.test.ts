import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { DIALECT_SAMPLES } from '../../../test/support/dialect-samples.js';
import type { ConversationId } from '../../core/dialect-ids.js';
import type { JsonObject, JsonValue } from '../../core/json.js';
import { atOnce } from '../../core/pacing/steps.js';
import type { Dialect, RenderTarget } from '../dialect.js';
import { dialectById, dialects } from '../index.js';
import { LACKING_RULES, TRANSLATION_RULES } from './unsupported.js';

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

describe('what no other API can say', () => {
  const refused = TRANSLATION_RULES.filter(({ action }) => action === 'refuse');

  it.each(refused.map((rule) => [rule.dialect, rule.field, rule] as const))(
    'refuses %s `%s`, unless it says nothing',
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

  it('drops the rest, fields that nobody knows too', () => {
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

  it('stands in the documentation as it stands in the code', () => {
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
      { tools: [{ type: 'custom', custom: { name: 'x' } }] },
      'tools[0].type',
    ],
    [
      'openai.chat',
      'anthropic.messages',
      { messages: [{ role: 'user', content: [{ type: 'input_audio', input_audio: {} }] }] },
      'messages[0].content[0]',
    ],
    ['openai.responses', 'openai.chat', { input: [{ type: 'item_reference', id: 'x' }] }, 'input[0]'],
    ['openai.responses', 'anthropic.messages', { tools: [{ type: 'web_search' }] }, 'tools[0].type'],
    [
      'openai.responses',
      'anthropic.messages',
      { input: [{ type: 'custom_tool_call', call_id: 'x', name: 'x', input: 'x' }] },
      'input[0]',
    ],
    [
      'anthropic.messages',
      'openai.chat',
      { tools: [{ type: 'web_search_20250305', name: 'web_search' }] },
      'tools[0].type',
    ],
    [
      'anthropic.messages',
      'openai.chat',
      {
        messages: [
          { role: 'assistant', content: [{ type: 'server_tool_use', id: 'x', name: 'x', input: {} }] },
        ],
      },
      'messages[0].content[0]',
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
