/** Tells nationalities from places where the model takes one for the other: `de Japanse keizer`, `die spanischen Häfen`. */
import { type Gazetteer, LIST_CITY, LIST_NRP, LIST_REGION, wordKey } from '../model/gazetteer.js';
import { asType, type NameSpan } from '../name-span.js';
import { lean } from '../patterns/lean.js';

/** With this score or a higher one the model is right more often than the lists. */
const SURE_OF_PLACE = 0.7;
const ONE_WORD = lean(/^[\p{L}\p{M}]+$/u);

/** The same span, as a nationality if it is a doubtful place that the lists know as a nationality alone. */
export function placeOrNationality(text: string, span: NameSpan, lists: Gazetteer): NameSpan {
  const { type, start, end, score } = span;
  if (type !== 'LOCATION' || score >= SURE_OF_PLACE || !ONE_WORD.test(text.slice(start, end))) return span;
  const known = lists.find(wordKey(text, start, end));
  const isNationality = (known & LIST_NRP) !== 0 && (known & (LIST_CITY | LIST_REGION)) === 0;
  return isNationality ? asType(span, 'NRP') : span;
}
