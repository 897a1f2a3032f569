/**
 * What the model takes for a name and is none, by its form alone. Which words are names the model's weights decide, with
 * what the lists say of them: a list of words has no place here, but for languages, which it sees a few words at a time.
 */
import { CLASS_DIGIT, CLASS_LETTER, CLASS_UPPER, charClass } from '../model/characters.js';
import type { NameSpan } from '../name-span.js';
import { lean } from '../patterns/lean.js';

/** No name and no address is longer than this many units. */
const LONGEST = 400;
/** Values that programs and tables use where nobody entered one. */
const PLACEHOLDERS = new Set('none null nil undefined unknown n/a tbd todo test example default'.split(' '));
const LANGUAGES = new Set(
  (
    'english french german spanish italian portuguese dutch polish russian turkish japanese chinese korean arabic hindi greek swedish danish ' +
    'inglés francés alemán español italiano portugués polaco ruso japonés chino anglais français allemand espagnol italien portugais polonais ' +
    'inglese francese tedesco spagnolo portoghese polacco russo englisch französisch deutsch spanisch italienisch polnisch russisch'
  ).split(' '),
);
const INTO_LANGUAGE = lean(/(?<!\p{L})(?:[Ii]nto|[Ii]n|[Tt]o|[Ff]rom|[Aa]uf|[Ii]ns|en|al|in) $/u);
const NO_MORE_WORDS = lean(/^(?:\s*$|\s?[.,:;!?)\]"'»\n]|\s(?:and|or|please|und|oder|y|e|et|ou)(?!\p{L}))/u);
/** Heads of columns that stand side by side. */
const IN_COLUMNS = / {3}|\t/;
const CONTEXT_UNITS = 12;

interface Form {
  letters: number;
  digits: number;
  /** It has two letters side by side, so it is a word and not part of a code. */
  hasWord: boolean;
}

function formOf(text: string, { start, end }: NameSpan): Form {
  const form: Form = { letters: 0, digits: 0, hasWord: false };
  let before = -1;
  for (let at = start; at < end; at++) {
    const unit = text.charCodeAt(at);
    const kind = charClass[unit]!;
    const isLetter = kind === CLASS_LETTER || kind === CLASS_UPPER;
    if (isLetter) {
      form.letters++;
      // In scripts without an alphabet, a single character is a word.
      if (unit > 0x2e80 || before === CLASS_LETTER || before === CLASS_UPPER) form.hasWord = true;
    } else if (kind === CLASS_DIGIT) form.digits++;
    before = kind;
  }
  return form;
}

/** `translate it into German.` asks for a language, and says nothing of anybody. */
function isLanguage(text: string, { type, start, end }: NameSpan): boolean {
  if (type === 'PERSON' || end - start > 12 || !LANGUAGES.has(text.slice(start, end).toLowerCase()))
    return false;
  if (type === 'LOCATION') return true;
  const before = text.slice(Math.max(0, start - CONTEXT_UNITS), start);
  return INTO_LANGUAGE.test(before) && NO_MORE_WORDS.test(text.slice(end, end + CONTEXT_UNITS));
}

/**
 * Whether a span is not a name, whatever the model says. A number counts only beside another part of its address.
 */
export function isNoName(text: string, span: NameSpan, isBesidePlace: () => boolean): boolean {
  const { type, start, end } = span;
  if (end - start > LONGEST) return true;
  const { letters, digits, hasWord } = formOf(text, span);
  if (type === 'PERSON' && (letters < 2 || digits > 0 || IN_COLUMNS.test(text.slice(start, end))))
    return true;
  // A number alone, or a code, is no place; two letters may be a state.
  if (type === 'LOCATION' && (letters === 0 || (digits > 0 && !hasWord)) && !isBesidePlace()) return true;
  if (end - start <= 9 && PLACEHOLDERS.has(text.slice(start, end).toLowerCase())) return true;
  return isLanguage(text, span);
}
