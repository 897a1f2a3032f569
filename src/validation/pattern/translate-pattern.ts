import { PatternReader } from './pattern-reader.js';

/*
 * Translates ECMAScript's regular expressions (with the `u` flag) to RE2. The two differ in details: what `.` and `\s` match,
 * how characters are escaped, how categories are named. Every literal is written as a code point, so that none can have
 * another meaning.
 */

/** The pattern contains what RE2 cannot express: lookarounds, backreferences, unknown properties, or lone surrogates. */
export class NotTranslatable extends Error {}

const SPACE_RANGES: readonly Range[] = [
  [0x09, 0x0d],
  [0x20, 0x20],
  [0xa0, 0xa0],
  [0x1680, 0x1680],
  [0x2000, 0x200a],
  [0x2028, 0x2029],
  [0x202f, 0x202f],
  [0x205f, 0x205f],
  [0x3000, 0x3000],
  [0xfeff, 0xfeff],
];
const LAST_CODE_POINT = 0x10ffff;
const NOTHING = '[^\\x{0}-\\x{10FFFF}]';
const ANYTHING = '[\\x{0}-\\x{10FFFF}]';
const CONTROL_ESCAPES: Readonly<Record<string, number>> = { t: 9, n: 10, v: 11, f: 12, r: 13 };

/** RE2 knows categories by their short names only. */
const CATEGORIES: Readonly<Record<string, string>> = {
  Letter: 'L',
  Cased_Letter: 'LC',
  Uppercase_Letter: 'Lu',
  Lowercase_Letter: 'Ll',
  Titlecase_Letter: 'Lt',
  Modifier_Letter: 'Lm',
  Other_Letter: 'Lo',
  Mark: 'M',
  Combining_Mark: 'M',
  Nonspacing_Mark: 'Mn',
  Spacing_Mark: 'Mc',
  Enclosing_Mark: 'Me',
  Number: 'N',
  Decimal_Number: 'Nd',
  digit: 'Nd',
  Letter_Number: 'Nl',
  Other_Number: 'No',
  Punctuation: 'P',
  punct: 'P',
  Connector_Punctuation: 'Pc',
  Dash_Punctuation: 'Pd',
  Open_Punctuation: 'Ps',
  Close_Punctuation: 'Pe',
  Initial_Punctuation: 'Pi',
  Final_Punctuation: 'Pf',
  Other_Punctuation: 'Po',
  Symbol: 'S',
  Math_Symbol: 'Sm',
  Currency_Symbol: 'Sc',
  Modifier_Symbol: 'Sk',
  Other_Symbol: 'So',
  Separator: 'Z',
  Space_Separator: 'Zs',
  Line_Separator: 'Zl',
  Paragraph_Separator: 'Zp',
};
const SHORT_CATEGORIES = new Set(Object.values(CATEGORIES).filter((name) => name !== 'LC'));

type Range = readonly [first: number, last: number];

/** The same pattern for RE2. `source` must be valid with the `u` flag. Throws `NotTranslatable`. */
export function translatePattern(source: string): string {
  const reader = new PatternReader(source);
  let translated = '';
  while (!reader.atEnd()) translated += translateTerm(reader);
  return translated;
}

function translateTerm(reader: PatternReader): string {
  const character = reader.next();
  switch (character) {
    case '^':
      return '\\A';
    case '$':
      return '\\z';
    case '.':
      return '[^\\n\\r\\x{2028}\\x{2029}]';
    case '[':
      return translateClass(reader);
    case '(':
      return openGroup(reader);
    case '\\':
      return translateEscape(reader);
    case '{':
      return `{${reader.upTo('}')}}`;
    case ')':
    case '|':
    case '*':
    case '+':
    case '?':
      return character;
    default:
      return literal(codePoint(character));
  }
}

/** Every group becomes a non-capturing one, because captures are not used. */
function openGroup(reader: PatternReader): string {
  if (!reader.take('?')) return '(?:';
  if (reader.take(':')) return '(?:';
  if (reader.take('<') && !reader.looksAt('=') && !reader.looksAt('!')) {
    reader.upTo('>');
    return '(?:';
  }
  throw new NotTranslatable('lookaround');
}

function translateEscape(reader: PatternReader): string {
  const character = reader.next();
  if (character === 'b' || character === 'B') return `\\${character}`;
  if (/[1-9k]/.test(character)) throw new NotTranslatable('backreference');
  const set = setEscape(character, reader);
  if (set !== undefined) return `[${set}]`;
  return literal(characterEscape(character, reader));
}

function translateClass(reader: PatternReader): string {
  const negated = reader.take('^');
  let members = '';
  while (!reader.take(']')) members += translateMember(reader);
  if (members === '') return negated ? ANYTHING : NOTHING;
  return `[${negated ? '^' : ''}${members}]`;
}

function translateMember(reader: PatternReader): string {
  const first = classAtom(reader);
  if (typeof first === 'string' || !reader.looksAt('-') || reader.looksAt('-]')) {
    return typeof first === 'string' ? first : literal(first);
  }
  reader.next();
  return `${literal(first)}-${literal(classAtom(reader) as number)}`;
}

/** One member of a character class: a code point, or the text of a set such as `\d`. */
function classAtom(reader: PatternReader): number | string {
  const character = reader.next();
  if (character !== '\\') return codePoint(character);
  const escaped = reader.next();
  if (escaped === 'b') return 0x08;
  return setEscape(escaped, reader) ?? characterEscape(escaped, reader);
}

/** The members of the set that an escape stands for, or undefined where it stands for one character. */
function setEscape(character: string, reader: PatternReader): string | undefined {
  switch (character) {
    case 'd':
    case 'D':
    case 'w':
    case 'W':
      return `\\${character}`;
    case 's':
      return rangesText(SPACE_RANGES);
    case 'S':
      return rangesText(complement(SPACE_RANGES));
    case 'p':
    case 'P':
      return `\\${character}{${propertyName(reader)}}`;
    default:
      return undefined;
  }
}

function propertyName(reader: PatternReader): string {
  reader.next();
  const [name = '', value] = reader.upTo('}').split('=');
  if (value !== undefined && /^(?:Script|sc)$/.test(name) && /^[A-Z][a-z]{4,}$/.test(value)) return value;
  if (value !== undefined && !/^(?:General_Category|gc)$/.test(name)) throw new NotTranslatable('property');
  const category = value ?? name;
  const short = Object.hasOwn(CATEGORIES, category) ? CATEGORIES[category] : category;
  if (short === undefined || !SHORT_CATEGORIES.has(short)) throw new NotTranslatable('property');
  return short;
}

function characterEscape(character: string, reader: PatternReader): number {
  const control = CONTROL_ESCAPES[character];
  if (control !== undefined) return control;
  switch (character) {
    case '0':
      return 0;
    case 'c':
      return codePoint(reader.next()) % 32;
    case 'x':
      return Number.parseInt(reader.next() + reader.next(), 16);
    case 'u':
      return unicodeEscape(reader);
    default:
      return codePoint(character);
  }
}

function unicodeEscape(reader: PatternReader): number {
  if (reader.take('{')) return scalar(Number.parseInt(reader.upTo('}'), 16));
  const unit = Number.parseInt(reader.digits(4), 16);
  if (unit < 0xd800 || unit > 0xdbff || !reader.take('\\u')) return scalar(unit);
  const low = Number.parseInt(reader.digits(4), 16);
  if (low < 0xdc00 || low > 0xdfff) throw new NotTranslatable('lone surrogate');
  return (unit - 0xd800) * 0x400 + (low - 0xdc00) + 0x10000;
}

function codePoint(character: string): number {
  return scalar(character.codePointAt(0) as number);
}

function scalar(point: number): number {
  if (point >= 0xd800 && point <= 0xdfff) throw new NotTranslatable('lone surrogate');
  return point;
}

function literal(point: number): string {
  const character = String.fromCodePoint(point);
  return /[A-Za-z0-9]/.test(character) ? character : `\\x{${point.toString(16)}}`;
}

function rangesText(ranges: readonly Range[]): string {
  return ranges.map(([first, last]) => `${literal(first)}-${literal(last)}`).join('');
}

function complement(ranges: readonly Range[]): Range[] {
  const gaps: Range[] = [];
  let from = 0;
  for (const [first, last] of ranges) {
    gaps.push([from, first - 1]);
    from = last + 1;
  }
  gaps.push([from, LAST_CODE_POINT]);
  return gaps;
}
