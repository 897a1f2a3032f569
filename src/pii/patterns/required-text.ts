/*
 * A text that every match of a pattern holds. Whether a text has it is told by the native engine, some hundred times as
 * fast as RE2 in JavaScript looks for the pattern itself.
 */

import { escapePattern } from '../context-words.js';

/** One of them stands in every match: one for each way of an alternation. */
type Literals = readonly string[];

interface Read {
  /** Undefined where nothing is known of what stands there. */
  literals: Literals | undefined;
  end: number;
}

const REPEAT = /^(?:[?*+]|\{(\d+)(?:,\d*)?\})\??/;
const GROUP_HEAD = /^\(\?(?:P?<\w+>|[a-zA-Z-]*:)?/;
const FLAGS_ALONE = /^\(\?[a-zA-Z-]+\)/;
const CLASS = /^\[\^?\]?(?:\\[\s\S]|\[:\^?\w+:\]|[^\]\\])*\]/;
/** What is one unit of a pattern and stands for more than one letter, or for none. */
const NO_LETTER = /^(?:\\(?:[dDwWsSbBAzC]|[pP](?:\{[^}]*\}|.)|x\{[^}]*\}|x..|[0-7]{1,3}|[aftnrv])|[.^$])/;
const LETTER = /^(?:\\([^\w\s])|([^\\()[\]|?*+.^$]))/u;
/** Beyond these a pattern is looked for at once. */
const MOST_WAYS = 32;
const MOST_UNITS = 2_000;

/**
 * A pattern of the native engine that is linear in the text, for a pattern of RE2: what it does not find in a text
 * cannot be matched there. Undefined where the pattern does not tell.
 */
export function requiredText(pattern: string, ignoresCase: boolean): RegExp | undefined {
  // Quoted text and halves of pairs are rare, and not worth the reading.
  if (pattern.length > MOST_UNITS || pattern.includes('\\Q') || /\p{Surrogate}/u.test(pattern))
    return undefined;
  const { literals, end } = readWays(pattern, 0);
  if (literals === undefined || end < pattern.length) return undefined;
  // A flag somewhere counts for all: more texts may have it then, and none fewer.
  const flags = ignoresCase || /\(\?[a-zA-Z]*i/.test(pattern) ? 'iu' : 'u';
  return new RegExp(literals.map(escapePattern).join('|'), flags);
}

/** From `at` to the end of the group, or of the pattern. */
function readWays(pattern: string, at: number): Read {
  const ways: string[] = [];
  let isKnown = true;
  for (let next = at; ; ) {
    const { literals, end } = readWay(pattern, next);
    if (literals === undefined) isKnown = false;
    else ways.push(...literals);
    if (pattern[end] !== '|') {
      return { literals: isKnown && ways.length <= MOST_WAYS ? ways : undefined, end };
    }
    next = end + 1;
  }
}

/** One way of an alternation. */
function readWay(pattern: string, from: number): Read {
  let best: Literals | undefined;
  let letters = '';
  const keep = (literals: Literals | undefined) => {
    if (literals !== undefined && shortest(literals) > (best === undefined ? 0 : shortest(best)))
      best = literals;
  };
  let at = from;
  while (at < pattern.length && pattern[at] !== '|' && pattern[at] !== ')') {
    const unit = readUnit(pattern, at);
    if (unit === undefined) return { literals: undefined, end: Number.POSITIVE_INFINITY };
    const repeat = REPEAT.exec(pattern.slice(unit.end));
    const isOptional = repeat !== null && (/^[?*]/.test(repeat[0]) || repeat[1] === '0');
    if (unit.letter !== undefined && !isOptional) letters += unit.letter;
    if (unit.letter === undefined || repeat !== null) {
      keep([letters]);
      letters = '';
    }
    if (!isOptional) keep(unit.literals);
    at = unit.end + (repeat?.[0].length ?? 0);
  }
  keep([letters]);
  return { literals: best, end: at };
}

/** A letter, a group, or something of which nothing is known. Undefined for what cannot be read. */
function readUnit(pattern: string, at: number): (Read & { letter?: string }) | undefined {
  const rest = pattern.slice(at);
  const flags = FLAGS_ALONE.exec(rest)?.[0];
  if (flags !== undefined) return { literals: undefined, end: at + flags.length };
  if (rest[0] === '(') {
    const head = GROUP_HEAD.exec(rest)?.[0] ?? '(';
    const { literals, end } = readWays(pattern, at + head.length);
    return pattern[end] === ')' ? { literals, end: end + 1 } : undefined;
  }
  const other = (CLASS.exec(rest) ?? NO_LETTER.exec(rest))?.[0];
  if (other !== undefined) return { literals: undefined, end: at + other.length };
  const letter = LETTER.exec(rest);
  if (letter === null) return undefined;
  return { literals: undefined, letter: letter[1] ?? letter[2], end: at + letter[0].length };
}

/** Units of the shortest, which the most texts have. */
function shortest(literals: Literals): number {
  return Math.min(...literals.map((literal) => literal.length));
}
