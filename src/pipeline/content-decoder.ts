import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';

/** Undoes a `content-encoding`, chunk by chunk. Providers are asked for none, but some compress all the same. */
export interface ContentDecoder {
  /** At once where there is nothing to undo. Rejects for bytes that are not what the encoding promises. */
  write(chunk: Buffer): Buffer | Promise<Buffer>;
}

const plain: ContentDecoder = { write: (chunk) => chunk };

const DECOMPRESSORS: Record<string, () => ReturnType<typeof createGunzip>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

/** Undefined for an encoding that we do not know: the bytes can then only be passed on. */
export function createContentDecoder(
  encoding: string | undefined,
  maxBytes: number,
): ContentDecoder | undefined {
  if (encoding === undefined || encoding === '' || encoding === 'identity') return plain;
  const create = DECOMPRESSORS[encoding.trim().toLowerCase()];
  if (create === undefined) return undefined;
  const stream = create();
  let failure: Error | undefined;
  let pieces: Buffer[] = [];
  let total = 0;
  stream.on('data', (piece: Buffer) => {
    total += piece.length;
    // A small body can unpack to gigabytes.
    if (total > maxBytes) stream.destroy(new Error(`the unpacked body is over ${maxBytes} bytes`));
    else pieces.push(piece);
  });
  stream.on('error', (error: Error) => {
    failure = error;
  });
  return {
    write: (chunk) =>
      new Promise((resolve, reject) => {
        if (failure !== undefined) return reject(failure);
        if (chunk.length === 0) return resolve(chunk);
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
