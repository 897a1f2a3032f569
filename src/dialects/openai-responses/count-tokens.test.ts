import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../core/json.js';
import { atOnce } from '../../core/pacing/steps.js';
import { counting } from './count-tokens.js';
import { openaiResponses } from './index.js';

const documentOf = (value: JsonObject) => ({ text: JSON.stringify(value), value });
const view = atOnce(openaiResponses.readRequest(documentOf({ model: 'support', input: 'Hi' })));

describe("counting the tokens of a response's input", () => {
  it('accepts a request without the settings for an answer', () => {
    const text = { format: { type: 'json_schema', name: 'a', schema: {} } };
    const document = documentOf({ model: 'support', input: 'Hi', text, metadata: { a: 1 } });
    expect(atOnce(counting.readRequest(document))).toEqual({ model: 'support', metadata: { a: 1 } });
    expect(JSON.parse(counting.adaptRequest(document, 'large', view))).toEqual({
      model: 'large',
      input: 'Hi',
      text,
    });
    expect(JSON.parse(counting.writeCount(7))).toEqual({ object: 'response.input_tokens', input_tokens: 7 });
  });

  it('accepts a request without an input, as the API does', () => {
    const document = documentOf({ model: 'support', instructions: 'Be short.' });
    expect(atOnce(counting.readRequest(document)).model).toBe('support');
  });

  it.each([
    ['model', { input: 'Hi' }],
    ['input', { model: 'support', input: 7 }],
  ])('refuses an invalid request for its %s', (param, value) => {
    expect(() => atOnce(counting.readRequest(documentOf(value)))).toThrow(expect.objectContaining({ param }));
  });
});
