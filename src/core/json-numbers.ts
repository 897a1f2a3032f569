import { stringEnd } from './json-scan.js';

/** Texts without a number that is long or has a large exponent need no second look. */
const SUSPECT = /\d{16}|[eE]\+?\d{3}/;
const NUMBER = /-?\d[\d.eE+-]*/y;

/**
 * The first number of a valid JSON text that would come back as another: a whole one that loses digits, which most do
 * beyond ±2^53, or one that is too large for any. Undefined where there is none.
 */
export function lostNumber(text: string): string | undefined {
  if (!SUSPECT.test(text)) return undefined;
  for (let at = 0; at < text.length; ) {
    const code = text.charCodeAt(at);
    if (code === 0x22) {
      at = stringEnd(text, at);
    } else if (code === 0x2d || (code >= 0x30 && code <= 0x39)) {
      NUMBER.lastIndex = at;
      const [written] = NUMBER.exec(text)!;
      if (isLost(written)) return written;
      at += written.length;
    } else {
      at++;
    }
  }
  return undefined;
}

function isLost(written: string): boolean {
  const number = Number(written);
  if (!Number.isFinite(number)) return true;
  if (Number.isSafeInteger(number) || /[.eE]/.test(written)) return false;
  return String(number) !== written;
}

const MOST_SHOWN_DIGITS = 40;

/** What is wrong with such a number, in words that follow what holds it. */
export function lostNumberMistake(written: string): string {
  const shown = written.length <= MOST_SHOWN_DIGITS ? written : `${written.slice(0, MOST_SHOWN_DIGITS)}…`;
  return `holds the number ${shown}, which would not be kept exactly; send it as a string`;
}
