/** A larger directory is refused, so that no answer can fill the memory. */
const MAX_LINE_BYTES = 128 * 1024 * 1024;

/** The lines of a byte stream without their ends. Empty lines, which only keep the connection alive, are skipped. */
export async function* linesOf(
  stream: AsyncIterable<Buffer>,
  maxBytes = MAX_LINE_BYTES,
): AsyncGenerator<string> {
  let pieces: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stream) {
    let start = 0;
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, start)) {
      pieces.push(chunk.subarray(start, end));
      const line = Buffer.concat(pieces);
      pieces = [];
      bytes = 0;
      start = end + 1;
      if (line.length > 0) yield line.toString();
    }
    pieces.push(chunk.subarray(start));
    bytes += chunk.length - start;
    if (bytes > maxBytes) throw new Error(`the directory is larger than ${maxBytes} bytes`);
  }
}
