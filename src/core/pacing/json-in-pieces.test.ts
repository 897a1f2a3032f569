import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../json.js';
import { parseInPieces, stringifyInPieces, stringifyInSteps } from './json-in-pieces.js';

const now = () => Promise.resolve();

/** JSON text with spaces, escapes, deep and odd values, and keys that come twice. */
const jsonText = fc.oneof(
  fc.json({ maxDepth: 6 }),
  fc
    .array(fc.tuple(fc.constantFrom('a', '__proto__', 'b', '\\u0061', ''), fc.json({ maxDepth: 2 })), {
      maxLength: 6,
    })
    .map((members) => ` {\t${members.map(([key, value]) => `"${key}" :\n${value} `).join(',')}}\r`),
  fc
    .array(
      fc.constantFrom(
        '0',
        '-0',
        '1.5e-3',
        '1E400',
        '-12',
        '"\\n\\ud800"',
        '"é🙈"',
        '[]',
        '{}',
        'null',
        'true',
        'false',
      ),
    )
    .map((items) => `[ ${items.join(' , ')} ]`),
);

async function outcome(read: () => Promise<JsonValue> | JsonValue) {
  try {
    return { value: await read() };
  } catch (error) {
    return { name: (error as Error).name };
  }
}

describe('JSON in pieces', () => {
  it('is parsed as JSON.parse does', () =>
    fc.assert(
      fc.asyncProperty(jsonText, async (text) => {
        expect((await parseInPieces(text, now)).value).toStrictEqual(JSON.parse(text));
      }),
    ));

  it('is refused where JSON.parse refuses it', () =>
    fc.assert(
      fc.asyncProperty(
        jsonText,
        fc.nat(),
        fc.nat(3),
        fc.constantFrom('', '"', '}', ']', ',', ':', '\\', '0', '\n', 'x'),
        async (text, at, cut, put) => {
          const from = at % (text.length + 1);
          const broken = text.slice(0, from) + put + text.slice(from + cut);
          const ours = await outcome(async () => (await parseInPieces(broken, now)).value);
          expect(ours).toStrictEqual(await outcome(() => JSON.parse(broken) as JsonValue));
        },
      ),
      { numRuns: 1_000 },
    ));

  it('is written as JSON.stringify writes it', () =>
    fc.assert(
      fc.asyncProperty(jsonText, async (text) => {
        const value = JSON.parse(text) as JsonValue;
        expect(await stringifyInPieces(value, now)).toBe(JSON.stringify(value));
      }),
    ));

  it('is written as JSON.stringify writes it where it is long, in many steps', () => {
    let steps = 0;
    const long = fc.array(fc.json({ maxDepth: 3 }), { minLength: 80, maxLength: 300 });
    fc.assert(
      fc.property(long, fc.constantFrom('[', '{'), (items, kind) => {
        const members = items.map((item, at) => (kind === '[' ? item : `"k${at % 200}":${item}`));
        const value = JSON.parse(`${kind}${members.join(',')}${kind === '[' ? ']' : '}'}`) as JsonValue;
        const work = stringifyInSteps(value);
        let step = work.next();
        for (; !step.done; step = work.next()) steps++;
        expect(step.value).toBe(JSON.stringify(value));
      }),
    );
    expect(steps).toBeGreaterThan(200);
  });

  it('is written with dates and without undefined members', async () => {
    const value = { at: new Date(0), gone: undefined, list: [{ gone: undefined }] } as unknown as JsonValue;
    expect(await stringifyInPieces(value, now)).toBe(JSON.stringify(value));
  });

  it('is parsed with a count of its strings and names', async () => {
    expect((await parseInPieces('{"a":"x","b":["y",{"c":1}],"d":"\\n"}', now)).texts).toBe(7);
  });

  it.each([
    ['{"a":1,"b":{"a":1}}', false],
    ['{"a":1,"b":{"c":1,"c":2}}', true],
    ['[{"__proto__":1,"__proto__":2}]', true],
    ['{"a":1,"\\u0061":2}', true],
  ])('reports for %s whether a key is repeated: %s', async (text, repeatsKeys) => {
    expect((await parseInPieces(text, now)).repeatsKeys).toBe(repeatsKeys);
  });

  it('pauses again and again while many values are read or written', async () => {
    const text = JSON.stringify(Array.from({ length: 300_000 }, (_, at) => ({ [`k${at}`]: at })));
    let turns = 0;
    const count = () => {
      turns++;
      return Promise.resolve();
    };
    const { value } = await parseInPieces(text, count);
    const read = turns;
    await stringifyInPieces(value, count);
    expect(read).toBeGreaterThan(3);
    expect(turns - read).toBeGreaterThan(3);
  });
});
