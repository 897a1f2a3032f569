import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSseParser, formatFrame } from './sse.js';
import type { SseFrame } from './sse-frame.js';

function parse(text: string | Uint8Array, sizes: readonly number[] = []): SseFrame[] {
  const bytes = typeof text === 'string' ? Buffer.from(text) : text;
  const parser = createSseParser();
  const frames: SseFrame[] = [];
  let at = 0;
  for (const size of sizes) {
    frames.push(...parser.push(bytes.subarray(at, at + size)));
    at += size;
  }
  return [...frames, ...parser.push(bytes.subarray(at)), ...parser.end()];
}

describe('createSseParser', () => {
  it.each([
    ['a frame', 'data: x\n\n', [{ data: 'x' }]],
    ['a frame with a name', 'event: e\ndata: x\n\n', [{ event: 'e', data: 'x' }]],
    ['data without a space', 'data:x\n\n', [{ data: 'x' }]],
    ['only the first space as syntax', 'data:  x\n\n', [{ data: ' x' }]],
    ['several lines of data', 'data: x\ndata\ndata: y\n\n', [{ data: 'x\n\ny' }]],
    ['data that is empty', 'data:\n\n', [{ data: '' }]],
    ['no frame without data', 'event: e\n\nid: 3\n\n', []],
    ['no name from a frame before', 'event: e\n\ndata: x\n\n', [{ data: 'x' }]],
    ['the last name of several', 'event: a\nevent: b\ndata: x\n\n', [{ event: 'b', data: 'x' }]],
    ['no comments', ': hi\n:\ndata: x\n: there\n\n', [{ data: 'x' }]],
    ['no fields that it does not know', 'id: 1\nretry: 3\nfoo: bar\ndata: x\n\n', [{ data: 'x' }]],
    ['carriage returns', 'data: x\r\rdata: y\r\r', [{ data: 'x' }, { data: 'y' }]],
    ['both line ends together', 'data: x\r\n\r\ndata: y\r\n\r\n', [{ data: 'x' }, { data: 'y' }]],
    ['mixed line ends', 'data: x\r\n\ndata: y\r\r\n', [{ data: 'x' }, { data: 'y' }]],
    ['a byte order mark', '\ufeffdata: x\n\n', [{ data: 'x' }]],
    ['a last frame without its empty line', 'data: x\n', [{ data: 'x' }]],
    ['no half line at the end', 'data: x\n\ndata: {"a', [{ data: 'x' }]],
    ['an end that has no line end', 'data: x\n\ndata: [DONE]', [{ data: 'x' }, { data: '[DONE]' }]],
    ['nothing', '', []],
  ])('reads %s', (_name, text, frames) => {
    expect(parse(text)).toEqual(frames);
  });

  const line = fc.oneof(
    fc.constantFrom('', 'data: x', 'data', 'event: e', ': c', 'data: ünï 👋', 'data:{"a":1}', 'id: 2'),
    fc.string({ unit: 'grapheme' }),
  );
  const stream = fc
    .array(fc.tuple(line, fc.constantFrom('\n', '\r', '\r\n')))
    .map((lines) => lines.map(([text, end]) => text + end).join(''));

  it('returns the same frames however the bytes are cut', () => {
    fc.assert(
      fc.property(stream, fc.array(fc.nat(5)), (text, sizes) => {
        expect(parse(text, sizes)).toEqual(parse(text));
      }),
      { numRuns: 500 },
    );
  });

  it('reads back the frames that were written', () => {
    const frame = fc.record(
      {
        event: fc.stringMatching(/^[a-z_.]{1,12}$/),
        data: fc.string({ unit: 'grapheme' }).filter(hasNoReturn),
      },
      { requiredKeys: ['data'] },
    );
    fc.assert(
      fc.property(fc.array(frame), (frames) => {
        expect(parse(frames.map(formatFrame).join(''))).toEqual(frames);
      }),
    );
  });

  it('reads bytes that are not UTF-8 as replacement characters', () => {
    expect(parse(Uint8Array.from([...Buffer.from('data: '), 0xff, ...Buffer.from('\n\n')]))).toEqual([
      { data: '\ufffd' },
    ]);
  });

  it.each([
    ['one line', (size: number) => 'a'.repeat(size)],
    ['many lines', (size: number) => `data: ${'a'.repeat(8)}\n`.repeat(size / 8)],
    ['many empty lines of data', (size: number) => 'data\n'.repeat(size)],
  ])('gives up on a frame of %s that is too large', (_name, text) => {
    const parser = createSseParser(1000);
    expect(parser.push(Buffer.from('data: x\n\n'))).toEqual([{ data: 'x' }]);
    expect(parser.push(Buffer.from(text(1100)))).toEqual([]);
    expect(parser.overflowed).toBe(true);
    expect(parser.push(Buffer.from('\n\ndata: y\n\n'))).toEqual([]);
    expect(parser.end()).toEqual([]);
  });

  it('accepts any number of small frames', () => {
    const parser = createSseParser(100);
    for (let i = 0; i < 1000; i++) expect(parser.push(Buffer.from('data: x\n\n'))).toHaveLength(1);
    expect(parser.overflowed).toBe(false);
  });
});

describe('a chunk that is read frame by frame', () => {
  it('has more until the last frame was read', () => {
    const parser = createSseParser();
    parser.feed(Buffer.from('data: a\n\ndata: b\n\n'));
    const read = [parser.next(), parser.hasMore, parser.next(), parser.hasMore, parser.next()];
    expect(read).toEqual([{ data: 'a' }, true, { data: 'b' }, false, undefined]);
  });

  it('keeps the beginning of a frame for the next chunk', () => {
    const parser = createSseParser();
    parser.feed(Buffer.from('data: a\n\ndata: b'));
    expect([parser.next(), parser.hasMore, parser.next(), parser.hasMore]).toEqual([
      { data: 'a' },
      true,
      undefined,
      false,
    ]);
    parser.feed(Buffer.from('c\n\n'));
    expect(parser.next()).toEqual({ data: 'bc' });
  });
});

function hasNoReturn(text: string): boolean {
  return !text.includes('\r');
}
