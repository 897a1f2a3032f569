/*
 * What validation costs, and what a hostile schema or output costs other requests. Prints a table for each. Run it
 * with `npm run bench -- validation`.
 */
import { performance } from 'node:perf_hooks';
import type { JsonValue } from '../src/core/json.js';
import { systemThreadId, ThreadClock } from '../src/threads/thread-clock.js';
import { createOutputValidation } from '../src/validation/create-output-validation.js';
import type { OutputValidation } from '../src/validation/validation.js';

const ORDER: JsonValue = {
  type: 'object',
  properties: {
    id: { type: 'string', pattern: '^[A-Z]{2}-\\d{4}$' },
    date: { type: 'string', format: 'date' },
    email: { type: 'string', format: 'email' },
    status: { enum: ['open', 'paid', 'sent'] },
    lines: {
      type: 'array',
      items: {
        type: 'object',
        properties: { name: { type: 'string' }, count: { type: 'integer', minimum: 1 } },
        required: ['name', 'count'],
        additionalProperties: false,
      },
    },
  },
  required: ['id', 'date', 'email', 'status', 'lines'],
  additionalProperties: false,
};
const order = (lines: number) =>
  JSON.stringify({
    id: 'AB-1234',
    date: '2026-02-28',
    email: 'someone@example.com',
    status: 'open',
    lines: Array.from({ length: lines }, (_, at) => ({ name: `thing ${at}`, count: at + 1 })),
  });

const doubling = (levels: number): JsonValue => {
  const $defs: Record<string, JsonValue> = { a0: { type: 'string' } };
  for (let at = 1; at <= levels; at++) {
    const $ref = `#/$defs/a${at - 1}`;
    $defs[`a${at}`] = { allOf: [{ $ref }, { $ref }] };
  }
  return { $ref: `#/$defs/a${levels}`, $defs };
};
const nested = (levels: number): JsonValue => {
  let schema: JsonValue = {};
  for (let level = 0; level < levels; level++) schema = { items: schema };
  return schema;
};
const values = (count: number) => Array.from({ length: count }, (_, at) => `v${at}`);
const tree: JsonValue = { type: 'array', items: { $ref: '#' } };

/** A flat string, as if it was read from a body. V8 represents a string that was concatenated as a tree of its pieces. */
const flat = (text: string) => Buffer.from(text).toString('latin1');

/** Each schema has an output, which is validated where the schema is accepted. */
const HOSTILE: [name: string, schema: JsonValue, output: string][] = [
  ['(a+)+ in linear time', { pattern: '^(a+)+$' }, JSON.stringify(`${'a'.repeat(40)}!`)],
  ['(a+)+ with a lookahead', { pattern: '^(?=a)(a+)+$' }, JSON.stringify(`${'a'.repeat(40)}!`)],
  ['many long repetitions', { allOf: values(400).map((v) => ({ pattern: `${v}a{900}b{900}` })) }, '"v1"'],
  ['a ring of references', { $ref: '#' }, '1'],
  ['a remote reference', { $ref: 'http://example.com/schema' }, '1'],
  ['references that double 40 times', doubling(40), '"x"'],
  ['a schema of 100,000 levels', nested(100_000), '1'],
  ['an enum of 256 KiB', { enum: values(29_000) }, '"v28999"'],
  ['a schema of 8 MiB', { enum: values(800_000) }, '"v1"'],
  ['an output of 100,000 levels', tree, '['.repeat(100_000) + ']'.repeat(100_000)],
  ['uniqueItems, 20,000 objects', { uniqueItems: true }, JSON.stringify(values(20_000).map((v) => ({ v })))],
  ['an output of 20 MiB', { items: { type: 'number' } }, flat(`[${'1,'.repeat(10_000_000)}1]`)],
];

/**
 * The longest time for which `work` blocked the event loop, in milliseconds of this thread's work, so that other
 * programs on the machine do not count; and how long `work` took by the clock.
 */
async function watchLoop<Value>(work: () => Promise<Value>) {
  const clock = new ThreadClock(systemThreadId());
  let longest = 0;
  let running = true;
  let last = clock.now();
  const tick = () => {
    const now = clock.now();
    longest = Math.max(longest, now - last);
    last = now;
    if (running) setImmediate(tick);
  };
  setImmediate(tick);
  const start = performance.now();
  const value = await work();
  const took = performance.now() - start;
  await new Promise((resolve) => setImmediate(resolve));
  running = false;
  clock.close();
  return { value, took, longest };
}

async function judge(validation: OutputValidation, schema: JsonValue, output: string): Promise<string> {
  try {
    const result = await (await validation.prepare(schema)).check(output);
    return result.valid ? 'valid' : `invalid: ${result.message}`;
  } catch (error) {
    return `refused: ${(error as Error).message}`;
  }
}

async function measureCommonPath(validation: OutputValidation): Promise<void> {
  const rows: Record<string, string>[] = [];
  for (const lines of [1, 20, 200]) {
    const text = order(lines);
    const prepared = await validation.prepare(ORDER);
    const rounds = Math.ceil(20_000 / lines);
    for (let round = 0; round < rounds; round++) await prepared.check(text);
    const start = performance.now();
    for (let round = 0; round < rounds; round++) await prepared.check(text);
    const checked = performance.now();
    for (let round = 0; round < rounds; round++) await validation.prepare(ORDER);
    const end = performance.now();
    rows.push({
      output: `${text.length} characters`,
      'check, µs': (((checked - start) * 1000) / rounds).toFixed(1),
      'known schema, µs': (((end - checked) * 1000) / rounds).toFixed(1),
    });
  }
  console.table(rows);
}

async function measureHostile(validation: OutputValidation): Promise<void> {
  const rows: Record<string, string>[] = [];
  for (const [name, schema, output] of HOSTILE) {
    const { value, took, longest } = await watchLoop(() => judge(validation, schema, output));
    rows.push({ name, 'answered, ms': took.toFixed(0), 'loop held, ms': longest.toFixed(1), verdict: value });
  }
  console.table(rows);
}

/** Honest requests one after the other: alone, and while hostile requests with new schemas are in flight. */
async function measureOthers(validation: OutputValidation): Promise<void> {
  const kinds: [string, JsonValue, string][] = [
    ['on the main thread', ORDER, order(5)],
    ['a large output', ORDER, order(3_000)],
    ['a pattern with a lookahead', { pattern: '^(?=x).*$' }, '"xyz"'],
  ];
  const rows: Record<string, string>[] = [];
  for (const [name, schema, output] of kinds) {
    const alone = await latencies(validation, schema, output);
    let stop = false;
    const attack = Promise.all(
      ['p', 'q'].map(async (letter) => {
        for (let at = 0; !stop; at++) {
          await judge(validation, { pattern: `^(?=a)(a+)+${letter}${at}$` }, JSON.stringify('a'.repeat(40)));
        }
      }),
    );
    const besides = await latencies(validation, schema, output);
    stop = true;
    await attack;
    rows.push({ name, 'alone, ms (median, worst)': alone, 'beside hostile ones': besides });
  }
  console.table(rows);
}

async function latencies(validation: OutputValidation, schema: JsonValue, output: string): Promise<string> {
  const times: number[] = [];
  await judge(validation, schema, output);
  for (let round = 0; round < 100; round++) {
    const start = performance.now();
    await judge(validation, schema, output);
    times.push(performance.now() - start);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  times.sort((a, b) => a - b);
  return `${times[50]?.toFixed(2)}, ${times.at(-1)?.toFixed(2)}`;
}

const validation = createOutputValidation({ schemaBytes: 262_144 });
await measureCommonPath(validation);
await measureHostile(validation);
await measureOthers(validation);
await validation.close();
