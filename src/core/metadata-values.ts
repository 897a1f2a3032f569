import type { JsonValue } from './json.js';

/**
 * Where metadata holds a number that no log can keep, such as `metadata.a.0`: JSON has numbers as large as one likes, and
 * those beyond 1.8e308 would be stored as null. Undefined where it holds none.
 */
export function tooLargeNumber(value: JsonValue, path: string): string | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : path;
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [key, member] of Object.entries(value)) {
    const found = tooLargeNumber(member, `${path}.${key}`);
    if (found !== undefined) return found;
  }
  return undefined;
}
