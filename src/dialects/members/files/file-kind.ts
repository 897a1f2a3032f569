/** Recognises a file by its first bytes, because its declared type may be wrong. */

/** The first bytes, as Latin-1, of files whose text cannot be read directly. */
const BINARY: readonly RegExp[] = [
  /^\x89PNG\r\n/,
  /^\xff\xd8\xff/,
  /^GIF8[79]a/,
  /^RIFF[\s\S]{4}(?:WEBP|WAVE|AVI )/,
  /^BM[\s\S]{4}\0\0\0\0/,
  /^(?:II\*\0|MM\0\*)/,
  /^\0\0[\x01\x02]\0/,
  /^[\s\S]{4}ftyp/,
  /^%PDF-/,
  /^PK(?:\x03\x04|\x05\x06|\x07\x08)/,
  /^(?:ID3|\xff[\xe2-\xfb])/,
  /^OggS/,
  /^fLaC/,
  /^\x1a\x45\xdf\xa3/,
  /^\x1f\x8b/,
  /^(?:wOFF|wOF2|OTTO|\0\x01\0\0)/,
  /^7z\xbc\xaf/,
  /^\xd0\xcf\x11\xe0/,
  /^\x7fELF/,
];
const SIGNED_BYTES = 32;

/** Whether a file begins like a picture, a sound, a film, an archive and so on. */
export function isBinary(bytes: Buffer): boolean {
  const beginning = bytes.subarray(0, SIGNED_BYTES).toString('latin1');
  return BINARY.some((sign) => sign.test(beginning));
}
