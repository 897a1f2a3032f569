import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { createContentDecoder, UnreadableAnswer } from './content-decoder.js';

const TEXT = 'data: {"content":"Grüße 👋"}\n\n'.repeat(200);
/** `TEXT`, and ten million zeros, as the program `zstd` packs them: Node 20 cannot. */
const ZSTD_TEXT = Buffer.from(
  'KLUv/QRoXQEAJAJkYXRhOiB7ImNvbnRlbnQiOiJHcsO8w59lIPCfkYsifQoKAQBa09KrJxCT7JA=',
  'base64',
);
const ZSTD_BOMB = Buffer.from(
  'KLUv/QRoTAAACAABAPz/ORACAgAQAAIAEAACABAAAgAQAAIAEAACABAAAgAQAAIAEAACABAAAgAQAAIAEAACABAAAgAQAAIAEAACABAAAgAQAAIAEAACABAAAgAQAAIAEAACABAAAgAQAAIAEAACABAAAgAQAAIAEAACABAAAgAQAAIAEAACABAAAgAQAAIAEAACABAAAgAQAAIAEAACABAAAgAQAAIAEAACABAAAgAQAAIAEAACABAAAgAQAAIAEAACABAAAgAQAAIAEAACABAAAgAQAAIAEAACABAAAgAQAAIAEAACABAAAgAQAAIAEAACABAAAgAQAAIAEAACABAAAgAQAAIAEAACABAAAgAQAAIAEAACABAAAgAQAAIAEAACABAAAgAQAAIAEAACABAAAgAQAAIAEAACABAAA7QEAJLSYc8=',
  'base64',
);

async function decoded(encoding: string | undefined, bytes: Buffer, size: number, maxBytes = 1_000_000) {
  const decoder = createContentDecoder(encoding, maxBytes)!;
  const pieces: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += size)
    pieces.push(await decoder.write(bytes.subarray(at, at + size)));
  return { text: Buffer.concat(pieces).toString('utf8'), pieces };
}

describe('a body', () => {
  it.each([
    ['gzip', gzipSync(TEXT)],
    ['x-gzip', gzipSync(TEXT)],
    ['GZIP', gzipSync(TEXT)],
    ['deflate', deflateSync(TEXT)],
    ['br', brotliCompressSync(TEXT)],
    ['zstd', ZSTD_TEXT],
    ['gzip, br', brotliCompressSync(gzipSync(TEXT))],
    ['zstd,gzip', gzipSync(ZSTD_TEXT)],
  ])('in %s is decompressed, whatever its pieces', async (encoding, bytes) => {
    for (const size of [1, 7, 100_000]) expect((await decoded(encoding, bytes, size)).text).toBe(TEXT);
  });

  it.each([undefined, '', 'identity', 'none', ' Identity, none'])(
    'in %j is left unchanged, at once',
    (encoding) => {
      const chunk = Buffer.from(TEXT);
      expect(createContentDecoder(encoding, 10)!.write(chunk)).toBe(chunk);
    },
  );

  it('returns each piece as soon as possible', async () => {
    const bytes = gzipSync(TEXT);
    const { pieces } = await decoded('gzip', bytes, Math.ceil(bytes.length / 2));
    expect(pieces[0]!.length).toBeGreaterThan(0);
  });

  it('may have an empty piece', async () => {
    const decoder = createContentDecoder('gzip', 1_000_000)!;
    expect((await decoder.write(Buffer.alloc(0))).length).toBe(0);
    expect((await decoder.write(gzipSync('x'))).toString()).toBe('x');
  });

  it('in an unknown encoding has no decoder', () => {
    expect(createContentDecoder('zstd9', 10)).toBeUndefined();
    expect(createContentDecoder('gzip, zstd9', 10)).toBeUndefined();
    expect(createContentDecoder('gzip, gzip, gzip, gzip', 10)).toBeUndefined();
    expect(createContentDecoder('constructor', 10)).toBeUndefined();
  });

  it('that is not in its declared encoding cannot be read, now or later', async () => {
    const decoder = createContentDecoder('gzip', 1_000_000)!;
    await expect(decoder.write(Buffer.from('no gzip'))).rejects.toThrow(UnreadableAnswer);
    await expect(decoder.write(gzipSync('x'))).rejects.toThrow(UnreadableAnswer);
    const other = createContentDecoder('zstd', 1_000_000)!;
    await expect(other.write(Buffer.from('no zstd at all, however long it is'))).rejects.toThrow(
      UnreadableAnswer,
    );
  });

  it('that decompresses to more than the limit cannot be read', async () => {
    const bomb = gzipSync(Buffer.alloc(10_000_000));
    const refusal = /it is over 100000 bytes when decompressed/;
    await expect(decoded('gzip', bomb, 1_000, 100_000)).rejects.toThrow(refusal);
    await expect(decoded('zstd', ZSTD_BOMB, 1_000, 100_000)).rejects.toThrow(refusal);
    await expect(decoded('gzip, gzip', gzipSync(bomb), 1_000, 100_000)).rejects.toThrow(refusal);
  });

  it('that is sent as it arrives may be of any length, but each chunk only up to the limit', async () => {
    const packed = gzipSync(Buffer.alloc(300_000));
    const decoder = createContentDecoder('gzip', 200_000, 'chunk')!;
    const half = Math.ceil(packed.length / 2);
    const first = await decoder.write(packed.subarray(0, half));
    const second = await decoder.write(packed.subarray(half));
    expect(first.length + second.length).toBe(300_000);
    const whole = createContentDecoder('gzip', 200_000, 'chunk')!;
    await expect(whole.write(packed)).rejects.toThrow(/it is over 200000 bytes when decompressed/);
  });
});
