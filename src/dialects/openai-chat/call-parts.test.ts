import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../core/json.js';
import { atOnce } from '../../core/pacing/steps.js';
import { AnswerBuilder } from '../../pipeline/attempt/read/answer-builder.js';
import { anthropicMessages } from '../anthropic-messages/index.js';
import { steadyCalls } from '../translate/steady-calls.js';
import { openaiChat } from './index.js';

type Piece = { index?: number; id?: string | null; name?: string; args?: string | JsonObject | null };

function chunk(...pieces: Piece[]): string {
  const calls = pieces.map(({ index, id, name, args }) => ({
    ...(index === undefined ? {} : { index }),
    ...(id === undefined ? {} : { id }),
    type: 'function',
    function: { ...(name === undefined ? {} : { name }), ...(args === undefined ? {} : { arguments: args }) },
  }));
  return JSON.stringify({
    id: 'c-1',
    choices: [{ index: 0, delta: { tool_calls: calls }, finish_reason: null }],
  });
}

const END = JSON.stringify({ id: 'c-1', choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }] });

/** The calls of a stream, as a log has them and as a client of another API gets them. */
function read(chunks: readonly string[]): { called: string[]; translated: string[]; ids: string[] } {
  const decoder = openaiChat.createDecoder();
  const events = [...chunks, END, '[DONE]'].flatMap((data) => decoder.decode({ data }));
  const builder = new AnswerBuilder();
  for (const event of events) builder.add(event);
  const encoder = steadyCalls(
    anthropicMessages.createEncoder({ logId: 'l', streamUsage: true, created: 1, model: 'm' }),
  );
  const frames = [...events.flatMap((event) => encoder.encode(event)), ...encoder.finish()];
  const other = anthropicMessages.createDecoder();
  const again = new AnswerBuilder();
  for (const frame of frames) for (const event of other.decode(frame)) again.add(event);
  const callsOf = (built: AnswerBuilder) =>
    built.build().choices[0]!.parts.flatMap((part) => (part.type === 'tool-call' ? [part] : []));
  const told = (built: AnswerBuilder) => callsOf(built).map((call) => `${call.name} ${call.arguments}`);
  return { called: told(builder), translated: told(again), ids: callsOf(builder).map(({ id }) => id) };
}

const F = 'f {"a":1}';
const G = 'g {"b":2}';

describe('the calls of a stream', () => {
  it.each<[string, string[], string[]]>([
    [
      'as the API tells them',
      [chunk({ index: 0, id: 'a', name: 'f', args: '' }), chunk({ index: 0, args: '{"a":1}' })],
      [F],
    ],
    ['whose arguments are an object', [chunk({ index: 0, id: 'a', name: 'f', args: { a: 1 } })], [F]],
    [
      'without an index',
      [
        chunk({ id: 'a', name: 'f', args: '{"a"' }),
        chunk({ args: ':1}' }),
        chunk({ id: 'b', name: 'g', args: '{"b":2}' }),
      ],
      [F, G],
    ],
    [
      'all with the same index',
      [
        chunk({ index: 0, id: 'a', name: 'f', args: '{"a":1}' }),
        chunk({ index: 0, id: 'b', name: 'g', args: '{"b":2}' }),
      ],
      [F, G],
    ],
    [
      'all with the same index and without ids',
      [
        chunk({ index: 0, name: 'f', args: '{"a":1}' }),
        chunk({ index: 0, name: 'f', args: '{"a":1}' }),
        chunk({ index: 0, name: 'g', args: '{"b":2}' }),
      ],
      [F, F, G],
    ],
    [
      'without ids, several in one chunk',
      [
        chunk(
          { index: 0, id: '', name: 'f', args: '{"a":1}' },
          { index: 1, id: '', name: 'g', args: '{"b":2}' },
        ),
      ],
      [F, G],
    ],
    [
      'whose name is repeated with each piece',
      [
        chunk({ index: 0, id: 'a', name: 'f', args: '{"a"' }),
        chunk({ index: 0, id: 'a', name: 'f', args: ':1}' }),
        chunk({ index: 0, id: 'a', name: 'f', args: '' }),
      ],
      [F],
    ],
    [
      'whose name is repeated, without ids',
      [
        chunk({ index: 0, name: 'f', args: '{"a"' }),
        chunk({ index: 0, name: 'f', args: ':1}' }),
        chunk({ index: 0, name: 'f', args: '' }),
      ],
      [F],
    ],
    [
      'whose name comes in pieces',
      [
        chunk({ index: 0, id: 'a', name: 'get_' }),
        chunk({ index: 0, name: 'weather' }),
        chunk({ index: 0, args: '{}' }),
      ],
      ['get_weather {}'],
    ],
    [
      'whose arguments come before the name',
      [
        chunk({ index: 0, id: 'a', args: '{"a"' }),
        chunk({ index: 0, name: 'f' }),
        chunk({ index: 0, args: ':1}' }),
      ],
      [F],
    ],
    [
      'whose pieces mix',
      [
        chunk({ index: 0, id: 'a', name: 'f', args: '{"a"' }, { index: 1, id: 'b', name: 'g', args: '{"b"' }),
        chunk({ index: 1, args: ':2}' }, { index: 0, args: ':1}' }),
      ],
      [F, G],
    ],
    [
      'with arguments that are null',
      [chunk({ index: 0, id: 'a', name: 'f', args: null }), chunk({ index: 0, args: '{"a":1}' })],
      [F],
    ],
  ])('are read %s', (_name, chunks, calls) => {
    const { called, translated, ids } = read(chunks);
    expect(called).toEqual(calls);
    expect(translated).toEqual(calls);
    expect(new Set(ids).size).toBe(calls.length);
    expect(ids).not.toContain('');
  });

  it('are the same in whatever form they arrive', () => {
    const call = fc.record({ name: fc.constantFrom('f', 'g', 'get_weather'), value: fc.nat(9) });
    const shape = fc.record({
      numbered: fc.constantFrom('each', 'same', 'none'),
      ids: fc.constantFrom('each', 'repeated', 'empty', 'none'),
      names: fc.constantFrom('once', 'repeated'),
      object: fc.boolean(),
      cut: fc.nat(6),
    });
    fc.assert(
      fc.property(fc.array(call, { minLength: 1, maxLength: 4 }), shape, (calls, how) => {
        const chunks = calls.flatMap(({ name, value }, at) => {
          const args = `{"v":${value}}`;
          const index = how.numbered === 'none' ? {} : { index: how.numbered === 'same' ? 0 : at };
          const first = how.ids === 'none' ? {} : { id: how.ids === 'empty' ? '' : `call-${at}` };
          if (how.object) return [chunk({ ...index, ...first, name, args: { v: value } })];
          const again = how.ids === 'repeated' ? first : {};
          const named = how.names === 'repeated' ? { name } : {};
          return [
            chunk({ ...index, ...first, name, args: args.slice(0, how.cut) }),
            chunk({ ...index, ...again, ...named, args: args.slice(how.cut) }),
          ];
        });
        const expected = calls.map(({ name, value }) => `${name} {"v":${value}}`);
        const { called, translated, ids } = read(chunks);
        expect(called).toEqual(expected);
        expect(translated).toEqual(expected);
        expect(new Set(ids).size).toBe(calls.length);
      }),
    );
  });
});

describe('the calls of a whole answer', () => {
  it('get ids where they have none, and arguments as text where they are an object', () => {
    const tool_calls: JsonObject[] = [
      { id: '', type: 'function', function: { name: 'f', arguments: '{"a":1}' } },
      { type: 'function', function: { name: 'f', arguments: { a: 2 } } },
    ];
    const body: JsonObject = {
      id: 'c-1',
      choices: [
        { index: 0, message: { role: 'assistant', content: null, tool_calls }, finish_reason: 'tool_calls' },
      ],
    };
    const answer = atOnce(openaiChat.readAnswer(body))!;
    expect(answer.choices[0]!.parts).toEqual([
      { type: 'tool-call', id: 'call_c1_0', name: 'f', arguments: '{"a":1}' },
      { type: 'tool-call', id: 'call_c1_1', name: 'f', arguments: '{"a":2}' },
    ]);
  });
});
