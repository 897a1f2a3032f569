/**
 * The formats of files that are read, and of those that are refused because their text cannot be read (`ole`, `packed`). A file's
 * first bytes show its format.
 */
export type FileFormat = 'pdf' | 'zip' | 'html' | 'mail' | 'ole' | 'packed';

const LOOKED_AT = 4_096;
/** PDF readers accept other bytes before the header. */
const PDF = /%PDF-\d/;
const ZIP = /^PK\x03\x04/;
/** Microsoft's compound files: documents of before 2007, and encrypted ones of today. */
const OLE = /^\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1/;
/** gzip, 7-Zip, RAR, bzip2 and xz. */
const PACKED = /^(?:\x1f\x8b\x08|7z\xbc\xaf\x27\x1c|Rar!\x1a|BZh[1-9]1AY&SY|\xfd7zXZ\0)/;
const HTML = /^\ufeff?\s*(?:<!--[\s\S]{0,2000}?-->\s*)?<(?:!doctype\s+html|html|head|body)[\s>]/i;
/** Header fields in the form of RFC 5322. One of them must be typical of mail. */
const MAIL = /^(?:[!-9;-~]+:[^\n]*\r?\n(?:[ \t][^\n]*\r?\n)*)+\r?\n/;
const MAIL_FIELD = /^(?:from|to|subject|date|received|mime-version|message-id|return-path):/im;

/** The format of a file. Undefined for plain text, which is read as it is, and for formats that are not read. */
export function formatOf(bytes: Uint8Array): FileFormat | undefined {
  const beginning = Buffer.from(bytes.subarray(0, LOOKED_AT)).toString('latin1');
  if (ZIP.test(beginning)) return 'zip';
  if (PDF.test(beginning.slice(0, 1_024))) return 'pdf';
  if (OLE.test(beginning)) return 'ole';
  if (PACKED.test(beginning)) return 'packed';
  if (HTML.test(beginning)) return 'html';
  return MAIL.test(beginning) && MAIL_FIELD.test(beginning) ? 'mail' : undefined;
}
