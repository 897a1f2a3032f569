import { createHash } from 'node:crypto';
import type { JsonObject, JsonValue } from '../../../core/json.js';

/*
 * How a log is found by its metadata. Most of the metadata is in the tags, which are made from it. So a key with its value is
 * searched for among the tags and checked in the metadata. What the tags do not contain, or no longer contain, becomes terms
 * of the log, with an index of their own.
 */

const MAX_TERM_UNITS = 200;
/** Keys that MongoDB would read as a path or operator, or does not allow. The empty key gives no tag. */
const UNNAMED = /^$|^\$|[.\0]/;

/**
 * The terms that a log with these tags needs. `isPacked` says that its metadata is stored as text, which queries cannot read.
 */
export function termsBesideTags(metadata: JsonObject, tags: readonly string[], isPacked: boolean): string[] {
  if (isPacked) return metadataTerms(metadata);
  const known = new Set(tags);
  return termsOf(metadata, (key, value) => {
    const tag = value === null ? undefined : tagOf(key, String(value));
    return tag === undefined || !known.has(tag);
  });
}

/** All terms of a log, for any tags: one for each top-level key with a string, number, boolean or null. */
export function metadataTerms(metadata: JsonObject): string[] {
  return termsOf(metadata, () => true);
}

function termsOf(metadata: JsonObject, isTerm: (key: string, value: JsonValue) => boolean): string[] {
  const terms: string[] = [];
  for (const key of Object.keys(metadata)) {
    const value = metadata[key]!;
    if ((typeof value !== 'object' || value === null) && isTerm(key, value)) {
      terms.push(metadataTerm(key, String(value)));
    }
  }
  return terms;
}

/**
 * The term of a key and a value as text: `true`, `1.5`, `null` or the string itself. Keys and values of any kind
 * become plain text, so that one index serves them all.
 */
export function metadataTerm(key: string, written: string): string {
  const term = JSON.stringify([key, written]);
  if (term.length <= MAX_TERM_UNITS) return term;
  return createHash('sha256').update(term).digest('base64url');
}

/** The tag with the same meaning. Undefined where a query cannot name the key, so that no tag stands for it. */
export function tagOf(key: string, written: string): string | undefined {
  return UNNAMED.test(key) ? undefined : `${key}:${written}`;
}

/** The prefix of a former tag that may have stood for metadata. No other term begins with it. */
export const FORMER = '#';

/** A number in JSON. */
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** The values that are written with this text. */
export function valuesWritten(written: string): (string | number | boolean)[] {
  if (written === 'true' || written === 'false') return [written, written === 'true'];
  return NUMBER.test(written) && Number.isFinite(Number(written)) ? [written, Number(written)] : [written];
}

/** The spellings in tags and terms. There, `1.0` and `1e0` are both `1`. */
export function spellings(written: string): string[] {
  return [...new Set(valuesWritten(written).map(String))];
}
