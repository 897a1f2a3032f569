/**
 * Splits a text that arrives in chunks, such as standard input, into lines. Yields together all lines that a chunk completes.
 */
import { StringDecoder } from 'node:string_decoder';

/** Only `\n` ends a line, because U+2028 is an ordinary character in JSON. The last line may lack its end. */
export async function* linesIn(input: AsyncIterable<Buffer | string>): AsyncGenerator<string[]> {
  const decoder = new StringDecoder('utf8');
  let pieces: string[] = [];
  for await (const chunk of input) {
    const text = typeof chunk === 'string' ? chunk : decoder.write(chunk);
    const lines = text.split('\n');
    // The pieces of a long line are joined only once, when its end arrives.
    pieces.push(lines[0]!);
    if (lines.length === 1) continue;
    lines[0] = pieces.join('');
    pieces = [lines.pop()!];
    yield lines;
  }
  const last = pieces.join('') + decoder.end();
  if (last !== '') yield [last];
}
