/** What a model that sees a few words at a time gets wrong: a number alone is no place. */
import type { NameSpan } from './names.js';

const BETWEEN_PARTS = /^[\s,;?\-–|]{0,12}$/;
const NAMES_POSTAL_CODE =
  /(?:zip|post\w*|plz|cap|c\.p\.|cp|pin|código postal|code postal)[\s\w]{0,12}[:#]?\s{0,2}$/iu;
const HAS_LETTER = /\p{L}/u;
const CONTEXT_UNITS = 32;

function isBeside(text: string, one: NameSpan | undefined, other: NameSpan): boolean {
  if (one?.type !== 'LOCATION') return false;
  const [first, second] = one.start < other.start ? [one, other] : [other, one];
  return second.start - first.end <= CONTEXT_UNITS && BETWEEN_PARTS.test(text.slice(first.end, second.start));
}

/** A house number or a postal code stands beside other parts of an address, or is named. */
function isPlausible(text: string, spans: readonly NameSpan[], i: number): boolean {
  const span = spans[i]!;
  if (span.type !== 'LOCATION' || HAS_LETTER.test(text.slice(span.start, span.end))) return true;
  if (isBeside(text, spans[i - 1], span) || isBeside(text, spans[i + 1], span)) return true;
  return NAMES_POSTAL_CODE.test(text.slice(Math.max(0, span.start - CONTEXT_UNITS), span.start));
}

/** `spans` in order of start, as the model gives them; without numbers that are no part of an address. */
export function withoutLoneNumbers(text: string, spans: readonly NameSpan[]): NameSpan[] {
  return spans.filter((_, i) => isPlausible(text, spans, i));
}
