import { isUtf8 } from 'node:buffer';

/** How a file's bytes encode its text. */
export interface TextEncoding {
  decode(bytes: Buffer): string;
  encode(text: string): Buffer;
}

const UTF_8: TextEncoding = nodeEncoding('utf8');
const LATIN_1: TextEncoding = nodeEncoding('latin1');
const UTF_16_LE: TextEncoding = nodeEncoding('utf16le');
/** Node.js only has UTF-16 with the low byte first. */
const UTF_16_BE: TextEncoding = {
  decode: (bytes) =>
    Buffer.from(bytes.subarray(0, bytes.length & ~1))
      .swap16()
      .toString('utf16le'),
  encode: (text) => Buffer.from(text, 'utf16le').swap16(),
};
const UTF_32_LE: TextEncoding = utf32(false);
const UTF_32_BE: TextEncoding = utf32(true);

/** How many bytes at the start of a file are examined for zeros at every second place. */
const LOOKED_AT = 1_024;
/**
 * With at least this share of zero bytes at every second place, a text counts as one with two or four bytes in each
 * character.
 */
const FEWEST_ZEROS = 0.1;
const NEARLY_ALL = 0.9;
const LAST_POINT = 0x10ffff;
const REPLACEMENT = 0xfffd;

/**
 * The encoding of a text: by its byte order mark, by the places of its zero bytes, or by the declared name. Otherwise
 * UTF-8 where the bytes are valid UTF-8, else Latin-1.
 */
export function encodingOf(bytes: Buffer, charset: string): TextEncoding {
  return byMark(bytes) ?? byZeros(bytes) ?? byName(charset) ?? (isUtf8(bytes) ? UTF_8 : LATIN_1);
}

function nodeEncoding(name: BufferEncoding): TextEncoding {
  return { decode: (bytes) => bytes.toString(name), encode: (text) => Buffer.from(text, name) };
}

function utf32(isBigEndian: boolean): TextEncoding {
  return {
    decode: (bytes) => {
      const chars: string[] = [];
      for (let at = 0; at + 4 <= bytes.length; at += 4) {
        const point = isBigEndian ? bytes.readUInt32BE(at) : bytes.readUInt32LE(at);
        chars.push(String.fromCodePoint(point > LAST_POINT ? REPLACEMENT : point));
      }
      return chars.join('');
    },
    encode: (text) => {
      const points = [...text];
      const bytes = Buffer.alloc(points.length * 4);
      for (const [index, char] of points.entries()) {
        if (isBigEndian) bytes.writeUInt32BE(char.codePointAt(0)!, index * 4);
        else bytes.writeUInt32LE(char.codePointAt(0)!, index * 4);
      }
      return bytes;
    },
  };
}

function byMark(bytes: Buffer): TextEncoding | undefined {
  const [first, second, third, fourth] = bytes;
  if (first === 0xff && second === 0xfe) return third === 0 && fourth === 0 ? UTF_32_LE : UTF_16_LE;
  if (first === 0xfe && second === 0xff) return UTF_16_BE;
  return first === 0 && second === 0 && third === 0xfe && fourth === 0xff ? UTF_32_BE : undefined;
}

/**
 * Digits, spaces and Latin letters have zero bytes in each wide encoding, and nearly every text contains some of
 * them.
 */
function byZeros(bytes: Buffer): TextEncoding | undefined {
  const looked = bytes.subarray(0, LOOKED_AT);
  if (!looked.includes(0) || bytes.length % 2 === 1) return undefined;
  const zeros = [0, 0, 0, 0];
  for (const [index, byte] of looked.entries()) if (byte === 0) zeros[index % 4]!++;
  const [a, b, c, d] = zeros.map((count) => (count * 4) / looked.length) as [number, number, number, number];
  if (bytes.length % 4 === 0 && d === 1 && c >= NEARLY_ALL && a < FEWEST_ZEROS) return UTF_32_LE;
  if (bytes.length % 4 === 0 && a === 1 && b >= NEARLY_ALL && d < FEWEST_ZEROS) return UTF_32_BE;
  if (a + c === 0 && b + d >= 2 * FEWEST_ZEROS) return UTF_16_LE;
  return b + d === 0 && a + c >= 2 * FEWEST_ZEROS ? UTF_16_BE : undefined;
}

/** Where Node.js cannot write the encoding, a changed text is written in UTF-8. */
function byName(charset: string): TextEncoding | undefined {
  if (charset === '' || charset === 'utf-8' || charset === 'us-ascii') return undefined;
  if (charset === 'utf-16' || charset === 'utf-16le') return UTF_16_LE;
  if (charset === 'utf-16be') return UTF_16_BE;
  if (charset === 'utf-32' || charset === 'utf-32le') return UTF_32_LE;
  if (charset === 'utf-32be') return UTF_32_BE;
  try {
    const decoder = new TextDecoder(charset);
    return { decode: (bytes) => decoder.decode(bytes), encode: UTF_8.encode };
  } catch {
    return undefined;
  }
}
