import { describe, expect, it } from 'vitest';
import { DIALECT_SAMPLES } from '../../../test/support/dialect-samples.js';
import type { ConversationId } from '../../core/dialect-ids.js';
import type { JsonObject } from '../../core/json.js';
import type { Message } from '../../core/message.js';
import { atOnce } from '../../core/pacing/steps.js';
import { dialectById } from '../index.js';

/** A system prompt without a word, in each form that clients of an API send. */
const EMPTY_PROMPTS: [ConversationId, JsonObject][] = [
  ['openai.chat', { messages: [system(''), user('Hi')] }],
  ['openai.chat', { messages: [system([]), user('Hi')] }],
  ['openai.chat', { messages: [{ role: 'developer', content: '' }, user('Hi')] }],
  ['openai.responses', { instructions: '' }],
  ['openai.responses', { input: [system(''), user('Hi')] }],
  ['anthropic.messages', { system: '' }],
  ['anthropic.messages', { system: [] }],
  ['anthropic.messages', { system: [{ type: 'text', text: '' }] }],
  ['gemini.generate', { systemInstruction: { parts: [] } }],
  ['gemini.generate', { systemInstruction: { parts: [{ text: '' }] } }],
];

function system(content: string | []): JsonObject {
  return { role: 'system', content };
}

function user(content: string): JsonObject {
  return { role: 'user', content };
}

function translated(id: ConversationId, more: JsonObject): readonly Message[] {
  const dialect = dialectById(id);
  const value = { ...DIALECT_SAMPLES[id].smallest, ...more };
  const document = { text: JSON.stringify(value), value };
  return atOnce(dialect.toNeutral(document, atOnce(dialect.readRequest(document)))).messages;
}

describe('an empty system prompt', () => {
  it.each(EMPTY_PROMPTS)('of %s is not sent to another API: %j', (id, more) => {
    expect(translated(id, more).map(({ role }) => role)).toEqual(['user']);
  });

  it('is distinguished from one with text', () => {
    expect(translated('anthropic.messages', { system: 'Be brief.' })[0]).toMatchObject({
      role: 'system',
      parts: [{ type: 'text', text: 'Be brief.' }],
    });
  });
});
