import { createHash } from 'node:crypto';
import type { JsonObject } from '../../../core/json.js';

const MAX_TERM_UNITS = 200;

/**
 * What a log is found by through its metadata: one term for each top-level key with a string, number, boolean or
 * null. Keys and values of any kind become plain text here, so that one index serves them all.
 */
export function metadataTerms(metadata: JsonObject): string[] {
  const terms: string[] = [];
  for (const key of Object.keys(metadata)) {
    const value = metadata[key];
    if (typeof value !== 'object' || value === null) terms.push(metadataTerm(key, String(value)));
  }
  return terms;
}

/** The term of a key and a value as it is written: `true`, `1.5`, `null` or the string itself. */
export function metadataTerm(key: string, written: string): string {
  const term = JSON.stringify([key, written]);
  if (term.length <= MAX_TERM_UNITS) return term;
  return createHash('sha256').update(term).digest('base64url');
}
