import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { HpackDecoder, HpackError } from './hpack.js';

const hex = (text: string) => Buffer.from(text.replaceAll(' ', ''), 'hex');
const read = (decoder: HpackDecoder, text: string) => Object.fromEntries(decoder.decode(hex(text)));

const FIRST = { ':method': 'GET', ':scheme': 'http', ':path': '/', ':authority': 'www.example.com' };
const THIRD = {
  ':method': 'GET',
  ':scheme': 'https',
  ':path': '/index.html',
  ':authority': 'www.example.com',
  'custom-key': 'custom-value',
};

describe('the examples of RFC 7541, appendix C', () => {
  it('are read: literals (C.2)', () => {
    const decoder = new HpackDecoder();
    expect(read(decoder, '400a 6375 7374 6f6d 2d6b 6579 0d63 7573 746f 6d2d 6865 6164 6572')).toEqual({
      'custom-key': 'custom-header',
    });
    expect(read(decoder, '040c 2f73 616d 706c 652f 7061 7468')).toEqual({ ':path': '/sample/path' });
    expect(read(decoder, '1008 7061 7373 776f 7264 0673 6563 7265 74')).toEqual({ password: 'secret' });
  });

  it.each([
    [
      'plain (C.3)',
      '8286 8441 0f77 7777 2e65 7861 6d70 6c65 2e63 6f6d',
      '8286 84be 5808 6e6f 2d63 6163 6865',
      '8287 85bf 400a 6375 7374 6f6d 2d6b 6579 0c63 7573 746f 6d2d 7661 6c75 65',
    ],
    [
      'in Huffman codes (C.4)',
      '8286 8441 8cf1 e3c2 e5f2 3a6b a0ab 90f4 ff',
      '8286 84be 5886 a8eb 1064 9cbf',
      '8287 85bf 4088 25a8 49e9 5ba9 7d7f 8925 a849 e95b b8e8 b4bf',
    ],
  ])('are read: three requests that share a table, %s', (_kind, first, second, third) => {
    const decoder = new HpackDecoder();
    expect(read(decoder, first)).toEqual(FIRST);
    expect(read(decoder, second)).toEqual({ ...FIRST, 'cache-control': 'no-cache' });
    expect(read(decoder, third)).toEqual(THIRD);
  });
});

describe('a text in the Huffman code', () => {
  /** Codes of RFC 7541, appendix B: of 5, 6, 8, 13, 15, 19, 23 and 28 bits. */
  const CODES = {
    a: '00011',
    '-': '010110',
    X: '11111100',
    '~': '1111111111101',
    '<': '111111111111100',
    '\\': '1111111111111110000',
    '\u0001': '11111111111111111011000',
    '\u0002': '1111111111111111111111100010',
  };
  const packed = (text: string) => {
    const bits = [...text].map((letter) => CODES[letter as keyof typeof CODES]).join('');
    const bytes = bits.padEnd(Math.ceil(bits.length / 8) * 8, '1').match(/.{8}/g) ?? [];
    return Buffer.from(bytes.map((byte) => Number.parseInt(byte, 2)));
  };
  const LETTERS = Object.keys(CODES);

  it('is decoded to the original, wherever its letters begin', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...LETTERS), { maxLength: 40, size: 'max' }), (letters) => {
        const value = packed(letters.join(''));
        const length = value.length < 127 ? [value.length | 0x80] : [0xff, value.length - 127];
        const block = Buffer.concat([hex('0001 61'), Buffer.from(length), value]);
        expect(new HpackDecoder().decode(block).get('a')).toBe(letters.join(''));
      }),
    );
  });

  it('may be longer than all texts before it', () => {
    const value = packed('a'.repeat(4000));
    const length = Buffer.from([0xff, ((value.length - 127) & 0x7f) | 0x80, (value.length - 127) >> 7]);
    const block = Buffer.concat([hex('0001 61'), length, value]);
    expect(new HpackDecoder().decode(block).get('a')).toBe('a'.repeat(4000));
  });
});

describe('the table of a connection', () => {
  it('drops its oldest entries where the peer makes it smaller', () => {
    const decoder = new HpackDecoder();
    decoder.decode(hex('400161 0131 400162 0132'));
    // 34 bytes hold one of the two entries, the newer one.
    expect(read(decoder, '3f03 be')).toEqual({ b: '2' });
    expect(() => decoder.decode(hex('bf'))).toThrow(HpackError);
  });

  it('is emptied by an entry that is larger than the table, which is not kept', () => {
    const decoder = new HpackDecoder();
    const long = Buffer.concat([hex('4001 61 7f a11f'), Buffer.alloc(4128, 'x')]);
    decoder.decode(hex('400162 0132'));
    expect(decoder.decode(long).get('a')).toHaveLength(4128);
    expect(() => decoder.decode(hex('be'))).toThrow(HpackError);
  });
});

describe('a block that comes again', () => {
  it('has the same headers, as long as the table is the same', () => {
    const decoder = new HpackDecoder();
    decoder.decode(hex('400161 0131'));
    for (let count = 0; count < 3; count++) expect(read(decoder, 'be')).toEqual({ a: '1' });
    decoder.decode(hex('400162 0132'));
    for (let count = 0; count < 3; count++) expect(read(decoder, 'be')).toEqual({ b: '2' });
    decoder.decode(hex('20'));
    expect(() => decoder.decode(hex('be'))).toThrow(HpackError);
  });

  it('adds its entries each time', () => {
    const decoder = new HpackDecoder();
    for (let count = 0; count < 2; count++) decoder.decode(hex('400161 0131'));
    expect(read(decoder, 'bf')).toEqual({ a: '1' });
  });
});

describe('an invalid block', () => {
  it.each([
    ['names an entry that is not there', 'be'],
    ['names the entry 0', '80'],
    ['ends within a number', 'ff'],
    ['holds a number without an end', 'ffffffffffffffff'],
    ['ends within a text', '4001'],
    ['ends before its text does', '40056162'],
    ['makes the table larger than was allowed', '3fe2ff03'],
    ['fills a Huffman code with zeros', '4001618100'],
    ['fills a Huffman code with more than a byte', '40016182ffff'],
    ['contains the end-of-string symbol', '40016184ffffffff'],
  ])('is an error: it %s', (_kind, block) => {
    expect(() => new HpackDecoder().decode(hex(block))).toThrow(HpackError);
  });
});
