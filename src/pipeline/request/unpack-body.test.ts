import { brotliCompressSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { encodingOf, unpackBody } from './unpack-body.js';

const TEXT = JSON.stringify({ model: 'support', messages: ['Hi'.repeat(50_000)] });
/** What `zstd` writes for `{"a":1}`. */
const ZSTD = Buffer.from('28b52ffd0407390000' + '7b2261223a317d', 'hex');

describe('a body that its client compressed', () => {
  it.each([
    ['gzip', gzipSync(TEXT)],
    ['br', brotliCompressSync(TEXT)],
    ['br, gzip', gzipSync(brotliCompressSync(TEXT))],
  ])('is decompressed: %s', async (encoding, body) => {
    expect((await unpackBody(body, encoding, 1_000_000)).toString()).toBe(TEXT);
  });

  it('is refused where it decompresses to more than the limit', async () => {
    const bomb = gzipSync(Buffer.alloc(10_000_000));
    await expect(unpackBody(bomb, 'gzip', 1_000_000)).rejects.toMatchObject({
      code: 'request_too_large',
      status: 413,
    });
  });

  it('is refused where it is not in its declared encoding, or that is unknown', async () => {
    await expect(unpackBody(Buffer.from(TEXT), 'gzip', 1_000_000)).rejects.toMatchObject({
      code: 'invalid_request',
    });
    await expect(unpackBody(Buffer.from(TEXT), 'snappy', 1_000_000)).rejects.toMatchObject({ status: 415 });
    await expect(unpackBody(ZSTD.subarray(0, 4), 'zstd', 1_000_000)).resolves.toHaveLength(0);
  });

  it('is recognized by its header', () => {
    expect(encodingOf({})).toBeUndefined();
    expect(encodingOf({ 'content-encoding': 'identity' })).toBeUndefined();
    expect(encodingOf({ 'content-encoding': 'GZIP' })).toBe('GZIP');
  });
});
