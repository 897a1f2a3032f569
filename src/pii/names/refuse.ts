/**
 * Drops what cannot be a name by its form. Which words are names is decided by the model, so this file lists no words
 * except languages: in `translate it into German`, the model does not see that German is a language.
 */
import type { NameSpan } from '../name-span.js';
import { lean } from '../patterns/lean.js';
import { readWords } from '../words/words.js';

/** A longer name or address is a mistake of the model. In UTF-16 units. */
const LONGEST = 400;
const LANGUAGES = new Set(readWords<'names'>('languages').names.any!.split('|'));
const INTO_LANGUAGE = lean(/(?<!\p{L})(?:[Ii]nto|[Ii]n|[Tt]o|[Ff]rom|[Aa]uf|[Ii]ns|en|al|in) $/u);
const NO_MORE_WORDS = lean(/^(?:\s*$|\s?[.,:;!?)\]"'»\n]|\s(?:and|or|please|und|oder|y|e|et|ou)(?!\p{L}))/u);
const CONTEXT_UNITS = 12;

/** Whether the name is a language, as in `translate it into German.`, which says nothing about a person. */
function isLanguage(text: string, { start, end }: NameSpan): boolean {
  if (end - start > 12 || !LANGUAGES.has(text.slice(start, end).toLowerCase())) return false;
  const before = text.slice(Math.max(0, start - CONTEXT_UNITS), start);
  return INTO_LANGUAGE.test(before) && NO_MORE_WORDS.test(text.slice(end, end + CONTEXT_UNITS));
}

/** A term that a contract defines: `the Chosen Courts`, `the other party's Marks`. Families have higher scores. */
const DEFINED = lean(/^(?:\p{Lu}\p{Ll}+ )*\p{Lu}\p{Ll}+s$/u);
const BEFORE_DEFINED =
  /(?:\b(?:the|any|each|such|your|our|its|their)|['’]s) (?:["“*]{1,2}|<[^<>\n]{0,40}>)?$/i;
const SURE_OF_FAMILY = 0.8;

function isDefined(text: string, { start, end, score }: NameSpan): boolean {
  if (score >= SURE_OF_FAMILY || text[end - 1] !== 's') return false;
  return (
    DEFINED.test(text.slice(start, end)) && BEFORE_DEFINED.test(text.slice(Math.max(0, start - 56), start))
  );
}

/** Numbers of a log (`081109 204815 1885`), or figures between letters (`CA00000AA`). No postal code looks like these. */
const CODE = /^(?:\d{6}(?: \d{3,6})+|\p{Lu}+\d{4,}\p{Lu}+)$/u;

/** Numbers, and columns that blanks separate: `hz     min     max`. */
const NO_PERSON = /\d| {3}|\t/;
const CAPITAL = /^\p{Lu}/u;
const SMALL_WORD = lean(/ \p{Ll}{4,}(?= |$)/gu);

/** Whether two ordinary words or more stand behind a name: `Jeff wilde anders`. */
function hasSmallWords(found: string): boolean {
  return CAPITAL.test(found) && (found.match(SMALL_WORD)?.length ?? 0) > 1;
}

/** Whether a span is not a name, whatever its score. */
export function isNoName(text: string, span: NameSpan): boolean {
  const { type, start, end } = span;
  if (end - start > LONGEST) return true;
  if (type === 'NRP') return isLanguage(text, span);
  const found = text.slice(start, end);
  if (type === 'LOCATION') return CODE.test(found);
  return NO_PERSON.test(found) || hasSmallWords(found) || isDefined(text, span);
}
