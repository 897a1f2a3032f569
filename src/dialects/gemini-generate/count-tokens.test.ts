import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../core/json.js';
import { atOnce } from '../../core/pacing/steps.js';
import { counting } from './count-tokens.js';
import { geminiGenerate } from './index.js';

const CONTENTS = [{ role: 'user', parts: [{ text: 'Hi' }] }];
const SYSTEM = { parts: [{ text: 'Be short.' }] };
const ADDRESS = { model: 'support', stream: false };

const documentOf = (value: JsonObject) => ({ text: JSON.stringify(value), value });
const view = atOnce(geminiGenerate.readRequest(documentOf({ contents: CONTENTS }), ADDRESS));
const adapted = (value: JsonObject): JsonObject =>
  JSON.parse(counting.adaptRequest(counting.openRequest!(documentOf(value)), '$& large', view));

describe('counting the tokens of a Gemini request', () => {
  it('accepts contents alone', () => {
    const document = documentOf({ contents: CONTENTS, metadata: { a: 1 } });
    expect(counting.openRequest!(document)).toBe(document);
    expect(atOnce(counting.readRequest(document, ADDRESS))).toEqual({ model: 'support', metadata: { a: 1 } });
    expect(adapted(document.value)).toEqual({ contents: CONTENTS });
    expect(JSON.parse(counting.writeCount(7))).toEqual({ totalTokens: 7 });
  });

  it.each(['generateContentRequest', 'generate_content_request'])('accepts a whole request in %s', (key) => {
    const inner = { model: 'models/support', contents: CONTENTS, systemInstruction: SYSTEM };
    const document = counting.openRequest!(documentOf({ [key]: inner }));
    expect(document).toMatchObject(documentOf(inner));
    expect(adapted({ [key]: inner })).toEqual({
      generateContentRequest: { ...inner, model: 'models/$& large' },
    });
  });

  it('sends a whole request where more than contents is to be counted', () => {
    const value = { contents: CONTENTS, system_instruction: SYSTEM, metadata: { a: 1 } };
    expect(adapted(value)).toEqual({
      generateContentRequest: {
        model: 'models/$& large',
        contents: CONTENTS,
        system_instruction: SYSTEM,
      },
    });
  });

  it.each<[string, JsonObject]>([
    ['contents', { contents: CONTENTS, generateContentRequest: { contents: CONTENTS } }],
    ['metadata', { metadata: {}, generateContentRequest: { contents: CONTENTS } }],
    ['generateContentRequest', { generateContentRequest: 'Hi' }],
  ])('refuses %s in the wrong place or form', (param, value) => {
    expect(() => counting.openRequest!(documentOf(value))).toThrow(expect.objectContaining({ param }));
  });

  it('refuses a request without contents', () => {
    expect(() => atOnce(counting.readRequest(documentOf({}), ADDRESS))).toThrow(
      expect.objectContaining({ param: 'contents' }),
    );
  });
});
