import { Transform } from 'node:stream';
import { Decompress } from 'fzstd';

/** The bytes that are decompressed in one step, because a block of three bytes can stand for 128 KiB. */
const SLICE = 1_024;

/**
 * Decompresses zstd, which Node supports from version 22.15 on. It works on this thread, so the size of a chunk is
 * limited while it is decompressed, not after.
 */
export function createUnzstd(maxBytes: number): Transform & { flush(done: () => void): void } {
  let unpacked: Uint8Array[] = [];
  let total = 0;
  const decompress = new Decompress((piece) => {
    total += piece.length;
    unpacked.push(piece);
  });
  const stream = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      total = 0;
      try {
        // Decompresses one slice more than the limit, so that the reader sees that the limit is exceeded.
        for (let at = 0; at < chunk.length && total <= maxBytes; at += SLICE) {
          decompress.push(chunk.subarray(at, at + SLICE));
        }
      } catch (error) {
        done(error as Error);
        return;
      }
      const bytes = Buffer.concat(unpacked);
      unpacked = [];
      done(null, bytes);
    },
  });
  return Object.assign(stream, { flush: (done: () => void) => setImmediate(done) });
}
