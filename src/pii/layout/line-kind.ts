/**
 * Says whether a line is prose or source code, from the marks and words in that line alone and from its beginning.
 * JSON, SQL, shell, markup and stack traces count as code: in all of them names stand in quotes, in comments or
 * between tags.
 */
import { CLASS_LETTER, CLASS_SPACE, charClass } from '../model/characters.js';
import { countMarks, type Marks } from './line-marks.js';

export const PROSE = 0;
export const CODE = 1;
/** The line itself does not show its kind. It takes the kind of the lines around it. */
export const OPEN = 2;
export const BLANK = 3;
export type LineKind = typeof PROSE | typeof CODE | typeof OPEN | typeof BLANK;

/** Of a longer line only this many UTF-16 units are examined. */
const LOOKED_AT = 400;
/** With this many words in lower case a line counts as a sentence. */
const SENTENCE_WORDS = 4;
const CODE_FROM = 2;

/** Words that begin a line of code but hardly ever a sentence. */
const KEYWORD =
  'elif|elsif|elseif|typedef|const|constexpr|func|fn|impl|pub|def|nonlocal|extern|struct|enum|namespace|defer|chan|unset|esac|' +
  'endif|goto|boolean|u?int\\d*(?:_t)?|size_t|uintptr|async|await|foreach|inline|volatile|unsigned|ifdef|ifndef|fi';
const DECLARATION = new RegExp(
  `(?:(?:${KEYWORD})(?![\\w'-])|for \\w+(?:, ?\\w+)* in .{1,80}:$|(?:except|with) .{1,80} as \\w+:$)`,
  'y',
);
/** Words that begin either a line of code or a sentence. What follows decides. */
const WORD =
  'import|from|export|package|class|public|private|protected|static|final|abstract|override|virtual|let|var|val|auto|interface|' +
  'trait|module|mod|use|using|type|local|my|our|declare|readonly|except|yield|throw|throws|new|delete|assert|raise|void|char|' +
  'bool|double|float|long|short|byte|string|lambda|global|return|if|while|for|switch|catch|with|case|function|sub|do|try|else|until|unless';
/** Beginnings of lines that are code in any programming language. */
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

function begins(pattern: RegExp, line: string): boolean {
  pattern.lastIndex = 0;
  return pattern.test(line);
}

/** Whether the line is a sentence about names from code: "Ask Anna about user_id and order_id". */
function isTalk({ words, lowerWords }: Marks, indent: number): boolean {
  return words >= SENTENCE_WORDS && lowerWords >= (indent === 0 ? 1 : 2);
}

/** The kind of the line [from, to), without its line break. It is indented by `indent` units. */
export function lineKind(text: string, from: number, to: number, indent: number): LineKind {
  while (to > from && charClass[text.charCodeAt(to - 1)] === CLASS_SPACE) to--;
  if (from >= to) return BLANK;
  const end = Math.min(to, from + LOOKED_AT);
  const marks = countMarks(text, from, end);
  const isSentence = marks.lowerWords >= SENTENCE_WORDS || marks.words >= SENTENCE_WORDS * 2;
  let { score } = marks;
  if (score === 0 && isSentence && charClass[text.charCodeAt(from)] !== CLASS_LETTER) return PROSE;
  const line = text.slice(from, end);
  if (begins(QUERY, line)) score += 4;
  else if (begins(DECLARATION, line)) score += 3;
  else if (begins(STATEMENT, line)) score += isSentence ? 1 : 2;
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
