/**
 * Whether a line is prose or source code, from what stands in that line alone: one pass over its units counts the
 * marks that only code has and the words that only sentences have. JSON, SQL, shell, markup and stack traces count
 * as code: in all of them names stand in quotes, comments or between tags.
 */
import {
  CLASS_DIGIT,
  CLASS_LETTER,
  CLASS_MARK,
  CLASS_SPACE,
  CLASS_UPPER,
  charClass,
} from '../model/characters.js';

export const PROSE = 0;
export const CODE = 1;
/** Nothing tells: the line is what its neighbours are. */
export const OPEN = 2;
export const BLANK = 3;
export type LineKind = typeof PROSE | typeof CODE | typeof OPEN | typeof BLANK;

/** A longer line is judged by its beginning. */
const LOOKED_AT = 400;
/** Words in lower case that make a sentence. */
const SENTENCE_WORDS = 4;
const CODE_FROM = 2;
const MAX_KEY = 40;

/** Words that begin a line of code and hardly a sentence. */
const KEYWORD =
  'elif|elsif|elseif|typedef|const|constexpr|func|fn|impl|pub|def|nonlocal|extern|struct|enum|namespace|defer|chan|unset|esac|' +
  'endif|goto|boolean|u?int\\d*(?:_t)?|size_t|uintptr|async|await|foreach|inline|volatile|unsigned|ifdef|ifndef|fi';
const DECLARATION = new RegExp(
  `(?:(?:${KEYWORD})(?![\\w'-])|for \\w+(?:, ?\\w+)* in .{1,80}:$|(?:except|with) .{1,80} as \\w+:$)`,
  'y',
);
/** Words that begin a line of code or a sentence: what follows decides. */
const WORD =
  'import|from|export|package|class|public|private|protected|static|final|abstract|override|virtual|let|var|val|auto|interface|' +
  'trait|module|mod|use|using|type|local|my|our|declare|readonly|except|yield|throw|throws|new|delete|assert|raise|void|char|' +
  'bool|double|float|long|short|byte|string|lambda|global|return|if|while|for|switch|catch|with|case|function|sub|do|try|else|until|unless';
/** Beginnings that are code by themselves, whatever the language. */
const STATEMENT = new RegExp(
  `(?:${[
    `(?:${WORD}) [\\w.,$*&@%<>\\[\\]:?|"'\`\\/{}() -]{0,80}(?:\\w\\(|\\)\\s?\\{|[;={]$|:$| = |["'\`;]$)`,
    `(?:${WORD})(?:$|\\s?[({:;])`,
    'import [\\w.*{,]+(?:$| as | from )|from [\\w.]+ import |package [\\w.]+;?$|export [{*]|export default ',
    'for \\w+(?:, ?\\w+)* in |with \\w.{0,60} as \\w+:$|class \\w+(?:$|[:({<]| extends | implements )',
    '#!|#\\s{0,3}(?:include|define|undef|if|ifdef|ifndef|elif|else|endif|pragma|error|line)(?!\\w| [a-z]+ [a-z]+ )',
    '(?:then|done|esac|end|pass|break|continue|begin|default|finally|shift|endfor|EOF|END)[:;{]?$',
    '[})\\]]+[;,)]*$|\\}\\s?(?:else|catch|finally|while)|@\\w+(?:\\(|$)|[$@%]\\w+\\s?=|[\\w.]+ [:+|-]?= ?[\\w"\'([{$&*-]|[\\w.]+=[^\\s;=]+$',
    'return [\\w.]+;?$|export \\w+=',
    '</?[a-zA-Z!?][^@]*>?$',
    '\\+\\+\\+ |--- a/|@@ |>>> |\\.\\.\\. ',
  ].join('|')})`,
  'y',
);
const QUERY =
  /(?:select .{1,200} from |insert into |update \w+ set |delete from |create (?:table|index|view|database) |(?:alter|drop) table )/iy;
/** Commands of a shell with an option, a path or a variable. */
const COMMAND =
  /(?:sudo|apt-get|apt|pip3?|npm|npx|yarn|pnpm|git|docker|kubectl|curl|wget|cargo|go|python3?|node|cd|ls|cp|mv|rm|mkdir|chmod|echo|printf|export|source|set|test|exit|eval|exec)\s+(?:-{1,2}\w|["$./]|\w+\s-{1,2}\w)/y;

/** What a comment or a note begins with: the name in its brackets is no argument. */
const NOTE = /(?:TODO|FIXME|XXX|HACK|NOTE)\(/y;

class Marks {
  score = 0;
  /** The part of the score that names of things have, which sentences mention too: `user_id`, `run()`, `main.py`. */
  named = 0;
  words = 0;
  lowerWords = 0;
  capitalised = 0;
  symbols = 0;
}

function isIdent(unit: number): boolean {
  const kind = charClass[unit]!;
  return kind === CLASS_LETTER || kind === CLASS_UPPER || kind === CLASS_DIGIT || unit === 0x5f;
}

/** What one mark at `at` says; `before` and `after` are the units beside it (0 at the ends of the line). */
function weigh(unit: number, before: number, after: number): number {
  switch (unit) {
    case 0x7b: // {
    case 0x7d: // }
      return 1;
    case 0x28: // (
      if (!isIdent(before)) return 0;
      return after === 0x29
        ? 2
        : after === 0x73 || after === 0x65 || after === 0x6e || after === 0x69
          ? 0.5
          : 1;
    case 0x5b: // [
      return isIdent(before) ? 1 : 0;
    case 0x3d: // =
      // An arrow alone stands in notes, too.
      if (after === 0x3e) return 1.5;
      if (before === 0x21 || before === 0x3a || before === 0x2b) return 2;
      return before === 0x20 && after === 0x20 ? 1 : 0.25;
    case 0x5f: // _
      return isIdent(before) && isIdent(after) ? 1 : 0.25;
    case 0x26: // &
      return after === 0x26 ? 2 : after !== 0x20 && before === 0x20 ? 0.5 : 0;
    case 0x7c: // |
      return after === 0x7c ? 2 : 0;
    case 0x3a: // :
      return after === 0x3a || after === 0x3d ? 2 : 0;
    case 0x2d: // -
      return after === 0x3e ? 2 : 0;
    case 0x24: // $
      return charClass[after] === CLASS_LETTER || after === 0x7b || after === 0x28 ? 2 : 0;
    case 0x3c: // <
      return after === 0x2f ? 2 : isIdent(before) && isIdent(after) ? 1 : 0;
    case 0x3e: // >
      return before === 0x2f ? 2 : 0;
    case 0x3b: // ;
      return after === 0 ? 2 : 0;
    case 0x2e: // .
      return charClass[before] === CLASS_LETTER && charClass[after] === CLASS_LETTER ? 0.5 : 0;
    case 0x5c: // \
      return 0.25;
    default:
      return 0;
  }
}

/** Whether the mark at `unit` belongs to the name of a thing, and is no operator or bracket of a statement. */
function isOfName(unit: number, before: number, after: number): boolean {
  if (unit === 0x5f || unit === 0x2e) return true;
  return unit === 0x28 && after === 0x29 && isIdent(before);
}

function isWordUnit(unit: number): boolean {
  const kind = charClass[unit]!;
  return (
    kind === CLASS_LETTER || kind === CLASS_UPPER || kind === CLASS_MARK || unit === 0x27 || unit === 0x2019
  );
}

/** `==` and `===` compare; a longer row of them is a line that someone drew. */
function equality(text: string, from: number, to: number): number {
  let at = from;
  while (at < to && text.charCodeAt(at) === 0x3d) at++;
  return at - from <= 3 ? 2 : 0;
}

/** What stands after a scheme, and handles and hashtags of posts, look like code and are none. */
function isSkipped(unit: number, before: number, after: number): boolean {
  if (unit === 0x2f) return before === 0x3a && after === 0x2f;
  return (unit === 0x40 || unit === 0x23) && before === 0x20 && charClass[after] === CLASS_UPPER;
}

/** `"name":` names a field; a sentence in quotes before a colon does not. */
function isKey(text: string, from: number, to: number): boolean {
  if (to - from > MAX_KEY) return false;
  for (let at = from; at < to; at++) if (charClass[text.charCodeAt(at)] === CLASS_SPACE) return false;
  return to > from;
}

/** Whether a word between these two units is one of a sentence: behind a blank or `(`, before a blank or one of `,.?!)`. */
function isOfSentence(before: number, after: number): boolean {
  if (before !== 0x20 && before !== 0x28) return false;
  return (
    after === 0x20 || after === 0x2c || after === 0x2e || after === 0x3f || after === 0x21 || after === 0x29
  );
}

/** Counts what stands in [from, to). Words in quotes count for nothing: code has sentences there. */
function countMarks(text: string, from: number, to: number): Marks {
  const marks = new Marks();
  let inQuotes = false;
  let quote = from;
  /** Brackets of calls that are open: their arguments are no words of a sentence. */
  let depth = 0;
  let before = 0x20;
  for (let at = from; at < to; ) {
    const unit = text.charCodeAt(at);
    const kind = charClass[unit]!;
    if (kind === CLASS_LETTER || kind === CLASS_UPPER) {
      const start = at++;
      while (at < to && isWordUnit(text.charCodeAt(at))) at++;
      before = text.charCodeAt(at - 1);
      if (inQuotes || depth > 0) continue;
      const opener = start > from ? text.charCodeAt(start - 1) : 0x20;
      if (!isOfSentence(opener, at < to ? text.charCodeAt(at) : 0x20)) continue;
      marks.words++;
      if (kind === CLASS_UPPER) marks.capitalised++;
      else marks.lowerWords++;
      continue;
    }
    at++;
    if (kind === CLASS_SPACE || kind === CLASS_DIGIT) {
      before = unit;
      continue;
    }
    const after = at < to ? text.charCodeAt(at) : 0;
    if (unit === 0x2f && after === 0x2f && before !== 0x3a) {
      marks.score += 1.5;
      break;
    }
    if (isSkipped(unit, before, after)) {
      while (at < to && charClass[text.charCodeAt(at)] !== CLASS_SPACE) at++;
      before = 0x20;
      continue;
    }
    if (unit === 0x22) {
      inQuotes = !inQuotes;
      if (inQuotes) quote = at;
      else if (after === 0x3a && isKey(text, quote, at - 1)) marks.score += 2.5;
    }
    if (unit === 0x28 && (depth > 0 || isIdent(before))) depth++;
    else if (unit === 0x29 && depth > 0) depth--;
    const weight =
      unit === before
        ? 0
        : unit === after && unit === 0x3d
          ? equality(text, at - 1, to)
          : weigh(unit, before, after);
    if (weight > 0) marks.symbols++;
    marks.score += weight;
    if (isOfName(unit, before, after)) marks.named += weight;
    before = unit;
  }
  return marks;
}

function begins(pattern: RegExp, text: string, at: number): boolean {
  pattern.lastIndex = at;
  return pattern.test(text);
}

/** Words that stand by themselves around the names of things: "Ask Anna about user_id and order_id". */
function isTalk({ words, lowerWords }: Marks, indent: number): boolean {
  return words >= SENTENCE_WORDS && lowerWords >= (indent === 0 ? 1 : 2);
}

/** The kind of the line [from, to), without its line break; `indent` units of blanks stand before `from`. */
export function lineKind(text: string, from: number, to: number, indent: number): LineKind {
  while (to > from && charClass[text.charCodeAt(to - 1)] === CLASS_SPACE) to--;
  if (from >= to) return BLANK;
  const end = Math.min(to, from + LOOKED_AT);
  const note = begins(NOTE, text, from) ? NOTE.lastIndex : from;
  const marks = countMarks(text, note, end);
  const isSentence = marks.lowerWords >= SENTENCE_WORDS || marks.words >= SENTENCE_WORDS * 2;
  let { score } = marks;
  if (score === 0 && isSentence && charClass[text.charCodeAt(from)] !== CLASS_LETTER) return PROSE;
  const line = text.slice(from, end);
  if (begins(QUERY, line, 0)) score += 4;
  else if (begins(DECLARATION, line, 0)) score += 3;
  else if (begins(STATEMENT, line, 0)) score += isSentence ? 1 : 2;
  else if (begins(COMMAND, line, 0)) score += 1.5;
  const last = text.charCodeAt(to - 1);
  if (last === 0x7b || last === 0x28 || last === 0x5b) score += 1;
  if (indent >= 2 && score > 0) score += 0.5;
  if (isSentence) score -= Math.max(1, marks.lowerWords - SENTENCE_WORDS + 1) * 0.6;
  if (isSentence && (last === 0x2e || last === 0x3f || last === 0x21)) score -= 1;
  if (score >= CODE_FROM) return score - marks.named < 1 && isTalk(marks, indent) ? PROSE : CODE;
  if (isSentence || score < 0) return PROSE;
  const isTitle = marks.words >= 2 && marks.capitalised === marks.words && marks.symbols === 0;
  return isTitle && indent === 0 ? PROSE : OPEN;
}
