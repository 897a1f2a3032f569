import type { JsonValue } from '../core/json.js';
import { PATTERNS } from './schema-parts.js';

const KEY_PATTERN = new RegExp(PATTERNS.key.pattern);
const VARIABLE_PATTERN = new RegExp(PATTERNS.variable.pattern);

/** Whether a text can be sent as a key in a header. */
export function isKeyText(text: string): boolean {
  return KEY_PATTERN.test(text);
}

/** Says why a key in an environment variable is not valid. An empty variable counts as not set. */
export function checkEnvironmentKey(
  variable: JsonValue | undefined,
  lookUp: (variable: string) => string | undefined,
): string | undefined {
  if (typeof variable !== 'string' || !VARIABLE_PATTERN.test(variable)) return undefined;
  const value = lookUp(variable);
  if (value === undefined || value === '') return `the environment variable ${variable} is not set`;
  if (isKeyText(value)) return undefined;
  return `the environment variable ${variable} does not hold ${PATTERNS.key.expected}`;
}
