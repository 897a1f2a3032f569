/** `data:` URLs as the Fetch standard reads them: https://fetch.spec.whatwg.org/#data-urls. */

export interface DataUrl {
  /** What is before the data as it was written, with the comma. */
  head: string;
  /** The media type in lower case without parameters; `text/plain` where there is none. */
  type: string;
  /** The parameter `charset` in lower case; empty where there is none. */
  charset: string;
  isBase64: boolean;
  /** The data as it was written: base64, or text with percent escapes. */
  data: string;
}

const SCHEME = /^[\0- ]*data:/i;
/** A longer head is not accepted, because it should only contain a media type and some parameters. */
const LONGEST_HEAD = 1_024;
const BASE64 = /;[\t\n\f\r ]*base64[\t\n\f\r ]*$/i;
/** `base64` before another parameter. The standard does not accept it there, but some servers do. */
const BASE64_FIRST = /;[\t\n\f\r ]*base64[\t\n\f\r ]*;/i;
const CHARSET = /;\s*charset\s*=\s*"?([\w.:-]+)/i;
const TYPE = /^\s*([\w!#$&^.+-]+\/[\w!#$&^.+-]+)/;
const DEFAULT_TYPE = 'text/plain';

export function isDataUrl(value: string): boolean {
  return SCHEME.test(value);
}

export function readDataUrl(value: string): DataUrl | undefined {
  const scheme = SCHEME.exec(value)?.[0];
  if (scheme === undefined) return undefined;
  const comma = value.slice(0, LONGEST_HEAD).indexOf(',', scheme.length);
  if (comma < 0) return undefined;
  const head = value.slice(0, comma + 1);
  const said = unescaped(value.slice(scheme.length, comma).replaceAll(/[\t\n\r]/g, ''));
  const fragment = value.indexOf('#', comma);
  const data = value.slice(comma + 1, fragment < 0 ? undefined : fragment);
  return {
    head,
    type: TYPE.exec(said)?.[1]?.toLowerCase() ?? DEFAULT_TYPE,
    charset: CHARSET.exec(said)?.[1]?.toLowerCase() ?? '',
    isBase64: BASE64.test(said) || BASE64_FIRST.test(said),
    data,
  };
}

/**
 * The bytes of the data. Characters that are not base64 are skipped, as many servers do, because a guard should see
 * what any of them may read.
 */
export function bytesOf({ isBase64, data }: DataUrl): Buffer {
  const plain = data.replaceAll(/[\t\n\r]/g, '').replace(/ +$/, '');
  if (!isBase64) return Buffer.from(escapedBytes(plain), 'latin1');
  return Buffer.from(plain.includes('%') ? unescaped(plain) : plain, 'base64');
}

function unescaped(text: string): string {
  return text.replaceAll(/%([\da-f]{2})/gi, (_, hexadecimal: string) =>
    String.fromCharCode(Number.parseInt(hexadecimal, 16)),
  );
}

/** Decodes a text with escapes; each unit of the result is one byte. */
function escapedBytes(text: string): string {
  return unescaped(Buffer.from(text, 'utf8').toString('latin1'));
}
