import { describeErrors } from './describe-errors.js';
import type { Validator } from './schema/load-validator.js';
import type { CheckResult } from './validation.js';

/** Parses and validates one output. Throws only the errors of the validator's budget. */
export function checkOutput(validator: Validator, text: string): CheckResult {
  let output: unknown;
  try {
    output = JSON.parse(text);
  } catch (error) {
    return { valid: false, path: '', message: describeSyntaxError(text, error) };
  }
  try {
    if (validator(output)) return { valid: true };
    return { valid: false, ...describeErrors(validator.errors ?? []) };
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return {
      valid: false,
      path: '',
      message: 'the output is nested too deeply to be checked against this schema',
    };
  } finally {
    // Clears the last errors, which would otherwise stay in memory as long as the schema.
    validator.errors = null;
  }
}

/** Says where the text stops being JSON. V8's own message is not used, because it quotes the text. */
function describeSyntaxError(text: string, error: unknown): string {
  const trimmed = text.trimStart();
  if (trimmed === '') return 'the output is empty; JSON was expected';
  if (trimmed.startsWith('```')) return 'the output is not JSON: it is wrapped in a Markdown fence';
  const position = /at position (\d+)/.exec(error instanceof Error ? error.message : '')?.[1];
  if (position !== undefined) return `the output is not JSON: unexpected text at character ${position}`;
  if (/end of JSON/.test(String(error))) return 'the output is not JSON: it ends too early';
  return 'the output is not JSON';
}
