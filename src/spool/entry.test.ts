import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../core/json.js';
import type { LogRecord } from '../core/log-record.js';
import { type Entry, entryFromJson, entryToJson, payloadOf, recordOf } from './entry.js';
import { encodeRecord } from './segment-record.js';

const body = fc.dictionary(fc.string(), fc.jsonValue()) as fc.Arbitrary<JsonObject>;
const large = fc.subarray(['request', 'response'] as const, { minLength: 1 });

/** Only the members that an entry treats by themselves. */
function logOf(
  request: JsonObject,
  response: JsonObject,
  isLarge: readonly ('request' | 'response')[],
  space = '',
): Entry {
  const record = {
    _id: 'id',
    created_at: new Date(0),
    request,
    response,
    tags: ['é"'],
  } as unknown as LogRecord;
  const bodies = { request, response };
  record._large = Object.fromEntries(isLarge.map((key) => [key, JSON.stringify(bodies[key], null, space)]));
  return { kind: 'log', record };
}

describe('an entry with the text of its request', () => {
  it('is the same as without it', () =>
    fc.assert(
      fc.asyncProperty(body, body, async (request, response) => {
        const without = logOf(request, response, []) as Entry & { kind: 'log'; record: LogRecord };
        const { _large, ...fields } = without.record;
        const plain = Object.assign({ client_request_id: ',"request":null' }, fields);
        const text = JSON.stringify(request);
        const half = text.length >> 1;
        const record = { ...plain, _written: [text.slice(0, half), text.slice(half)] } as LogRecord;
        const expected = await entryToJson({ kind: 'log', record: plain as LogRecord });
        expect(await entryToJson({ kind: 'log', record })).toBe(expected);
      }),
    ));
});

describe('an entry whose request is there as bytes only', () => {
  const request = { text: 'é漢😀' };
  const half = Buffer.from(JSON.stringify(request));
  const bytes = [half.subarray(0, 5), half.subarray(5)];

  it('is the same as with the request', async () => {
    const { record } = logOf(request, { a: 1 }, []) as Entry & { kind: 'log'; record: LogRecord };
    const { _large, ...fields } = record;
    const expected = await entryToJson({ kind: 'log', record: fields as LogRecord });
    const entry = {
      kind: 'log',
      record: { ...fields, request: null, _written: bytes } as LogRecord,
    } as const;
    expect(await entryToJson(entry)).toBe(expected);
    expect(encodeRecord('log', payloadOf(entry) as Buffer[], 0)).toEqual(encodeRecord('log', expected, 0));
  });

  it('keeps the request where the response is large', async () => {
    const { record } = logOf(request, { a: 1 }, ['response']) as Entry & { kind: 'log'; record: LogRecord };
    const entry = {
      kind: 'log',
      record: { ...record, request: null, _written: bytes } as LogRecord,
    } as const;
    const payload = Buffer.concat((await payloadOf(entry)) as Buffer[]);
    expect(recordOf({ kind: 'log', payload }).request).toEqual(request);
  });
});

describe('an entry with large bodies', () => {
  it('is read back with the same bytes of its bodies, and null in their place', () =>
    fc.assert(
      fc.asyncProperty(body, body, large, async (request, response, isLarge) => {
        const payload = Buffer.concat((await payloadOf(logOf(request, response, isLarge))) as Buffer[]);
        const record = recordOf({ kind: 'log', payload });
        const bodies = { request, response };
        for (const key of ['request', 'response'] as const) {
          const bytes = record._large?.[key];
          expect(record[key]).toStrictEqual(
            isLarge.includes(key) ? null : JSON.parse(JSON.stringify(bodies[key])),
          );
          expect(bytes === undefined ? undefined : Buffer.from(bytes as Uint8Array).toString()).toBe(
            isLarge.includes(key) ? JSON.stringify(bodies[key]) : undefined,
          );
        }
        expect(record).toMatchObject({ _id: 'id', created_at: new Date(0), tags: ['é"'] });
        expect(Buffer.concat((await payloadOf({ kind: 'log', record })) as Buffer[])).toEqual(payload);
      }),
    ));

  it('is JSON in one line that any program can read, however its bodies are formatted', () =>
    fc.assert(
      fc.asyncProperty(body, body, large, async (request, response, isLarge) => {
        const entry = logOf(request, response, isLarge, '\r\n\t');
        const json = await entryToJson(entry);
        expect(json).not.toMatch(/[\r\n]/);
        const read = entryFromJson('log', json) as Entry & { kind: 'log' };
        const bodies = JSON.parse(JSON.stringify({ request, response })) as JsonObject;
        expect(read.record).toMatchObject({ _id: 'id', ...bodies });
        expect(read.record).not.toHaveProperty('_large');
      }),
    ));
});
