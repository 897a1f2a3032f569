import type { Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import type { MaybePromise } from '../../core/pacing/maybe-promise.js';
import { createUnzstd } from './unzstd.js';

/** Thrown where a provider's answer cannot be read: it does not match its content encoding, or is too large to hold. */
export class UnreadableAnswer extends Error {
  constructor(reason: string) {
    super(`The model's answer cannot be read: ${reason}.`);
    this.name = 'UnreadableAnswer';
  }
}

/** The answer is larger than an answer that must be held may be. */
export class AnswerTooLarge extends UnreadableAnswer {}

/** Undoes a `content-encoding`, chunk by chunk. Providers are asked not to compress, but some do. */
export interface ContentDecoder {
  /**
   * Decodes a chunk. Synchronous where the answer has no encoding. Rejects with `UnreadableAnswer` for bytes that the
   * encoding does not allow.
   */
  write(chunk: Buffer): MaybePromise<Buffer>;
}

const plain: ContentDecoder = { write: (chunk) => chunk };

/** A decompressor; `flush` returns everything that can be decompressed so far. */
export type Decompressor = Transform & { flush(done: () => void): void };

const DECOMPRESSORS = new Map<string, (maxBytes: number) => Decompressor>([
  ['gzip', () => createGunzip()],
  ['x-gzip', () => createGunzip()],
  ['deflate', () => createInflate()],
  ['br', () => createBrotliDecompress()],
  ['zstd', createUnzstd],
]);

/** Names that mean no encoding. Some servers send `none`, which is not in the standard. */
const NO_ENCODING = new Set(['', 'identity', 'none']);
/** The most encodings of one answer. Each costs a decompressor, and no server compresses more often. */
const MOST_ENCODINGS = 3;

/**
 * A decoder; undefined for an unknown encoding, with which the bytes can only be passed on. `encoding` is the header,
 * which lists several encodings in the order in which they were applied. `maxBytes` limits the decompressed size of
 * the answer, or of one chunk where the answer is passed on as it arrives.
 */
export function createContentDecoder(
  encoding: string | undefined,
  maxBytes: number,
  bounded: 'answer' | 'chunk' = 'answer',
): ContentDecoder | undefined {
  const names = (encoding ?? '')
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => !NO_ENCODING.has(name));
  if (names.length === 0) return plain;
  if (names.length > MOST_ENCODINGS || !names.every((name) => DECOMPRESSORS.has(name))) return undefined;
  const decoders = names.reverse().map((name) => decoderOf(name, maxBytes, bounded));
  return decoders.length === 1 ? decoders[0]! : inTurn(decoders);
}

function inTurn(decoders: readonly ContentDecoder[]): ContentDecoder {
  return {
    async write(chunk) {
      let bytes = chunk;
      for (const decoder of decoders) bytes = await decoder.write(bytes);
      return bytes;
    },
  };
}

function decoderOf(name: string, maxBytes: number, bounded: 'answer' | 'chunk'): ContentDecoder {
  const stream = DECOMPRESSORS.get(name)!(maxBytes);
  let failure: UnreadableAnswer | undefined;
  let pieces: Buffer[] = [];
  let total = 0;
  stream.on('data', (piece: Buffer) => {
    total += piece.length;
    // A small body can decompress to gigabytes.
    if (total > maxBytes)
      stream.destroy(new AnswerTooLarge(`it is over ${maxBytes} bytes when decompressed`));
    else pieces.push(piece);
  });
  stream.on('error', (error: Error) => {
    failure = error instanceof UnreadableAnswer ? error : new UnreadableAnswer(error.message);
  });
  return {
    write: (chunk) =>
      new Promise((resolve, reject) => {
        if (failure !== undefined) return reject(failure);
        if (chunk.length === 0) return resolve(chunk);
        if (bounded === 'chunk') total = 0;
        const done = () => {
          stream.off('close', done);
          if (failure !== undefined) return reject(failure);
          const unpacked = pieces;
          pieces = [];
          resolve(unpacked.length === 1 ? unpacked[0]! : Buffer.concat(unpacked));
        };
        stream.once('close', done);
        stream.write(chunk, () => stream.flush(done));
      }),
  };
}
