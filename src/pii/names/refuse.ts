/**
 * What the model takes for a name and is none, by its form alone. Which words are names the model's weights decide, with
 * what the lists say of them: a list of words has no place here, but for languages, which it sees a few words at a time.
 */
import { CLASS_DIGIT, CLASS_LETTER, CLASS_UPPER, charClass } from '../model/characters.js';
import type { NameSpan } from '../name-span.js';
import { lean } from '../patterns/lean.js';
import { readWords } from '../words/words.js';

/** No name and no address is longer than this many units. */
const LONGEST = 400;
const LANGUAGES = new Set(readWords<'names'>('languages').names.any!.split('|'));
const INTO_LANGUAGE = lean(/(?<!\p{L})(?:[Ii]nto|[Ii]n|[Tt]o|[Ff]rom|[Aa]uf|[Ii]ns|en|al|in) $/u);
const NO_MORE_WORDS = lean(/^(?:\s*$|\s?[.,:;!?)\]"'»\n]|\s(?:and|or|please|und|oder|y|e|et|ou)(?!\p{L}))/u);
const CONTEXT_UNITS = 12;

/** Letters and digits of a name. */
function countOf(text: string, { start, end }: NameSpan): { letters: number; digits: number } {
  const count = { letters: 0, digits: 0 };
  for (let at = start; at < end; at++) {
    const kind = charClass[text.charCodeAt(at)]!;
    if (kind === CLASS_LETTER || kind === CLASS_UPPER) count.letters++;
    else if (kind === CLASS_DIGIT) count.digits++;
  }
  return count;
}

/** `translate it into German.` asks for a language, and says nothing of anybody. */
function isLanguage(text: string, { start, end }: NameSpan): boolean {
  if (end - start > 12 || !LANGUAGES.has(text.slice(start, end).toLowerCase())) return false;
  const before = text.slice(Math.max(0, start - CONTEXT_UNITS), start);
  return INTO_LANGUAGE.test(before) && NO_MORE_WORDS.test(text.slice(end, end + CONTEXT_UNITS));
}

/** Whether a span is no name, whatever the model thinks. */
export function isNoName(text: string, span: NameSpan): boolean {
  const { type, start, end } = span;
  if (end - start > LONGEST) return true;
  if (type === 'NRP') return isLanguage(text, span);
  if (type === 'LOCATION') return false;
  const { letters, digits } = countOf(text, span);
  return letters < 2 || digits > 0;
}
