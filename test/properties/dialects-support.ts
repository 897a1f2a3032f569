import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Answer, StreamEvent } from '../../src/core/answer.js';
import type { JsonDocument, JsonObject, JsonValue } from '../../src/core/json.js';
import type { Message, Part } from '../../src/core/message.js';
import { acceptedSchema } from '../../src/dialects/anthropic-messages/output-schema.js';
import type {
  Dialect,
  EncoderContext,
  RenderTarget,
  RequestView,
  SseFrame,
} from '../../src/dialects/dialect.js';
import { createSseParser } from '../../src/dialects/wire/sse.js';
import { AnswerBuilder } from '../../src/pipeline/attempt/read/answer-builder.js';

/*
 * Fixtures are what providers and clients send, as it looks on the wire: `<dialect>/<case>.request.json`,
 * `<case>.response.json` and `<case>.sse`, each with what is read from it in `….expected.json`.
 */

const ROOT = fileURLToPath(new URL('../fixtures/', import.meta.url));

export type FixtureKind = 'request.json' | 'response.json' | 'sse';

export interface Fixture {
  name: string;
  /** Where what is expected stands. */
  expectedPath: string;
  bytes: Buffer;
  text: string;
}

export function folderOf(dialect: Dialect): string {
  return dialect.id.replace('.', '-');
}

/** A dialect's fixtures of one kind, by name. */
export function fixturesOf(dialect: Dialect, kind: FixtureKind): Fixture[] {
  const folder = `${ROOT}${folderOf(dialect)}/`;
  return readdirSync(folder)
    .filter((file) => file.endsWith(`.${kind}`) && !file.includes('.expected.'))
    .sort()
    .map((file) => {
      const bytes = readFileSync(folder + file);
      const name = file.slice(0, -kind.length - 1);
      const expected = file.endsWith('.json')
        ? file.replace(/json$/, 'expected.json')
        : `${file}.expected.json`;
      return { name, expectedPath: folder + expected, bytes, text: bytes.toString('utf8') };
    });
}

export function fixture(dialect: Dialect, kind: FixtureKind, name: string): Fixture {
  const found = fixturesOf(dialect, kind).find((one) => one.name === name);
  if (found === undefined) throw new Error(`${dialect.id} has no fixture ${name}.${kind}`);
  return found;
}

export function documentOf(text: string): JsonDocument {
  return { text, value: JSON.parse(text) as JsonObject };
}

/** What is expected, as it stands in a golden file. */
export function golden(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

export function framesOf(...chunks: Uint8Array[]): SseFrame[] {
  const parser = createSseParser();
  return [...chunks.flatMap((chunk) => parser.push(chunk)), ...parser.end()];
}

export function decodeAll(dialect: Dialect, frames: readonly SseFrame[]): StreamEvent[] {
  const decoder = dialect.createDecoder();
  return frames.flatMap((frame) => decoder.decode(frame));
}

export function encodeAll(
  dialect: Dialect,
  events: readonly StreamEvent[],
  context: EncoderContext,
): SseFrame[] {
  const encoder = dialect.createEncoder(context);
  return events.flatMap((event) => encoder.encode(event));
}

export function answerOf(events: readonly StreamEvent[]): Answer {
  const builder = new AnswerBuilder();
  for (const event of events) builder.add(event);
  return builder.build();
}

/** Each provider has tiers of service of its own, so no other API is told of one. */
export function withoutTier(answer: Answer): Answer {
  const { serviceTier: _, ...usage } = answer.usage ?? {};
  return answer.usage === undefined ? answer : { ...answer, usage: usage as Answer['usage'] };
}

export const LOG_ID = '01936f5c-8a3e-7c4d-9b2f-1a2b3c4d5e6f';
export const CONTEXT: EncoderContext = {
  logId: LOG_ID,
  streamUsage: true,
  created: 1_741_570_283,
  model: 'large',
};
/** For an API that has model and stream in its path. */
export const ADDRESS = { model: 'large', stream: false };
export const TARGET: RenderTarget = { model: 'large', outputSchema: 'native', askForUsage: false };

/** The schema that an API is sent: some take less than JSON Schema has. */
export function takenSchema(provider: Dialect, { outputSchema }: RequestView): JsonValue | undefined {
  if (outputSchema === undefined || provider.id !== 'anthropic.messages') return outputSchema?.schema;
  return acceptedSchema(outputSchema.schema);
}

/** What an API may lack. */
export interface Lacks {
  metadata?: true;
  /** The model stands in the path, not in the body. */
  modelInBody?: true;
  /** Deltas at places that no event tells of: each of its texts is whole in its frame. */
  otherDeltas?: true;
}

/** What a person would see of an answer: its parts without what only one API can say. */
export function substance(answer: Answer | undefined): JsonValue {
  const parts = (answer?.choices[0]?.parts ?? []).flatMap((part): JsonValue[] => {
    switch (part.type) {
      case 'text':
      case 'refusal':
        return [part.text];
      case 'reasoning':
        return part.text === '' ? [] : [{ thinks: part.text }];
      case 'tool-call':
        return [{ calls: part.name, id: part.id, with: JSON.parse(part.arguments) as JsonValue }];
      default:
        return [];
    }
  });
  return parts;
}

export function isText(part: Part): part is Extract<Part, { type: 'text' }> {
  return part.type === 'text';
}

/** The messages without what a request says beside them, which comes as results of no tool. */
export function spoken(messages: readonly Message[]): Message[] {
  return messages
    .map((message) => ({
      ...message,
      parts: message.parts.filter((part) => part.type !== 'tool-result' || part.callId !== ''),
    }))
    .filter(({ parts }) => parts.length > 0);
}

/** The same messages, or choices, with each of their texts changed. */
export function changeTexts<T extends { parts: readonly Part[] }>(
  messages: readonly T[],
  change: (text: string) => string,
): T[] {
  return messages.map((message) => ({ ...message, parts: changeParts(message.parts, change) }));
}

function changeParts(parts: readonly Part[], change: (text: string) => string): readonly Part[] {
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
export function replaced(old: string, replacement: string): string {
  return old.startsWith('{') ? JSON.stringify({ city: replacement }) : `${replacement}!`;
}
