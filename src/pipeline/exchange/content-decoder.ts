import type { Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import type { MaybePromise } from '../../core/pacing/maybe-promise.js';
import { createUnzstd } from './unzstd.js';

/** Thrown where a provider's answer cannot be read: it is not what it says to be, or larger than may be held. */
export class UnreadableAnswer extends Error {
  constructor(reason: string) {
    super(`The model's answer cannot be read: ${reason}.`);
    this.name = 'UnreadableAnswer';
  }
}

/** It is larger than an answer may be that must be held. */
export class AnswerTooLarge extends UnreadableAnswer {}

/** Undoes a `content-encoding`, chunk by chunk. Providers are asked for none, but some compress all the same. */
export interface ContentDecoder {
  /** At once where there is nothing to undo. Rejects with `UnreadableAnswer` for bytes that the encoding does not know. */
  write(chunk: Buffer): MaybePromise<Buffer>;
}

const plain: ContentDecoder = { write: (chunk) => chunk };

/** A decompressor; `flush` gives what can be told of the bytes so far. */
export type Decompressor = Transform & { flush(done: () => void): void };

const DECOMPRESSORS = new Map<string, (maxBytes: number) => Decompressor>([
  ['gzip', () => createGunzip()],
  ['x-gzip', () => createGunzip()],
  ['deflate', () => createInflate()],
  ['br', () => createBrotliDecompress()],
  ['zstd', createUnzstd],
]);

/** Names for no encoding; some servers say `none`, which no standard has. */
const NO_ENCODING = new Set(['', 'identity', 'none']);
/** Each one costs a decompressor, and nobody packs more often. */
const MOST_ENCODINGS = 3;

/**
 * Undefined for an encoding that we do not know: the bytes can then only be passed on. `encoding` is the header, which
 * names several in the order in which they were applied. `maxBytes` bounds what the whole answer may unpack to, or
 * what one chunk may where the answer goes on as it comes.
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
    // A small body can unpack to gigabytes.
    if (total > maxBytes) stream.destroy(new AnswerTooLarge(`unpacked it is over ${maxBytes} bytes`));
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
