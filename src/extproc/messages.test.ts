import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  attemptsMade,
  bodyPieces,
  immediateResponse,
  list,
  number,
  readAttribute,
  readDynamicMetadata,
  struct,
  text,
} from './messages.js';

const KIB_64 = 64 * 1024;

describe('attributes and metadata of Envoy', () => {
  it('are found by their names', () => {
    const attributes = { filter: { fields: { 'response.code_details': text('via_upstream') } } };
    expect(readAttribute({ attributes }, 'response.code_details')).toBe('via_upstream');
    expect(readAttribute({ attributes }, 'other')).toBeUndefined();
    expect(readAttribute({}, 'other')).toBeUndefined();
    const metadataContext = { filterMetadata: { 'sluice.exchange': { fields: { key: text('k') } } } };
    expect(readDynamicMetadata({ metadataContext }, 'sluice.exchange', 'key')).toBe('k');
    expect(readDynamicMetadata({ metadataContext }, 'other', 'key')).toBeUndefined();
    expect(readDynamicMetadata({}, 'sluice.exchange', 'key')).toBeUndefined();
  });

  it.each([
    ['upstream_reset_before_response_started{connection_failure}', number(3), 3],
    ['upstream_response_timeout', text('2'), 2],
    ['upstream_reset_before_response_started{overflow}', number(2), 0],
    ['no_healthy_upstream', number(2), 0],
    ['via_upstream', number(2), 0],
    ['upstream_response_timeout', undefined, 0],
  ])('show from %s how many attempts were before it (%j)', (details, count, made) => {
    const fields = {
      'response.code_details': text(details),
      ...(count && { 'upstream.request_attempt_count': count }),
    };
    expect(attemptsMade({ attributes: { filter: { fields } } })).toBe(made);
  });

  it('are written in the format of protobuf', () => {
    expect(struct({ a: list([text('b'), number(1)]) })).toEqual({
      structValue: { fields: { a: { listValue: { values: [{ stringValue: 'b' }, { numberValue: 1 }] } } } },
    });
  });
});

describe('pieces of a body', () => {
  const pieces = (body: Buffer, last: boolean) =>
    [...bodyPieces(body, last)].map(({ bodyMutation }) => {
      if (bodyMutation === undefined || !('streamedResponse' in bodyMutation)) throw new Error('no piece');
      return bodyMutation.streamedResponse;
    });

  it('add up to the body, each at most 64 KiB, and only the last is marked as the end', () => {
    const sizes = fc.oneof(
      fc.nat(200_000),
      fc.constantFrom(0, 1, KIB_64 - 1, KIB_64, KIB_64 + 1, 2 * KIB_64),
    );
    fc.assert(
      fc.property(sizes, fc.boolean(), (size, last) => {
        const body = Buffer.alloc(size, 'x');
        const all = pieces(body, last);
        expect(Buffer.concat(all.map((piece) => piece.body)).equals(body)).toBe(true);
        expect(all.every((piece) => piece.body.length <= KIB_64)).toBe(true);
        expect(all.map((piece) => piece.endOfStream)).toEqual(
          all.map((_piece, at) => last && at === all.length - 1),
        );
      }),
    );
  });

  it('of an empty body are one empty piece', () => {
    expect(pieces(Buffer.alloc(0), true)).toEqual([{ body: Buffer.alloc(0), endOfStream: true }]);
  });
});

it('an answer of our own is sent with its status, headers and body', () => {
  const reply = { status: 404, headers: { 'content-type': 'application/json' }, body: '{"ö":1}' };
  expect(immediateResponse(reply, 'sluice')).toEqual({
    immediateResponse: {
      status: { code: 404 },
      headers: { set: reply.headers, remove: [] },
      body: Buffer.from('{"ö":1}'),
      details: 'sluice',
    },
  });
});
