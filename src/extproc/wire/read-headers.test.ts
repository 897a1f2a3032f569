import { describe, expect, it } from 'vitest';
import { Writer } from '../../core/protobuf/writer.js';
import { readHeaderMap } from './read-headers.js';

/** A HeaderMap with these names and values, as Envoy writes it. */
function headerMap(pairs: readonly [name: string, value: string][]): Buffer {
  const writer = new Writer();
  for (const [name, value] of pairs.toReversed()) {
    const place = writer.open();
    writer.bytes(3, Buffer.from(value));
    writer.text(1, name);
    writer.close(1, place);
  }
  return writer.finish();
}

function read(...pairs: [name: string, value: string][]): Record<string, string> {
  const headers: Record<string, string> = {};
  readHeaderMap(headerMap(pairs), headers);
  return headers;
}

describe('the headers of a message', () => {
  it('are read by their names, and repeated ones are joined', () => {
    expect(read(['a', '1'], ['b', 'é'], ['a', '2'])).toEqual({ a: '1, 2', b: 'é' });
  });

  it('are all read, whatever their names', () => {
    const headers = read(['__proto__', 'x'], ['constructor', 'y'], ['__proto__', 'z']);
    expect(Object.entries(headers)).toEqual([
      ['__proto__', 'x, z'],
      ['constructor', 'y'],
    ]);
  });
});
