import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Answer } from '../../src/core/answer.js';
import type { JsonObject } from '../../src/core/json.js';
import type { Part } from '../../src/core/message.js';
import { atOnce } from '../../src/core/pacing/steps.js';
import type { SseFrame } from '../../src/dialects/dialect.js';
import { dialects } from '../../src/dialects/index.js';
import { formatFrame } from '../../src/dialects/wire/sse.js';
import { eventsOf } from '../../src/pipeline/answer/replayed-events.js';
import { type Guarded, guardAnswer, guardRequest } from '../support/guarded-exchange.js';
import { RESPONSES_HABITS, withWholeCalls } from '../support/odd-streams.js';
import { CONTEXT, encodeAll } from './dialects-support.js';

/*
 * A guard decides the same of a plain answer and of the same answer as a stream, in each API, wherever a personal value
 * stands: in the text, in what the model thought, in the arguments of a call, or in the name of one of these.
 */

const VALUE = '4111 1111 1111 1111';
const REJECTED = 'pii_detected';
const NOTHING = 'the manual';
const sentences = fc.array(fc.constantFrom('All is well. ', 'Look it up. ', 'Then go on. '), {
  maxLength: 3,
});
const said = fc
  .tuple(sentences, fc.constantFrom(VALUE, NOTHING, NOTHING), sentences)
  .map(([before, value, behind]) => `${before.join('')}My card is ${value}. ${behind.join('')}`);

const argumentsOf = (text: string, isName: boolean) =>
  JSON.stringify(isName ? { [text]: 1 } : { note: text, list: [{ a: 'b' }] });

const answers: fc.Arbitrary<Answer> = fc
  .record({ thought: fc.option(said), text: said, call: fc.option(said), isName: fc.boolean() })
  .map(({ thought, text, call, isName }) => {
    const parts: Part[] = [
      ...(thought === null ? [] : [{ type: 'reasoning' as const, text: thought }]),
      { type: 'text', text },
      ...(call === null
        ? []
        : [{ type: 'tool-call' as const, id: 'call_1', name: 'f', arguments: argumentsOf(call, isName) }]),
    ];
    return {
      id: 'a1',
      model: 'large',
      created: 1_741_570_283,
      choices: [{ index: 0, parts, finishReason: call === null ? 'stop' : 'tool-calls' }],
      usage: { inputTokens: 1, outputTokens: 2 },
    };
  });

/** Only Responses has events of these names. */
function withHabit(frames: readonly SseFrame[], calls: string): SseFrame[] {
  const isObject = ({ data }: SseFrame) => data.startsWith('{');
  const kept = new Set(
    withWholeCalls(
      frames.filter(isObject).map(({ data }) => JSON.parse(data) as JsonObject),
      calls,
    ).map((value) => JSON.stringify(value)),
  );
  return frames.filter((frame) => !isObject(frame) || kept.has(JSON.stringify(JSON.parse(frame.data))));
}

/** Of a stream some may have gone on before: then it ends with the rejection. */
const isRejected = ({ status, text }: Guarded) => status === 400 || text.includes(REJECTED);

/** Pieces of the wire, cut anywhere. */
function cutAt(text: string, sizes: readonly number[]): string[] {
  const pieces: string[] = [];
  for (let at = 0, turn = 0; at < text.length; turn++) {
    const size = sizes[turn % sizes.length]!;
    pieces.push(text.slice(at, at + size));
    at += size;
  }
  return pieces;
}

describe.each(dialects.map((dialect) => [dialect.id, dialect] as const))('%s', (_id, dialect) => {
  it.each(['reject', 'mask'] as const)(
    'decides the same for a plain and a streamed answer, %s',
    async (decision) => {
      await fc.assert(
        fc.asyncProperty(
          answers,
          fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 1, maxLength: 4 }),
          fc.constantFrom(...RESPONSES_HABITS.calls),
          async (answer, sizes, calls) => {
            const plain = atOnce(dialect.writeAnswer(answer, CONTEXT));
            const frames = withHabit(encodeAll(dialect, eventsOf(answer), CONTEXT), calls)
              .map(formatFrame)
              .join('');
            const [one, other] = [
              await guardAnswer(dialect, plain, decision),
              await guardAnswer(dialect, cutAt(frames, sizes), decision),
            ];
            // An API may have no place for a part, such as what a model thought.
            const isThere = plain.includes(VALUE);
            expect(frames.includes(VALUE)).toBe(isThere);
            for (const { text } of [one, other]) expect(text).not.toContain(VALUE);
            if (decision === 'mask') {
              for (const { text } of [one, other]) expect(text.includes('<CREDIT_CARD>')).toBe(isThere);
              return;
            }
            expect(isRejected(one)).toBe(isRejected(other));
            if (isThere) expect(isRejected(one)).toBe(true);
          },
        ),
        { numRuns: 40 },
      );
    },
  );
});

/** A request in each API that says `text`. */
const REQUESTS: readonly [id: string, write: (text: string) => string][] = [
  ['openai.chat', (text) => `{"model":"m","messages":[{"role":"user","content":"${text}"}]}`],
  ['openai.responses', (text) => `{"model":"m","input":[{"role":"user","content":"${text}"}]}`],
  [
    'anthropic.messages',
    (text) => `{"model":"m","max_tokens":9,"messages":[{"role":"user","content":"${text}"}]}`,
  ],
  ['gemini.generate', (text) => `{"contents":[{"role":"user","parts":[{"text":"${text}"}]}]}`],
];

describe.each(REQUESTS)('a member that comes twice in a request of %s', (id, write) => {
  const dialect = dialects.find((one) => one.id === id)!;
  /** Each member of the request once more in front of itself, with the value in it. */
  const twice = ['contents', 'messages', 'input', 'content', 'parts', 'text', 'role'].flatMap((name) => {
    const [hidden, shown] = [write(`My card is ${VALUE}.`), write('Hello.')];
    const member = new RegExp(`"${name}":`);
    if (!member.test(shown)) return [];
    const at = shown.search(member);
    const end = name === 'role' ? '"user"' : hidden.slice(hidden.search(member) + name.length + 3);
    const value = name === 'role' ? `"${VALUE}"` : valueAt(end);
    return [`${shown.slice(0, at)}"${name}":${value},${shown.slice(at)}`];
  });

  it('goes on as the guard saw it', async () => {
    expect(twice.length).toBeGreaterThanOrEqual(3);
    for (const body of twice) {
      const { status, text } = await guardRequest(dialect, body, 'mask');
      expect([status, text.includes(VALUE)], body).toEqual([200, false]);
    }
  });
});

/** The JSON value that a text begins with. */
function valueAt(text: string): string {
  for (let end = 1; end <= text.length; end++) {
    try {
      JSON.parse(text.slice(0, end));
      return text.slice(0, end);
    } catch {
      // It goes on.
    }
  }
  throw new Error('no value');
}
