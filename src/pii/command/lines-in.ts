/** The lines of a text that comes in chunks, such as standard input: all that a chunk completes, together. */
import { StringDecoder } from 'node:string_decoder';

/** Lines end with `\n` alone: in a JSON text U+2028 is a letter like others. The last one may lack its end. */
export async function* linesIn(input: AsyncIterable<Buffer | string>): AsyncGenerator<string[]> {
  const decoder = new StringDecoder('utf8');
  let pieces: string[] = [];
  for await (const chunk of input) {
    const text = typeof chunk === 'string' ? chunk : decoder.write(chunk);
    const lines = text.split('\n');
    // A long line comes in many chunks, which are joined once.
    pieces.push(lines[0]!);
    if (lines.length === 1) continue;
    lines[0] = pieces.join('');
    pieces = [lines.pop()!];
    yield lines;
  }
  const last = pieces.join('') + decoder.end();
  if (last !== '') yield [last];
}
