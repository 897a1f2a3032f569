import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Answer, StreamEvent } from '../../src/core/answer.js';
import { SluiceError } from '../../src/core/errors.js';
import type { JsonObject, JsonValue } from '../../src/core/json.js';
import type { Message } from '../../src/core/message.js';
import { textsOf } from '../../src/core/part-texts.js';
import type { Dialect } from '../../src/dialects/dialect.js';
import { dialects } from '../../src/dialects/index.js';
import type { Path } from '../../src/dialects/wire/splice.js';
import { formatFrame } from '../../src/dialects/wire/sse.js';
import { replaceRepeatedTexts } from '../../src/pipeline/stream/repeated-texts.js';
import {
  ADDRESS,
  answerOf,
  CONTEXT,
  decodeAll,
  documentOf,
  encodeAll,
  fixture,
  fixturesOf,
  framesOf,
  golden,
  LOG_ID,
  spoken,
  substance,
  TARGET,
} from './dialects-support.js';

/** Texts that nobody takes for an id or a kind. */
const sayings = fc.string().map((text) => `¶ ${text}`);

/** What an API may lack. */
export interface Lacks {
  metadata?: true;
  /** The model stands in the path, not in the body. */
  modelInBody?: true;
  /** Deltas at places that no event tells of: each of its texts is whole in its frame. */
  otherDeltas?: true;
}

/** What every dialect owes the gateway, on the fixtures of its folder. */
export function describeDialect(dialect: Dialect, lacks: Lacks = {}): void {
  describe('requests', () => {
    it.each(fixturesOf(dialect, 'request.json').map((one) => [one.name, one] as const))(
      'reads %s as expected',
      async (_name, { text, expectedPath }) => {
        const document = documentOf(text);
        const read = {
          view: dialect.readRequest(document, ADDRESS),
          messages: dialect.readMessages(document),
        };
        await expect(golden(read)).toMatchFileSnapshot(expectedPath);
      },
    );

    it.each(fixturesOf(dialect, 'request.json').map((one) => [one.name, one] as const))(
      'passes %s on with the model changed, the metadata gone and every other byte kept',
      (_name, { text }) => {
        const compact = JSON.stringify(JSON.parse(text));
        const document = documentOf(compact);
        const body = dialect.adaptRequest(document, dialect.readRequest(document, ADDRESS), TARGET);
        const { metadata: _metadata, ...rest } = document.value;
        const model = lacks.modelInBody ? {} : { model: 'large' };
        expect(body).toBe(JSON.stringify({ ...rest, ...model }));
      },
    );

    it('keeps unknown fields and the spelling of numbers', () => {
      const { text } = fixture(dialect, 'request.json', 'text');
      const odd = text.replace(/^\{/, '{"x_unknown": {"a":[1.00, 12345678901234567890]},');
      const document = documentOf(odd);
      const body = dialect.adaptRequest(document, dialect.readRequest(document, ADDRESS), TARGET);
      expect(body).toContain('"x_unknown": {"a":[1.00, 12345678901234567890]}');
    });

    it.skipIf(lacks.metadata)('passes on the metadata that a provider may see', () => {
      const document = documentOf(fixture(dialect, 'request.json', 'text').text);
      const target = { ...TARGET, metadata: { user_id: 'u-17' } };
      const body = JSON.parse(dialect.adaptRequest(document, dialect.readRequest(document, ADDRESS), target));
      expect(body.metadata).toEqual({ user_id: 'u-17' });
    });

    it.each(fixturesOf(dialect, 'request.json').map((one) => [one.name, one] as const))(
      'writes the messages of %s back where they were read',
      (_name, { text }) => {
        const document = documentOf(text);
        const messages = dialect.readMessages(document);
        expect(dialect.writeMessages(document, messages)).toBe(document);
        const texts = messages.flatMap((message) => textsOf(message.parts));
        fc.assert(
          fc.property(fc.nat(texts.length - 1), sayings, (which, replacement) => {
            let seen = 0;
            const changed = mapTexts(messages, (old) =>
              seen++ === which ? replaced(old, replacement) : old,
            );
            const written = dialect.writeMessages(document, changed);
            expect(JSON.parse(written.text)).toEqual(written.value);
            const texts = (all: typeof messages) => all.map(({ parts }) => textsOf(parts));
            expect(texts(dialect.readMessages(written))).toEqual(texts(changed));
          }),
          { numRuns: 30 },
        );
      },
    );

    it('leaves all other bytes alone where it writes a text', () => {
      const { text } = fixture(dialect, 'request.json', 'text');
      const document = documentOf(text);
      const messages = mapTexts(dialect.readMessages(document), (old) =>
        old.replace('Whose?', 'Wes "genau"?'),
      );
      expect(dialect.writeMessages(document, messages).text).toBe(text.replace('Whose?', 'Wes \\"genau\\"?'));
    });

    it('takes the schema out where the model has no use for it', () => {
      const document = documentOf(fixture(dialect, 'request.json', 'structured-output').text);
      const view = dialect.readRequest(document, ADDRESS);
      const body = dialect.adaptRequest(document, view, { ...TARGET, outputSchema: 'omit' });
      expect(dialect.readRequest(documentOf(body)).outputSchema).toBeUndefined();
      expect(body).not.toContain('degrees');
    });

    it('tells the schema in the system prompt where it is asked to', () => {
      const document = documentOf(fixture(dialect, 'request.json', 'structured-output').text);
      const view = dialect.readRequest(document, ADDRESS);
      const body = documentOf(dialect.adaptRequest(document, view, { ...TARGET, outputSchema: 'prompt' }));
      expect(dialect.readRequest(body).outputSchema).toBeUndefined();
      const [system, ...others] = spoken(dialect.readMessages(body));
      expect(system!.role).toBe('system');
      expect(textsOf(system!.parts).join()).toContain('"degrees"');
      expect(others).toEqual(spoken(dialect.readMessages(document)));
    });

    it('adds to the system prompt that is there', () => {
      const withSchema = documentOf(fixture(dialect, 'request.json', 'structured-output').text).value;
      const plain = documentOf(fixture(dialect, 'request.json', 'text').text).value;
      const settings = 'generationConfig' in plain ? { generationConfig: withSchema.generationConfig! } : {};
      const document = documentOf(JSON.stringify({ ...withSchema, ...plain, ...settings }));
      const view = dialect.readRequest(document, ADDRESS);
      const body = documentOf(dialect.adaptRequest(document, view, { ...TARGET, outputSchema: 'prompt' }));
      const messages = spoken(dialect.readMessages(body));
      expect(messages).toHaveLength(spoken(dialect.readMessages(document)).length);
      expect(textsOf(messages[0]!.parts).join()).toMatch(/^Answer in one sentence\.[\s\S]*"degrees"/);
    });

    it('tells a model what was wrong with its answer', () => {
      const document = documentOf(fixture(dialect, 'request.json', 'text').text);
      const correction = { answer: '{"city":1}', problem: 'at /city: must be string' };
      const body = dialect.adaptRequest(document, dialect.readRequest(document, ADDRESS), {
        ...TARGET,
        correction,
      });
      const messages = dialect.readMessages(documentOf(body));
      expect(messages.slice(0, -2)).toEqual(dialect.readMessages(document));
      expect(messages.at(-2)).toMatchObject({ role: 'assistant', parts: [{ text: '{"city":1}' }] });
      expect(messages.at(-1)!.role).toBe('user');
      expect(textsOf(messages.at(-1)!.parts).join()).toContain('at /city: must be string');
    });

    it('tells a model what was wrong with its call of a tool, as the result of that call', () => {
      const document = documentOf(fixture(dialect, 'request.json', 'text').text);
      const view = dialect.readRequest(document, ADDRESS);
      const correct = (answer: string, id: string) => {
        const correction = { answer, problem: 'at /city: must be string', call: { id, name: 'weather' } };
        const body = dialect.adaptRequest(document, view, { ...TARGET, correction });
        return dialect.readMessages(documentOf(body)).slice(-2) as [Message, Message];
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
      const view = dialect.readRequest(document, ADDRESS);
      const body = dialect.adaptRequest(document, view, { ...TARGET, correction });
      const messages = dialect.readMessages(documentOf(body));
      expect(messages).toHaveLength(dialect.readMessages(document).length + 1);
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
        expect(() => dialect.readRequest(documentOf(JSON.stringify(body)))).toThrow(
          expect.objectContaining({ code: 'invalid_request', param }),
        );
      }
    });
  });

  describe('whole answers', () => {
    it.each(fixturesOf(dialect, 'response.json').map((one) => [one.name, one] as const))(
      'reads %s as expected',
      async (_name, { text, expectedPath }) => {
        const value = JSON.parse(text);
        const read = { answer: dialect.readAnswer(value) ?? null, error: dialect.readError(value) ?? null };
        await expect(golden(read)).toMatchFileSnapshot(expectedPath);
      },
    );

    const answers = fixturesOf(dialect, 'response.json').filter(({ name }) => !name.startsWith('error'));

    it.each(answers.map((one) => [one.name, one] as const))(
      'passes %s on with our field first and every other byte kept',
      (_name, { text }) => {
        const compact = JSON.stringify(JSON.parse(text));
        const adapted = dialect.adaptAnswer(documentOf(compact), { logId: LOG_ID });
        expect(adapted.text).toBe(`{"inference_log_id":"${LOG_ID}",${compact.slice(1)}`);
        expect(adapted.value).toEqual(JSON.parse(adapted.text));
      },
    );

    it.each(answers.map((one) => [one.name, one] as const))(
      'puts changed texts into %s',
      (_name, { text }) => {
        const document = documentOf(text);
        const answer = dialect.readAnswer(document.value)!;
        const changed = {
          ...answer,
          choices: answer.choices.map((choice) => mapTexts([choice], (old) => replaced(old, 'masked'))[0]!),
        };
        const adapted = dialect.adaptAnswer(document, { logId: LOG_ID }, changed);
        expect(withoutOthers(dialect.readAnswer(JSON.parse(adapted.text))!)).toEqual(withoutOthers(changed));
      },
    );

    it.each(answers.map((one) => [one.name, one] as const))(
      'writes %s so that it reads the same',
      (name, { text }) => {
        const answer = dialect.readAnswer(JSON.parse(text))!;
        const written = JSON.parse(dialect.writeAnswer(answer, CONTEXT));
        expect(written.inference_log_id).toBe(LOG_ID);
        const again = dialect.readAnswer(written)!;
        // Parts that only this API knows are not in the neutral form.
        if (name === 'server-tool') expect(substance(again)).toEqual(substance(answer));
        else expect(again).toEqual(answer);
      },
    );

    it('says a text letter by letter in its token probabilities alone', () => {
      const [one] = answers.filter(({ name }) => name === 'probabilities');
      // An API with such probabilities has a fixture of them.
      expect(one !== undefined).toBe(dialect.tokenProbabilities.length > 0);
      if (one === undefined) return;
      const [text] = substance(dialect.readAnswer(JSON.parse(one.text))!) as [string];
      expect(one.text).toContain('" Anna"');
      const changes = new Map([[text, 'Call <PERSON>.']]);
      const { data } = replaceRepeatedTexts({ data: one.text }, changes, dialect.tokenProbabilities);
      expect(substance(dialect.readAnswer(JSON.parse(data))!)).toEqual(['Call <PERSON>.']);
      expect(data).not.toContain('Anna');
    });

    it('reads nothing into what is no answer', () => {
      const values: JsonValue[] = [null, 3, 'text', [], {}, { choices: 'x' }, { object: 'list', data: [] }];
      for (const value of values) {
        expect(dialect.readAnswer(value)).toBeUndefined();
        expect(dialect.readError(value)).toBeUndefined();
      }
    });
  });

  describe('streams', () => {
    const streams = fixturesOf(dialect, 'sse').map((one) => [one.name, one] as const);

    it.each(streams)('decodes %s as expected', async (_name, { bytes, expectedPath }) => {
      await expect(golden(decodeAll(dialect, framesOf(bytes)))).toMatchFileSnapshot(expectedPath);
    });

    it.each(streams)('decodes %s the same wherever it is cut in two', (_name, { bytes }) => {
      const whole = decodeAll(dialect, framesOf(bytes));
      for (let at = 0; at <= bytes.length; at++) {
        const events = decodeAll(dialect, framesOf(bytes.subarray(0, at), bytes.subarray(at)));
        expect(events).toEqual(whole);
      }
    });

    it.each(streams)('decodes %s the same byte by byte', (_name, { bytes }) => {
      const single = [...bytes].map((byte) => Uint8Array.of(byte));
      expect(decodeAll(dialect, framesOf(...single))).toEqual(decodeAll(dialect, framesOf(bytes)));
    });

    it.each(streams)('says nothing false of %s when it breaks off anywhere', (_name, { bytes }) => {
      const whole = decodeAll(dialect, framesOf(bytes));
      for (let at = 0; at < bytes.length; at++) {
        const events = decodeAll(dialect, framesOf(bytes.subarray(0, at)));
        expect(events).toEqual(whole.slice(0, events.length));
      }
    });

    const ended = streams.filter(([name]) => !['cut', 'error', 'failed'].includes(name));

    it.each(ended)('encodes %s so that it spells the same answer', (_name, { bytes }) => {
      const events = decodeAll(dialect, framesOf(bytes));
      const frames = encodeAll(dialect, events, CONTEXT);
      const again = decodeAll(dialect, frames);
      const first = answerOf(events);
      expect(answerOf(again)).toEqual(first);
      // Once it went through the encoder a stream stays as it is.
      expect(encodeAll(dialect, again, CONTEXT)).toEqual(frames);
      expect(again.at(-1)).toEqual({ type: 'end' });
    });

    it.each(ended)('encodes %s with our field in it', (_name, { bytes }) => {
      const frames = encodeAll(dialect, decodeAll(dialect, framesOf(bytes)), CONTEXT);
      expect(frames[0]!.data).toContain(`"inference_log_id":"${LOG_ID}"`);
    });

    it.each(streams)('passes %s on with our field and the same events', (_name, { bytes }) => {
      const frames = framesOf(bytes);
      const adapted = frames.flatMap(
        (frame, index) => dialect.adaptFrame(frame, { ...CONTEXT, first: index === 0 }) ?? [],
      );
      expect(adapted).toHaveLength(frames.length);
      const withoutValue = (event: StreamEvent) => ({ ...event, value: null });
      expect(decodeAll(dialect, adapted).map(withoutValue)).toEqual(
        decodeAll(dialect, frames).map(withoutValue),
      );
      expect(adapted.map(({ data }) => data).join()).toContain(`"inference_log_id":"${LOG_ID}"`);
    });

    it('passes frames that need no change on as they are', () => {
      const frames = framesOf(fixture(dialect, 'sse', 'text').bytes);
      const deltas = frames.filter((frame, index) => {
        const [event] = decodeAll(dialect, frames.slice(0, index + 1)).slice(-1);
        return event?.type === 'delta' && dialect.adaptFrame(frame, { ...CONTEXT, first: false }) === frame;
      });
      expect(deltas.length).toBeGreaterThanOrEqual(2);
    });

    it.each(streams)('puts other texts into the deltas of %s', (_name, { bytes }) => {
      const decoder = dialect.createDecoder();
      const other = dialect.createDecoder();
      for (const frame of framesOf(bytes)) {
        const events = decoder.decode(frame);
        const texts = events.flatMap((event) => (event.type === 'delta' ? [event.text] : []));
        expect(dialect.replaceDeltas(frame, texts)).toBe(frame);
        // Arguments stay an object's JSON, as a plugin that masks leaves them.
        const replacedText = (old: string) => (old.startsWith('{') ? '{"city":"MASKED"}' : '<"MASKED">');
        const masked = dialect.replaceDeltas(frame, texts.map(replacedText));
        const expected = events.map((event) =>
          event.type === 'delta' && masked !== frame ? { ...event, text: replacedText(event.text) } : event,
        );
        expect(other.decode(masked)).toEqual(expected);
      }
    });

    it.skipIf(lacks.otherDeltas)('has a name for each text that grows in its deltas', () => {
      let texts = 0;
      for (const [name, { bytes }] of streams) {
        const decoder = dialect.createDecoder();
        const names = new Map<string, Set<string | undefined>>();
        for (const frame of framesOf(bytes)) {
          const deltas = decoder.decode(frame).filter((event) => event.type === 'delta');
          // Frames with several are rare, and their places cannot be told apart by their texts.
          const [delta] = deltas;
          if (delta === undefined || deltas.length > 1 || delta.text === '') continue;
          const value = JSON.parse(frame.data) as JsonObject;
          const path = pathOf(value, delta.text);
          if (path === undefined) continue;
          const channel = JSON.stringify(delta.channel);
          names.set(channel, (names.get(channel) ?? new Set()).add(dialect.growingText(value, path)));
          expect(dialect.growingText(value, ['id'])).toBeUndefined();
        }
        const all = [...names.values()].flatMap((one) => [...one]);
        // One name for all pieces of a text, and another for each other text.
        expect(all, name).toHaveLength(names.size);
        expect(new Set(all).size, name).toBe(names.size);
        expect(all, name).not.toContain(undefined);
        texts += names.size;
      }
      expect(texts).toBeGreaterThan(5);
    });

    it('understands what makes no sense as nothing', () => {
      const decoder = dialect.createDecoder();
      for (const data of ['', '{', 'null', '3', '[]', '{}', '{"type":3}', '{"choices":[null,{"delta":3}]}']) {
        expect(decoder.decode({ data })).toEqual([]);
        expect(dialect.adaptFrame({ data }, { ...CONTEXT, first: false })).toEqual({ data });
        expect(dialect.replaceDeltas({ data }, [])).toEqual({ data });
      }
    });

    it('never throws, whatever comes', () => {
      const known = streams.flatMap(([, { bytes }]) => framesOf(bytes).map(({ data }) => data));
      const data = fc.oneof(fc.json(), fc.tuple(fc.constantFrom(...known), fc.nat(), fc.string()).map(spoil));
      fc.assert(
        fc.property(fc.array(data, { maxLength: 8 }), (frames) => {
          const encoder = dialect.createEncoder(CONTEXT);
          const decoder = dialect.createDecoder();
          for (const text of frames) {
            for (const event of decoder.decode({ data: text })) encoder.encode(event);
            dialect.adaptFrame({ data: text }, { ...CONTEXT, first: true });
          }
          encoder.finish();
        }),
        { numRuns: 300 },
      );
    });

    it('closes a stream that its source did not close', () => {
      const events = decodeAll(dialect, framesOf(fixture(dialect, 'sse', 'text').bytes));
      const encoder = dialect.createEncoder(CONTEXT);
      const frames = events
        .filter((event) => event.type !== 'end')
        .flatMap((event) => encoder.encode(event))
        .concat(encoder.finish());
      expect(frames).toEqual(encodeAll(dialect, events, CONTEXT));
      expect(encoder.finish()).toEqual([]);
    });

    it('tells a stream that broke off as an error', () => {
      const events = decodeAll(dialect, framesOf(fixture(dialect, 'sse', 'cut').bytes));
      const encoder = dialect.createEncoder(CONTEXT);
      const frames = [...events.flatMap((event) => encoder.encode(event)), ...encoder.finish()];
      const again = decodeAll(dialect, frames);
      expect(again.slice(0, -1).map(({ type }) => type)).toEqual(events.map(({ type }) => type));
      expect(again.at(-1)!.type).toBe('error');
      expect(encoder.finish()).toEqual([]);
    });

    it('starts a stream whose source never said its name', () => {
      const delta: StreamEvent = {
        type: 'delta',
        channel: { kind: 'text', choice: 0, part: 0 },
        text: 'Hi',
      };
      const frames = encodeAll(dialect, [delta, { type: 'end' }], CONTEXT);
      const events = decodeAll(dialect, frames);
      const { model, ...answer } = answerOf(events);
      expect(substance({ model, ...answer })).toEqual(['Hi']);
      // Some APIs do not tell the model.
      expect(['large', '']).toContain(model);
    });

    it('tells an error in the midst of a stream, and ends it there', () => {
      const events = decodeAll(dialect, framesOf(fixture(dialect, 'sse', 'error').bytes));
      const encoder = dialect.createEncoder(CONTEXT);
      const frames = events.flatMap((event) => encoder.encode(event));
      const again = decodeAll(dialect, frames);
      const last = again.at(-1)!;
      expect(last.type).toBe('error');
      expect(last).toMatchObject({ message: (events.at(-1) as { message: string }).message });
      expect(encoder.finish()).toEqual([]);
    });
  });

  describe('errors', () => {
    const error = new SluiceError('invalid_request', "'model' is required.", { param: 'model' });

    it('writes an error that it reads itself', () => {
      const read = dialect.readError(JSON.parse(dialect.writeError(error, LOG_ID)))!;
      expect(read.message).toContain("'model' is required.");
      expect(['invalid_request_error', 'INVALID_ARGUMENT', undefined]).toContain(read.type);
    });

    it("shows a plugin's own code", () => {
      const rejected = new SluiceError('rejected_by_plugin', 'No.', { clientCode: 'too_rude' });
      expect(dialect.writeError(rejected, LOG_ID)).toContain('too_rude');
      expect(dialect.writeStreamError(rejected, LOG_ID).map(formatFrame).join()).toContain('too_rude');
    });

    it('ends a stream with an error that its decoder understands', () => {
      const [event] = decodeAll(dialect, dialect.writeStreamError(error, LOG_ID));
      expect(event).toMatchObject({ type: 'error' });
      expect((event as { message: string }).message).toContain("'model' is required.");
    });

    it.each(['error-401', 'error-429', 'error-500'])('translates %s of every API', (name) => {
      const types = dialects.map((source) => {
        const provider = source.readError(JSON.parse(fixture(source, 'response.json', name).text))!;
        const status = Number(name.slice(-3));
        const read = dialect.readError(JSON.parse(dialect.translateError(provider, status, LOG_ID)))!;
        expect(read.message).toBe(provider.message);
        return read.type;
      });
      expect(new Set(types).size).toBe(1);
    });
  });
}

/** Where a text stands, if it does so once. */
function pathOf(value: JsonValue, text: string): Path | undefined {
  const found: Path[] = [];
  const look = (inside: JsonValue, path: Path) => {
    if (inside === text) found.push(path);
    if (typeof inside !== 'object' || inside === null) return;
    if (Array.isArray(inside)) inside.forEach((item, at) => void look(item, [...path, at]));
    else for (const [key, member] of Object.entries(inside)) look(member, [...path, key]);
  };
  look(value, []);
  return found.length === 1 ? found[0] : undefined;
}

/** What only its own API knows changes with the texts in it. */
function withoutOthers(answer: Answer): Answer {
  const choices = answer.choices.map((choice) => ({
    ...choice,
    parts: choice.parts.filter((part) => part.type !== 'other'),
  }));
  return { ...answer, choices };
}

function mapTexts<T extends { parts: Parameters<typeof textsOf>[0] }>(
  messages: readonly T[],
  change: (text: string) => string,
): T[] {
  return messages.map((message) => ({ ...message, parts: changeParts(message.parts, change) }));
}

function changeParts(
  parts: Parameters<typeof textsOf>[0],
  change: (text: string) => string,
): Parameters<typeof textsOf>[0] {
  return parts.map((part) => {
    switch (part.type) {
      case 'text':
      case 'reasoning':
      case 'refusal':
        // Reasoning without a text is proof alone, which no plugin has anything to do with.
        return part.text === '' ? part : { ...part, text: change(part.text) };
      case 'tool-call':
        return { ...part, arguments: change(part.arguments) };
      case 'tool-result':
        return { ...part, parts: [...changeParts(part.parts, change)] };
      case 'document':
        if (part.source.kind !== 'text') return part;
        return { ...part, source: { ...part.source, text: change(part.source.text) } };
      default:
        return part;
    }
  });
}

/** Another text in its place; arguments stay an object's JSON, as a plugin that masks leaves them. */
function replaced(old: string, replacement: string): string {
  return old.startsWith('{') ? JSON.stringify({ city: replacement }) : `${replacement}!`;
}

/** A frame's data with something else at one place. */
function spoil([data, at, text]: [string, number, string]): string {
  const place = at % (data.length + 1);
  return data.slice(0, place) + text + data.slice(place + text.length);
}
