/** Parts of paths and accounts, and what programs declare: `src/victor/hunter.ts`, `nomvula79`, `class Grant {`. */
import { isDigitUnit } from '../../patterns/units.js';
import { isSmallAt } from '../words-beside.js';

const SMALL_WORD = /^\p{Ll}+$/u;
/** `final class Grant {`. */
const BODY = /^(?: ?[{(:<]| extends | implements )/;
const DECLARED = /(?<![\w-])(?:class|interface|struct|enum|trait|extends|implements) $/;
const PATH_GOES_ON = /^(?:\/|:[\dv])/;

/** Whether a body, or what a class extends, can begin at `at`. */
function mayBeBody(text: string, at: number): boolean {
  const unit = text.charAt(at) === ' ' ? text.charAt(at + 1) : text.charAt(at);
  return unit !== '' && '{(:<ei'.includes(unit);
}

/** `victor` of `src/victor/hunter.ts`, `loki` of `grafana/loki:2.9`, `Walker` of `(*Walker)`. */
export function isInPath(text: string, start: number, end: number): boolean {
  const before = text.charAt(start - 1);
  if (
    before === ' ' &&
    mayBeBody(text, end) &&
    DECLARED.test(text.slice(Math.max(0, start - 12), start)) &&
    BODY.test(text.slice(end, end + 10))
  )
    return true;
  if (before === '*') return text.charAt(start - 2) === '(';
  return (
    before === '/' && PATH_GOES_ON.test(text.slice(end, end + 2)) && SMALL_WORD.test(text.slice(start, end))
  );
}

/** `nomvula` of `nomvula79`, and who fails to log in: `invalid user rosa from`. */
export function isPartOfAccount(text: string, start: number, end: number): boolean {
  if (!isSmallAt(text, start)) return false;
  return (
    isDigitUnit(text.charCodeAt(end)) || text[end] === '_' || text.startsWith('invalid user ', start - 13)
  );
}
