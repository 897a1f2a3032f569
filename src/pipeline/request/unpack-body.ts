import { SluiceError } from '../../core/errors.js';
import { AnswerTooLarge, createContentDecoder, UnreadableAnswer } from '../exchange/content-decoder.js';
import type { Headers } from '../exchange/http.js';

/** Bytes that are decompressed in one step. */
const BYTES_AT_ONCE = 65_536;

/** The content encodings that clients may use. */
const KNOWN = 'gzip, zstd, br or deflate';

/**
 * The decompressed body of a request with a `content-encoding`. Rejects with `request_too_large` where it is longer
 * than `maxBytes`, with `invalid_request` where the bytes do not match the encoding, and with
 * `unsupported_media_type` for an unknown encoding.
 */
export async function unpackBody(body: Buffer, encoding: string, maxBytes: number): Promise<Buffer> {
  const decoder = createContentDecoder(encoding, maxBytes);
  if (decoder === undefined) {
    throw new SluiceError(
      'unsupported_media_type',
      `The body is in an unknown content-encoding: ${encoding}. Send it as it is, or packed with ${KNOWN}.`,
    );
  }
  const pieces: Buffer[] = [];
  try {
    for (let at = 0; at < body.length; at += BYTES_AT_ONCE) {
      pieces.push(await decoder.write(body.subarray(at, at + BYTES_AT_ONCE)));
    }
  } catch (error) {
    if (error instanceof AnswerTooLarge) {
      throw new SluiceError(
        'request_too_large',
        `Unpacked, the body is over the limit of ${maxBytes} bytes.`,
      );
    }
    if (!(error instanceof UnreadableAnswer)) throw error;
    throw new SluiceError('invalid_request', `The body is not valid ${encoding}.`);
  }
  return Buffer.concat(pieces);
}

/** The encoding of a body; undefined where it has none. */
export function encodingOf({ 'content-encoding': encoding = '' }: Headers): string | undefined {
  const isPlain = encoding.trim() === '' || encoding.trim().toLowerCase() === 'identity';
  return isPlain ? undefined : encoding;
}
