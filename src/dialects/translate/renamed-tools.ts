import { type Answer, type StreamEvent, withChoices } from '../../core/answer.js';
import type { JsonValue } from '../../core/json.js';
import type { Part } from '../../core/message.js';
import type { Steps } from '../../core/pacing/steps.js';
import type { Dialect, StreamDecoder } from '../dialect.js';

/** The client's names of tools by the names that a provider got. Writing the request fills this map. */
export type RenamedTools = Map<string, string>;

/**
 * A dialect for a provider that got other names of tools than the client sent. Its answers have the client's names.
 */
export function renamedToolsDialect(dialect: Dialect, names: RenamedTools): Dialect {
  return {
    ...dialect,
    readAnswer: (value) => readRenamed(value, dialect, names),
    createDecoder: () => {
      const decoder = dialect.createDecoder();
      return names.size === 0 ? decoder : renamingDecoder(decoder, names);
    },
  };
}

function* readRenamed(value: JsonValue, dialect: Dialect, names: RenamedTools): Steps<Answer | undefined> {
  const answer = yield* dialect.readAnswer(value);
  if (answer === undefined || names.size === 0) return answer;
  if (dialect.readParts !== undefined) yield* dialect.readParts(answer);
  return withClientNames(answer, names);
}

function withClientNames(answer: Answer, names: RenamedTools): Answer {
  const rename = (part: Part): Part =>
    part.type === 'tool-call' ? { ...part, name: names.get(part.name) ?? part.name } : part;
  const choices = answer.choices.map((choice) => ({ ...choice, parts: choice.parts.map(rename) }));
  return withChoices(answer, choices);
}

function renamingDecoder(decoder: StreamDecoder, names: RenamedTools): StreamDecoder {
  const rename = (event: StreamEvent): StreamEvent =>
    event.type === 'tool-call-start' ? { ...event, name: names.get(event.name) ?? event.name } : event;
  const { decodeInSteps } = decoder;
  const renaming: StreamDecoder = { decode: (frame) => decoder.decode(frame).map(rename) };
  if (decodeInSteps !== undefined) {
    renaming.decodeInSteps = (frame) => mapped(decodeInSteps.call(decoder, frame), rename);
  }
  return renaming;
}

function* mapped<Item>(steps: Steps<Item[]>, change: (item: Item) => Item): Steps<Item[]> {
  return (yield* steps).map(change);
}
