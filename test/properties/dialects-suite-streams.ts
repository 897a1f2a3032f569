import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { StreamEvent } from '../../src/core/answer.js';
import type { JsonObject, JsonValue } from '../../src/core/json.js';
import type { Dialect } from '../../src/dialects/dialect.js';
import type { Path } from '../../src/dialects/wire/splice.js';
import {
  answerOf,
  CONTEXT,
  decodeAll,
  encodeAll,
  fixture,
  fixturesOf,
  framesOf,
  golden,
  type Lacks,
  LOG_ID,
  substance,
  withoutTier,
} from './dialects-support.js';

export function describeStreams(dialect: Dialect, lacks: Lacks): void {
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
      expect(withoutTier(answerOf(again))).toEqual(withoutTier(first));
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

/** A frame's data with something else at one place. */
function spoil([data, at, text]: [string, number, string]): string {
  const place = at % (data.length + 1);
  return data.slice(0, place) + text + data.slice(place + text.length);
}
