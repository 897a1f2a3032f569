import { RE2JS, RE2JSException } from 're2js';
import type { Budget } from './budget.js';
import { NotTranslatable, translatePattern } from './translate-pattern.js';

/** A `pattern` of a schema, ready to be tested on a text. */
export interface Pattern {
  /** The engine that runs it. `native` backtracks, so its time has no limit. */
  engine: 'linear' | 'native';
  /** The size of the linear program; 0 for a native pattern. */
  instructions: number;
  test(text: string): boolean;
  /**
   * The text that identifies it. It must differ between patterns, because ajv treats patterns with the same text as equal.
   */
  toString(): string;
}

/**
 * The most memory of a pattern's cache of states, in bytes. Beyond it, the pattern becomes slower. The engine's default is 8
 * MB.
 */
export const PATTERN_BYTES = 262_144;

/**
 * Prepares a pattern, in the linear-time engine where that can express it, else in the native one. Throws a
 * SyntaxError where it is not a regular expression.
 */
export function createPattern(source: string, budget: Budget): Pattern {
  const native = nativeExpression(source);
  const linear = native.unicode ? linearExpression(native.source) : undefined;
  const printed = `/${source}/`;
  if (linear === undefined) {
    return { engine: 'native', instructions: 0, test: (text) => native.test(text), toString: () => printed };
  }
  const instructions = linear.programSize();
  return {
    engine: 'linear',
    instructions,
    test: (text) => budget.run(worstUs(text, instructions), () => linear.test(text)),
    toString: () => printed,
  };
}

/**
 * JSON Schema asks for Unicode patterns. Many schemas escape more than the `u` flag allows (`\_`, `\@`, `\-`); these
 * are rewritten, and a pattern that is only valid without the flag is used without it.
 */
function nativeExpression(source: string): RegExp {
  for (const candidate of [source, source.replace(/\\(.)/gsu, withoutNeedlessEscape)]) {
    try {
      return new RegExp(candidate, 'u');
    } catch {
      // Tries the next spelling; the engine's own error is thrown below.
    }
  }
  return new RegExp(source);
}

function withoutNeedlessEscape(escaped: string, character: string): string {
  if (/[A-Za-z0-9^$\\.*+?()[\]{}|/]/.test(character)) return escaped;
  return `\\u{${(character.codePointAt(0) as number).toString(16)}}`;
}

function linearExpression(source: string): RE2JS | undefined {
  try {
    const linear = RE2JS.compile(translatePattern(source));
    const { dfa } = linear.re2();
    dfa.maxMem = dfa.stateBudget = dfa.memBudget = PATTERN_BYTES;
    return linear;
  } catch (error) {
    if (error instanceof NotTranslatable || error instanceof RE2JSException) return undefined;
    throw error;
  }
}

/** The worst case in microseconds. Linear time has a large factor where each character leads to a new state. */
function worstUs(text: string, instructions: number): number {
  return text.length * (1 + 0.3 * instructions);
}
