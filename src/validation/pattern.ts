import { RE2JS, RE2JSException } from 're2js';
import type { Budget } from './budget.js';
import { NotTranslatable, translatePattern } from './translate-pattern.js';

/** A `pattern` of a schema, ready to be tried on a text. */
export interface Pattern {
  /** `native` backtracks: its time has no bound. */
  engine: 'linear' | 'native';
  /** Size of the linear program, 0 for a native pattern. */
  instructions: number;
  test(text: string): boolean;
  /** Must differ between patterns: ajv takes patterns that print alike for the same. */
  toString(): string;
}

/**
 * Prepares a pattern, in the linear-time engine where that can say the same, else in the native one. Throws
 * a SyntaxError for what is no regular expression.
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
    test(text) {
      budget.spend(100 + text.length * (4 + instructions / 4));
      return linear.test(text);
    },
    toString: () => printed,
  };
}

/**
 * JSON Schema asks for Unicode patterns. Many schemas escape more than the `u` flag allows (`\_`, `\@`, `\-`);
 * these are spelt as it wants them, and what is valid only without the flag is taken without it.
 */
function nativeExpression(source: string): RegExp {
  for (const candidate of [source, source.replace(/\\(.)/gsu, withoutNeedlessEscape)]) {
    try {
      return new RegExp(candidate, 'u');
    } catch {
      // The next spelling, or the engine's own complaint below.
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
    return RE2JS.compile(translatePattern(source));
  } catch (error) {
    if (error instanceof NotTranslatable || error instanceof RE2JSException) return undefined;
    throw error;
  }
}
