import type { JsonValue } from '../core/json.js';
import { PATTERNS } from './schema-parts.js';

const KEY_PATTERN = new RegExp(PATTERNS.key.pattern);
const VARIABLE_PATTERN = new RegExp(PATTERNS.variable.pattern);

/** Whether a text can stand in a header as a key. */
export function isKeyText(text: string): boolean {
  return KEY_PATTERN.test(text);
}

/** What is wrong with a key that stands in the environment; an empty variable counts as not set. */
export function checkEnvironmentKey(
  variable: JsonValue | undefined,
  env: NodeJS.ProcessEnv,
): string | undefined {
  if (typeof variable !== 'string' || !VARIABLE_PATTERN.test(variable)) return undefined;
  const value = env[variable];
  if (value === undefined || value === '') return `the environment variable ${variable} is not set`;
  if (isKeyText(value)) return undefined;
  return `the environment variable ${variable} does not hold ${PATTERNS.key.expected}`;
}
