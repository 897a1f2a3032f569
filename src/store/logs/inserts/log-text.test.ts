import fc from 'fast-check';
import { BSON } from 'mongodb';
import { describe, expect, it } from 'vitest';
import { agentRequests } from '../../../../test/support/agent-requests.js';
import { freshFragments } from '../../../../test/support/fragments.js';
import { logRecord } from '../../../../test/support/log-record.js';
import type { JsonObject } from '../../../core/json.js';
import type { LogRecord } from '../../../core/log-record.js';
import { JsonToBson } from './json-to-bson.js';
import { toLogDocument } from './log-document.js';
import { LogTextWriter } from './log-text.js';

const asBson = async (record: LogRecord, fragments = freshFragments()) =>
  Buffer.from(BSON.serialize((await toLogDocument(record, fragments)).document, { ignoreUndefined: true }));

/** What the text of a record becomes, behind bytes that stand there already; undefined where it is to be read. */
function written(record: LogRecord, fragments = freshFragments()): Buffer | undefined {
  const bson = new JsonToBson(Buffer.alloc(100));
  bson.end = 7;
  const head = new LogTextWriter(bson, fragments).write(Buffer.from(JSON.stringify(record)));
  if (head === undefined) return undefined;
  const {
    request: _request,
    response: _response,
    client_response: _client,
    preview: _preview,
    ...rest
  } = record;
  expect(head).toMatchObject(
    JSON.parse(JSON.stringify(rest), (key, value) => (key === 'created_at' ? expect.anything() : value)),
  );
  expect(head.created_at).toEqual(record.created_at);
  return bson.out.subarray(7, bson.end);
}

const key = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.string({ unit: fc.constantFrom('a', 'é', '.', '中', '🎉', '7'), maxLength: 6 }),
  },
  fc.constantFrom(
    '__proto__',
    '$set',
    '$ref',
    '$id',
    '_bsontype',
    'valueOf',
    'quo"te',
    'nul\0',
    '\\',
    'messages',
  ),
);
const text = fc.oneof(
  { weight: 4, arbitrary: fc.string({ unit: 'grapheme', maxLength: 30 }) },
  fc.constantFrom('line\nline\t"said"\\', '\0\u001f\u007f', '\ud800', 'a\udc00b', '\u2028', 'x'.repeat(3000)),
);
const number = fc.oneof(
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  // Numbers of a few digits on both sides of the point.
  fc.tuple(fc.integer(), fc.nat(12)).map(([digits, decimals]) => digits / 10 ** decimals),
  fc.constantFrom(
    -0,
    0,
    2 ** 31,
    2 ** 31 - 1,
    -(2 ** 31),
    -(2 ** 31) - 1,
    2 ** 53,
    1e21,
    1e-7,
    0.1,
    123456789012345,
    1234567890123456,
  ),
);
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    { weight: 2, arbitrary: text },
    number,
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 12 }),
    fc.array(fc.tuple(key, tie('value')), { maxLength: 5 }).map((members) => Object.fromEntries(members)),
  ),
}));
const object = fc.array(fc.tuple(key, value), { maxLength: 5 }).map((members) => Object.fromEntries(members));
const changes = fc.record(
  {
    api: fc.constantFrom(
      'openai.chat' as const,
      'anthropic.messages' as const,
      'openai.embeddings' as const,
      'gemini.generate' as const,
    ),
    created_at: fc.date({ min: new Date(0), max: new Date('2200-01-01'), noInvalidDate: true }),
    request: fc.oneof(
      value,
      object,
      fc.record({ messages: value, system: value, contents: value }, { requiredKeys: [] }),
    ),
    response: value,
    client_response: value,
    metadata: object,
    tags: fc.array(text, { maxLength: 4 }),
    trace_id: fc.constantFrom(null, 'a'.repeat(32)),
    timing: fc.constant({ total_ms: 3.25, time_to_first_token_ms: null, engine_ms: 0.5 }),
    plugin_runs: fc.array(
      fc.record({
        plugin: text,
        phase: fc.constant('request' as const),
        outcome: fc.constantFrom('passed' as const, 'rejected' as const),
        duration_ms: number,
        findings: fc.constant([]),
        debug: value,
      }),
      { maxLength: 2 },
    ),
  },
  { requiredKeys: [] },
);

describe('a log that is written from its text', () => {
  it('gives the same document as a parsed log, byte for byte, or has to be parsed', () => {
    const [one, other] = [freshFragments(), freshFragments()];
    return fc.assert(
      fc.asyncProperty(changes, async (some) => {
        // As the text has it: -0 is 0 there.
        const record = { ...logRecord(some as Partial<LogRecord>) };
        const read = JSON.parse(JSON.stringify(record)) as LogRecord;
        read.created_at = record.created_at;
        const bytes = written(record, one);
        const parsed = await asBson(read, other);
        if (bytes !== undefined) expect(bytes.equals(parsed)).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });

  it.each([
    ['an ordinary one', {}],
    [
      'texts of any language, with lines and quotes',
      { request: { messages: [{ role: 'user', content: 'Größe\n"東京" 🎉' }] } },
    ],
    ['attempts that failed', { attempts: [...logRecord().attempts, ...logRecord().attempts] }],
    [
      'what plugins found',
      {
        plugin_runs: [
          {
            plugin: 'p',
            phase: 'log',
            outcome: 'rejected',
            duration_ms: 1.5,
            findings: [{ type: 'PERSON', place: '/0', start: 0, end: 2, score: 0.85 }],
          },
        ],
      },
    ],
    [
      'metadata of all kinds',
      { metadata: { a: 'b', n: 1, f: 1.5, t: true, none: null, o: {}, l: [] }, tags: ['a:b', 'n:1'] },
    ],
    ['no messages', { request: null, response: null }],
  ] as [string, Partial<LogRecord>][])('needs no parsing: %s', async (_name, some) => {
    const record = logRecord(some);
    expect(written(record)?.equals(await asBson(record))).toBe(true);
  });

  it('refers to the same fragments as a parsed log', async () => {
    const [one, other] = [freshFragments(), freshFragments()];
    for (const [turn, request] of agentRequests({ seed: 5, turns: 5 }).entries()) {
      const record = logRecord({ request });
      const bytes = written(record, one)!;
      expect(bytes.equals(await asBson(record, other))).toBe(true);
      // What stands in the first log is a fragment from the second on.
      if (turn > 0) expect(bytes.length).toBeLessThan(JSON.stringify(record).length / 4);
    }
  });

  const nested = (levels: number): JsonObject => (levels === 0 ? {} : { a: nested(levels - 1) });
  it.each([
    ['a lone surrogate', { request: { text: '\ud800' } }],
    ['a name with a NUL', { metadata: { 'a\0': 1 } }],
    ['a reference of MongoDB', { request: { $ref: 'a', $id: 1 } }],
    ['a type of the driver', { response: { _bsontype: 'Long' } }],
    ['a list under a name that objects inherit', { response: { toString: [1] } as never }],
    ['more levels than BSON has', { request: nested(90) }],
    ['words for an index', { _search: 'words' }],
    ['a LOG phase that runs', { _log_phase_due: true, _log_phase_claim: { engine: 'a', until: 1 } }],
  ] as [string, Partial<LogRecord>][])('has to be parsed where it has %s', (_name, some) => {
    expect(written(logRecord(some))).toBeUndefined();
  });

  it.each(['', '{', '[]', 'null', '{"a":1', '{"a":1}x', '{"a" :1}', '{"a":tru}', '{"a":"'])(
    'has to be parsed where its text is %s',
    (json) => {
      expect(
        new LogTextWriter(new JsonToBson(Buffer.alloc(9)), freshFragments()).write(Buffer.from(json)),
      ).toBeUndefined();
    },
  );
});
