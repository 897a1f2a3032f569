/**
 * Drops what the model takes for names in code although it is not: identifiers, keywords and pieces of paths. In
 * strings and comments of source code, a name needs more evidence: a capital letter, and a word that is in a list of
 * names or places.
 */

import { CLASS_DIGIT, CLASS_LETTER, CLASS_MARK, CLASS_UPPER, charClass } from '../model/characters.js';
import { type Gazetteer, LIST_FREQUENT_FIRST_NAME, LIST_LAST_NAME } from '../model/gazetteer.js';
import { type NameSpan, startingAt } from '../name-span.js';
import { lean } from '../patterns/lean.js';
import { matchAt } from '../patterns/matches-of.js';
import { evidenceOf, PERSON_LISTS, PLACE_LISTS } from './evidence.js';

/**
 * A number with a word that says what it counts or identifies, so it is not a house number: `port 8443, pid 31337`.
 */
const NAMED_NUMBER = lean(
  /(?:^|[^\p{L}])(?:port|pid|tid|uid|gid|line|lines|row|col|column|error|errno|code|status|exit|offset|size|count|retry|retries|attempt|timeout|version|build|page|worker|thread|shard|node|step|epoch|seq|rev)[ =:#-]{1,2}\d/iu,
);
/** Capitalised words in code that are values or products and not people. */
const CODE_WORDS = new Set('Male Female Store Buffer Lib Claude Gemini Alexa Siri'.split(' '));
/** The score that a single word needs where only the long list of first names has it. */
const SURE = 0.75;

/** A version number after a name. The name is then that of a product: `Claude Opus 4.5`. */
const VERSION_BEHIND = / v?\d{1,2}(?:\.\d{1,3}){0,2}(?![\w/:-]|\.\d)/y;
const SMALL_LETTER = /\p{Ll}/u;
const DIGIT = /\d/;

function kindAt(text: string, at: number): number {
  return at >= 0 && at < text.length ? charClass[text.charCodeAt(at)]! : -1;
}

function isWordKind(kind: number): boolean {
  return kind === CLASS_LETTER || kind === CLASS_UPPER || kind === CLASS_MARK || kind === CLASS_DIGIT;
}

/** Leaves out the marks before a name: the `# ` of `# See`, the `* ` of `* Ada`. */
function trimStart(text: string, span: NameSpan): NameSpan {
  let { start } = span;
  while (start < span.end && !isWordKind(kindAt(text, start))) start++;
  return start === span.start || start === span.end ? span : startingAt(span, start);
}

/** Whether the text is part of an identifier: `a_b`, `a.b`, `a::b`, `$a`, `a(`. */
function isIdentifier(text: string, start: number, end: number): boolean {
  const before = text[start - 1];
  const after = text[end];
  if (before === '_' || before === '$' || before === '\\' || after === '_') return true;
  if (
    before === '.' &&
    isWordKind(kindAt(text, start - 2)) &&
    kindAt(text, start - 3) !== -1 &&
    isWordKind(kindAt(text, start - 3))
  )
    return true;
  if ((before === ':' && text[start - 2] === ':') || (after === ':' && text[end + 1] === ':')) return true;
  return after === '(' || (after === '.' && kindAt(text, end + 1) === CLASS_LETTER);
}

/** Whether `/`, `-`, `=` or a similar mark stands directly beside the text. */
function isPiece(text: string, start: number, end: number): boolean {
  const before = text[start - 1] ?? ' ';
  const after = text[end] ?? ' ';
  return (
    '/-@%=&|~+^'.includes(before) ||
    '/=@&|~+^'.includes(after) ||
    (after === '-' && isWordKind(kindAt(text, end + 1)))
  );
}

/** The lists of which at least one must contain a word of the name. */
function evidenceFor(type: NameSpan['type'], words: number, score: number): number {
  if (type === 'LOCATION') return PLACE_LISTS;
  if (words > 1) return PERSON_LISTS;
  return score >= SURE ? PERSON_LISTS & ~LIST_LAST_NAME : LIST_FREQUENT_FIRST_NAME;
}

/** The name without punctuation before it; undefined where it is an identifier or too uncertain. */
export function realName(
  text: string,
  found: NameSpan,
  lists: Gazetteer,
  isCode: boolean,
): NameSpan | undefined {
  if (found.type === 'NRP') return isCode && isPiece(text, found.start, found.end) ? undefined : found;
  const span = trimStart(text, found);
  const { start, end, type } = span;
  if (type === 'LOCATION' && NAMED_NUMBER.test(text.slice(start, end))) return undefined;
  const isOneWord = !text.slice(start, end).includes(' ');
  if (isOneWord && isIdentifier(text, start, end)) return undefined;
  if (!isCode) return span;
  if (isIdentifier(text, start, end) || isPiece(text, start, end)) return undefined;
  const name = text.slice(start, end);
  if (CODE_WORDS.has(name)) return undefined;
  if (/[/_=<>{}[\]|]/.test(name)) return undefined;
  if (!SMALL_LETTER.test(name)) return undefined;
  if (type === 'PERSON' && (DIGIT.test(name) || matchAt(VERSION_BEHIND, text, end) !== undefined))
    return undefined;
  const { words, lists: known } = evidenceOf(text, span, lists);
  return (known & evidenceFor(type, words, found.score)) === 0 ? undefined : span;
}
