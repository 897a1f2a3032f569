import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';

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
  write(chunk: Buffer): Buffer | Promise<Buffer>;
}

const plain: ContentDecoder = { write: (chunk) => chunk };

const DECOMPRESSORS = new Map<string, () => ReturnType<typeof createGunzip>>([
  ['gzip', createGunzip],
  ['x-gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
]);

/**
 * Undefined for an encoding that we do not know: the bytes can then only be passed on. `maxBytes` bounds what the
 * whole answer may unpack to, or what one chunk may where the answer goes on as it comes.
 */
export function createContentDecoder(
  encoding: string | undefined,
  maxBytes: number,
  bounded: 'answer' | 'chunk' = 'answer',
): ContentDecoder | undefined {
  if (encoding === undefined || encoding === '' || encoding === 'identity') return plain;
  const create = DECOMPRESSORS.get(encoding.trim().toLowerCase());
  if (create === undefined) return undefined;
  const stream = create();
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
        const settle = () => {
          stream.off('close', settle);
          if (failure !== undefined) return reject(failure);
          const unpacked = pieces;
          pieces = [];
          resolve(unpacked.length === 1 ? unpacked[0]! : Buffer.concat(unpacked));
        };
        stream.once('close', settle);
        stream.write(chunk, () => stream.flush(settle));
      }),
  };
}
