import { describe, expect, it } from 'vitest';
import { dataUrl, mediaTypeOf, mediaTypeOfUrl } from './media.js';

const base64 = (hex: string) => Buffer.from(hex, 'hex').toString('base64');

describe('the media type of a file', () => {
  it.each([
    ['89504e470d0a1a0a0000000d', 'image/png'],
    ['ffd8ffe000104a4649460001', 'image/jpeg'],
    ['474946383961010001000000', 'image/gif'],
    ['524946461a00000057454250', 'image/webp'],
    ['255044462d312e340a25e2e3', 'application/pdf'],
  ])('is recognized from its bytes: %s', (hex, mediaType) => {
    expect(mediaTypeOf({ mediaType: 'application/octet-stream', data: base64(hex) })).toBe(mediaType);
    expect(dataUrl({ mediaType: 'image/jpg', data: base64(hex) })).toMatch(`data:${mediaType};base64,`);
  });

  it('is the declared one, under its right name, where its bytes are not recognized', () => {
    expect(mediaTypeOf({ mediaType: 'image/jpg', data: 'AAAA' })).toBe('image/jpeg');
    expect(mediaTypeOf({ mediaType: 'image/avif', data: 'AAAA' })).toBe('image/avif');
  });

  it.each([
    ['https://x.test/a.png', 'image/png'],
    ['https://x.test/a.JPG?size=1', 'image/jpeg'],
    ['https://x.test/a', 'image/jpeg'],
    ['https://x.test/constructor', 'image/jpeg'],
  ])('is recognized from the ending of its URL: %s', (url, mediaType) => {
    expect(mediaTypeOfUrl(url, 'image/jpeg')).toBe(mediaType);
  });
});
