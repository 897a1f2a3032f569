import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { linesIn } from './lines-in.js';

async function linesOf(chunks: (Buffer | string)[]): Promise<string[]> {
  const lines: string[] = [];
  const input = (async function* () {
    yield* chunks;
  })();
  for await (const some of linesIn(input)) lines.push(...some);
  return lines;
}

describe('the lines of an input', () => {
  it('are the same however it is cut', async () => {
    const line = fc.string({ unit: 'binary' }).map((text) => text.replaceAll('\n', ''));
    await fc.assert(
      fc.asyncProperty(fc.array(line, { minLength: 1 }), fc.array(fc.nat(20)), async (lines, sizes) => {
        const bytes = Buffer.from(lines.map((text) => `${text}\n`).join(''));
        const chunks: Buffer[] = [];
        let at = 0;
        for (const size of sizes) {
          chunks.push(bytes.subarray(at, at + size));
          at += size;
        }
        expect(await linesOf([...chunks, bytes.subarray(at)])).toEqual(lines);
      }),
    );
  });

  it('may end without a line end', async () => {
    expect(await linesOf(['one\ntw', 'o'])).toEqual(['one', 'two']);
    expect(await linesOf([])).toEqual([]);
  });

  it('are not split at U+2028, which JSON does not escape', async () => {
    expect(await linesOf(['"a\u2028b"\n'])).toEqual(['"a\u2028b"']);
  });
});
