import type { JsonObject, JsonValue } from '../core/json.js';
import { PATTERNS } from './schema-parts.js';

const KEY_PATTERN = new RegExp(PATTERNS.key.pattern);
const VARIABLE_PATTERN = new RegExp(PATTERNS.variable.pattern);

/** Where credentials come from. */
export interface KeySources {
  /** The value of an environment variable. */
  variable(name: string): string | undefined;
  /** The key in the file with this path (as it is written), or what is wrong with it. */
  keyOf(written: string): { key: string } | { mistake: string };
}

/**
 * For a command that needs no credentials: each one counts as given. Different variables and files give different texts, because
 * the rules compare them.
 */
export const UNREAD_KEYS: KeySources = {
  variable: (name) => `unread-${name}`,
  keyOf: (written) => ({ key: `unread-${written}` }),
};

/** The three ways to give a key: the text itself, an environment variable, or a file. */
const KEY_FIELDS = ['key', 'key_env', 'key_file'] as const;
type KeyField = (typeof KEY_FIELDS)[number];

export const EXPECTED_KEY = 'expected `key`, `key_env` or `key_file`';

/** The field that gives the key; undefined where there is none. */
export function keyFieldOf(written: JsonObject): KeyField | undefined {
  return KEY_FIELDS.find((field) => written[field] !== undefined);
}

/** The text of the key; undefined where it is missing or not valid. */
export function keyTextOf(written: JsonObject, { variable, keyOf }: KeySources): string | undefined {
  const { key, key_env, key_file } = written;
  if (key !== undefined) return typeof key === 'string' ? key : undefined;
  if (key_env !== undefined) return typeof key_env === 'string' ? variable(key_env) || undefined : undefined;
  if (typeof key_file !== 'string') return undefined;
  const found = keyOf(key_file);
  return 'key' in found ? found.key : undefined;
}

/** What is wrong with how a key is given: several ways at once, or a variable or file without a key. */
export function checkWrittenKey(
  written: JsonObject,
  { variable, keyOf }: KeySources,
): { field: KeyField; message: string } | undefined {
  const [field, second] = KEY_FIELDS.filter((name) => written[name] !== undefined);
  if (field === undefined) return undefined;
  if (second !== undefined) {
    return { field: second, message: `${EXPECTED_KEY}, found \`${field}\` and \`${second}\`` };
  }
  if (field === 'key_env') {
    const message = checkEnvironmentKey(written.key_env, variable);
    return message === undefined ? undefined : { field, message };
  }
  if (field !== 'key_file' || typeof written.key_file !== 'string') return undefined;
  const found = keyOf(written.key_file);
  return 'mistake' in found ? { field, message: found.mistake } : undefined;
}

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
