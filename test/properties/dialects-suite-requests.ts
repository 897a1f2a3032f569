import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/core/json.js';
import type { Message } from '../../src/core/message.js';
import { atOnce } from '../../src/core/pacing/steps.js';
import { textsOf } from '../../src/core/texts/part-texts.js';
import type { Dialect } from '../../src/dialects/dialect.js';
import {
  ADDRESS,
  changeTexts,
  documentOf,
  fixture,
  fixturesOf,
  golden,
  type Lacks,
  replaced,
  spoken,
  TARGET,
} from './dialects-support.js';

export function describeRequests(dialect: Dialect, lacks: Lacks): void {
  describe('requests', () => {
    it.each(fixturesOf(dialect, 'request.json').map((one) => [one.name, one] as const))(
      'reads %s as expected',
      async (_name, { text, expectedPath }) => {
        const document = documentOf(text);
        const read = {
          view: atOnce(dialect.readRequest(document, ADDRESS)),
          messages: atOnce(dialect.readMessages(document)),
        };
        await expect(golden(read)).toMatchFileSnapshot(expectedPath);
      },
    );

    it.each(fixturesOf(dialect, 'request.json').map((one) => [one.name, one] as const))(
      'passes %s on with the model changed, the metadata gone and every other byte kept',
      (_name, { text }) => {
        const compact = JSON.stringify(JSON.parse(text));
        const document = documentOf(compact);
        const body = dialect.adaptRequest(document, atOnce(dialect.readRequest(document, ADDRESS)), TARGET);
        const { metadata: _metadata, ...rest } = document.value;
        const model = lacks.modelInBody ? {} : { model: 'large' };
        expect(body).toBe(JSON.stringify({ ...rest, ...model }));
      },
    );

    it('keeps unknown fields and the spelling of numbers', () => {
      const { text } = fixture(dialect, 'request.json', 'text');
      const odd = text.replace(/^\{/, '{"x_unknown": {"a":[1.00, 12345678901234567890]},');
      const document = documentOf(odd);
      const body = dialect.adaptRequest(document, atOnce(dialect.readRequest(document, ADDRESS)), TARGET);
      expect(body).toContain('"x_unknown": {"a":[1.00, 12345678901234567890]}');
    });

    it.skipIf(lacks.metadata)('passes on the metadata that a provider may see', () => {
      const document = documentOf(fixture(dialect, 'request.json', 'text').text);
      const target = { ...TARGET, metadata: { user_id: 'u-17' } };
      const body = JSON.parse(
        dialect.adaptRequest(document, atOnce(dialect.readRequest(document, ADDRESS)), target),
      );
      expect(body.metadata).toEqual({ user_id: 'u-17' });
    });

    it.each(fixturesOf(dialect, 'request.json').map((one) => [one.name, one] as const))(
      'writes the messages of %s back where they were read',
      (_name, { text }) => {
        const document = documentOf(text);
        const messages = atOnce(dialect.readMessages(document));
        expect(atOnce(dialect.writeMessages(document, messages))).toBe(document);
        const texts = messages.flatMap((message) => textsOf(message.parts));
        fc.assert(
          fc.property(fc.nat(texts.length - 1), sayings, (which, replacement) => {
            let seen = 0;
            const changed = changeTexts(messages, (old) =>
              seen++ === which ? replaced(old, replacement) : old,
            );
            const written = atOnce(dialect.writeMessages(document, changed));
            expect(JSON.parse(written.text)).toEqual(written.value);
            const texts = (all: typeof messages) => all.map(({ parts }) => textsOf(parts));
            expect(texts(atOnce(dialect.readMessages(written)))).toEqual(texts(changed));
          }),
          { numRuns: 30 },
        );
      },
    );

    it('leaves all other bytes alone where it writes a text', () => {
      const { text } = fixture(dialect, 'request.json', 'text');
      const document = documentOf(text);
      const messages = changeTexts(atOnce(dialect.readMessages(document)), (old) =>
        old.replace('Whose?', 'Wes "genau"?'),
      );
      expect(atOnce(dialect.writeMessages(document, messages)).text).toBe(
        text.replace('Whose?', 'Wes \\"genau\\"?'),
      );
    });

    it('takes the schema out where the model has no use for it', () => {
      const document = documentOf(fixture(dialect, 'request.json', 'structured-output').text);
      const view = atOnce(dialect.readRequest(document, ADDRESS));
      const body = dialect.adaptRequest(document, view, { ...TARGET, outputSchema: 'omit' });
      expect(atOnce(dialect.readRequest(documentOf(body))).outputSchema).toBeUndefined();
      expect(body).not.toContain('degrees');
    });

    it('tells the schema in the system prompt where it is asked to', () => {
      const document = documentOf(fixture(dialect, 'request.json', 'structured-output').text);
      const view = atOnce(dialect.readRequest(document, ADDRESS));
      const body = documentOf(dialect.adaptRequest(document, view, { ...TARGET, outputSchema: 'prompt' }));
      expect(atOnce(dialect.readRequest(body)).outputSchema).toBeUndefined();
      const [system, ...others] = spoken(atOnce(dialect.readMessages(body)));
      expect(system!.role).toBe('system');
      expect(textsOf(system!.parts).join()).toContain('"degrees"');
      expect(others).toEqual(spoken(atOnce(dialect.readMessages(document))));
    });

    it('adds to the system prompt that is there', () => {
      const withSchema = documentOf(fixture(dialect, 'request.json', 'structured-output').text).value;
      const plain = documentOf(fixture(dialect, 'request.json', 'text').text).value;
      const settings = 'generationConfig' in plain ? { generationConfig: withSchema.generationConfig! } : {};
      const document = documentOf(JSON.stringify({ ...withSchema, ...plain, ...settings }));
      const view = atOnce(dialect.readRequest(document, ADDRESS));
      const body = documentOf(dialect.adaptRequest(document, view, { ...TARGET, outputSchema: 'prompt' }));
      const messages = spoken(atOnce(dialect.readMessages(body)));
      expect(messages).toHaveLength(spoken(atOnce(dialect.readMessages(document))).length);
      expect(textsOf(messages[0]!.parts).join()).toMatch(/^Answer in one sentence\.[\s\S]*"degrees"/);
    });

    it('tells a model what was wrong with its answer', () => {
      const document = documentOf(fixture(dialect, 'request.json', 'text').text);
      const correction = { answer: '{"city":1}', problem: 'at /city: must be string' };
      const body = dialect.adaptRequest(document, atOnce(dialect.readRequest(document, ADDRESS)), {
        ...TARGET,
        correction,
      });
      const messages = atOnce(dialect.readMessages(documentOf(body)));
      expect(messages.slice(0, -2)).toEqual(atOnce(dialect.readMessages(document)));
      expect(messages.at(-2)).toMatchObject({ role: 'assistant', parts: [{ text: '{"city":1}' }] });
      expect(messages.at(-1)!.role).toBe('user');
      expect(textsOf(messages.at(-1)!.parts).join()).toContain('at /city: must be string');
    });

    it('tells a model what was wrong with its call of a tool, as the result of that call', () => {
      const document = documentOf(fixture(dialect, 'request.json', 'text').text);
      const view = atOnce(dialect.readRequest(document, ADDRESS));
      const correct = (answer: string, id: string) => {
        const correction = { answer, problem: 'at /city: must be string', call: { id, name: 'weather' } };
        const body = dialect.adaptRequest(document, view, { ...TARGET, correction });
        return atOnce(dialect.readMessages(documentOf(body))).slice(-2) as [Message, Message];
      };
      const [made, told] = correct('{"city":1}', 'call_7');
      expect(made).toMatchObject({
        role: 'assistant',
        parts: [{ type: 'tool-call', id: 'call_7', name: 'weather', arguments: '{"city":1}' }],
      });
      const [result] = told.parts.filter((part) => part.type === 'tool-result' && part.callId !== '');
      expect(result).toMatchObject({ callId: 'call_7' });
      expect(textsOf([result!]).join()).toContain('at /city: must be string');
      const [bare] = correct(' ', '');
      expect(bare.parts[0]).toMatchObject({
        type: 'tool-call',
        arguments: '{}',
        id: expect.stringMatching(/./),
      });
    });

    it('has no turn for an answer without a word', () => {
      const document = documentOf(fixture(dialect, 'request.json', 'text').text);
      const correction = { answer: ' \n', problem: 'the output is empty' };
      const view = atOnce(dialect.readRequest(document, ADDRESS));
      const body = dialect.adaptRequest(document, view, { ...TARGET, correction });
      const messages = atOnce(dialect.readMessages(documentOf(body)));
      expect(messages).toHaveLength(atOnce(dialect.readMessages(document)).length + 1);
      expect(messages.at(-1)!.role).toBe('user');
    });

    it('refuses what is no valid request, naming the field', () => {
      const { value } = documentOf(fixture(dialect, 'request.json', 'text').text);
      const { model: _model, ...withoutModel } = value;
      const inBody: [JsonObject, string][] = [
        [{ ...value, model: 3 }, 'model'],
        [{ ...value, model: '' }, 'model'],
        [{ ...value, stream: 'yes' }, 'stream'],
        [{ ...value, temperature: '1' }, 'temperature'],
        [withoutModel, 'model'],
      ];
      const inPath: [JsonObject, string][] = [
        [{ ...value, contents: [] }, 'contents'],
        [{ ...value, generationConfig: { temperature: '1' } }, 'generationConfig.temperature'],
      ];
      const cases: [JsonObject, string][] = [
        [{ ...value, metadata: ['a'] }, 'metadata'],
        ...(lacks.modelInBody ? inPath : inBody),
      ];
      for (const [body, param] of cases) {
        expect(() => atOnce(dialect.readRequest(documentOf(JSON.stringify(body))))).toThrow(
          expect.objectContaining({ code: 'invalid_request', param }),
        );
      }
    });
  });
}

/** Texts that nobody takes for an id or a kind. */
const sayings = fc.string().map((text) => `¶ ${text}`);
