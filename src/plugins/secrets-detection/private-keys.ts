import type { Found } from '../text-guard/found.js';

const HEADER = /-----BEGIN (?:[A-Z0-9]{2,12} ){0,2}PRIVATE KEY(?: BLOCK)?-----/g;
const FOOTER = /-----END (?:[A-Z0-9]{2,12} ){0,2}PRIVATE KEY(?: BLOCK)?-----/y;
/**
 * The body of a key of up to 16,384 bits. Its line breaks are \n in source code and \\n in JSON within JSON. Its
 * lines can be in quotes, in comments or in a quotation.
 */
const BODY = /(?:[A-Za-z0-9+/=\s"',:.()>*#|]|-(?!----)|\\{1,4}[nr]){0,16384}/y;
/** A text with a shorter body is about keys and is not a key itself. */
const SHORTEST_BODY = 40;
/** A key that was shortened in the middle still has its first line. */
const SHORTENED = /^(?:\s|\\{1,4}[nr]){1,8}[A-Za-z0-9+/]{16}/;
const HEADERS_PER_STEP = 100;

/** Private keys in PEM. A key without an end yet, as in a stream, extends to the end of its characters. */
export function* findPrivateKeys(text: string, found: Found[]): Generator<void> {
  let headers = 0;
  for (const header of text.matchAll(HEADER)) {
    if (++headers % HEADERS_PER_STEP === 0) yield;
    BODY.lastIndex = header.index + header[0].length;
    const body = BODY.exec(text)?.[0] ?? '';
    const bodyEnd = header.index + header[0].length + body.length;
    FOOTER.lastIndex = bodyEnd;
    const footer = FOOTER.exec(text)?.[0];
    const letters = body.replace(/[^A-Za-z0-9+/=]|\\+[nr]/g, '').length;
    if (letters < SHORTEST_BODY && (footer === undefined || !SHORTENED.test(body))) continue;
    const end = bodyEnd + (footer?.length ?? 0);
    found.push({ type: 'PRIVATE_KEY', start: header.index, end, score: 1 });
  }
}
