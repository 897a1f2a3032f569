import { describe, expect, it } from 'vitest';
import { atOnce } from '../core/pacing/steps.js';
import { dialectById } from './index.js';

describe.each(['constructor', '__proto__', 'toString'])('a model that says "%s"', (name) => {
  it('has stopped for an unknown reason where that is its reason', () => {
    const chat = {
      choices: [{ index: 0, message: { role: 'assistant', content: 'x' }, finish_reason: name }],
    };
    const messages = { type: 'message', role: 'assistant', content: [], stop_reason: name };
    expect(atOnce(dialectById('openai.chat').readAnswer(chat))?.choices[0]?.finishReason).toBe('other');
    expect(atOnce(dialectById('anthropic.messages').readAnswer(messages))?.choices[0]?.finishReason).toBe(
      'other',
    );
  });

  it('has begun an unknown block where that is its type', () => {
    const block = { type: 'content_block_start', index: 0, content_block: { type: name } };
    const decoder = dialectById('anthropic.messages').createDecoder();
    expect(decoder.decode({ event: 'content_block_start', data: JSON.stringify(block) })).toEqual([]);
  });
});
