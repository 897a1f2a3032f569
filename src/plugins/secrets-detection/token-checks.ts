import { crc32 } from 'node:zlib';
import { isJsonObject, parseJson } from '../../core/json.js';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Tokens of GitHub and npm end in six base-62 digits of the CRC-32 of the part between prefix and checksum. */
export function hasTokenChecksum(token: string): boolean {
  const random = token.slice(token.indexOf('_') + 1, -6);
  return token.endsWith(tokenChecksum(random));
}

export function tokenChecksum(random: string): string {
  let rest = crc32(random);
  let digits = '';
  for (let count = 0; count < 6; count++) {
    digits = BASE62[rest % 62]! + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}

/** Whether the token has three parts, the first of which is a header that names the signing algorithm (RFC 7515). */
export function isJsonWebToken(token: string): boolean {
  const header = parseJson(Buffer.from(token.split('.', 1)[0]!, 'base64url').toString('utf8'));
  const algorithm = isJsonObject(header) ? header.alg : undefined;
  return typeof algorithm === 'string' && algorithm.toLowerCase() !== 'none';
}
