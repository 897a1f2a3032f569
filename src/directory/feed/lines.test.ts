import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { linesOf } from './lines.js';

async function* pieces(...buffers: Buffer[]): AsyncGenerator<Buffer> {
  yield* buffers;
}

async function all(stream: AsyncIterable<Buffer>, maxBytes?: number): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of linesOf(stream, maxBytes)) lines.push(line);
  return lines;
}

describe('lines of a stream', () => {
  it('are the same however the bytes are cut', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.string({ unit: 'grapheme', minLength: 1 }).filter((text) => !text.includes('\n'))),
        fc.array(fc.nat(200)),
        async (lines, cuts) => {
          const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(''));
          const at = [
            0,
            ...cuts.map((cut) => Math.min(cut, bytes.length)).sort((a, b) => a - b),
            bytes.length,
          ];
          const cut = at.slice(1).map((end, index) => bytes.subarray(at[index]!, end));
          expect(await all(pieces(...cut))).toEqual(lines);
        },
      ),
    ));

  it('leave out empty ones, and one that is incomplete', async () => {
    expect(await all(pieces(Buffer.from('\n\na\n\nb')))).toEqual(['a']);
  });

  it('end with an error where one is too long', async () => {
    const long = Buffer.alloc(60, 'x');
    await expect(all(pieces(long, long), 100)).rejects.toThrow('larger than 100 bytes');
  });
});
