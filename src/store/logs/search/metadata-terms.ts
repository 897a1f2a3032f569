import { createHash } from 'node:crypto';
import type { JsonObject, JsonValue } from '../../../core/json.js';

/*
 * What a log is found by through its metadata. Most of it stands in its tags already, which are made from the metadata
 * when the log is: so a key and its value are looked for among the tags, and in the metadata of what is found. What the
 * tags do not say, or do not say any more, are terms of the log's own, which have an index of their own.
 */

const MAX_TERM_UNITS = 200;
/** Keys that MongoDB would read as a path or an operator, or cannot have; the empty one makes no tag. */
const UNNAMED = /^$|^\$|[.\0]/;

/** The terms that a log with these tags needs. `isPacked` where its metadata is text, which no query looks into. */
export function termsBesideTags(metadata: JsonObject, tags: readonly string[], isPacked: boolean): string[] {
  if (isPacked) return metadataTerms(metadata);
  const known = new Set(tags);
  return termsOf(metadata, (key, value) => {
    const tag = value === null ? undefined : tagOf(key, String(value));
    return tag === undefined || !known.has(tag);
  });
}

/** All terms of a log, for whatever tags: one for each top-level key with a string, number, boolean or null. */
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
 * The term of a key and a value as it is written: `true`, `1.5`, `null` or the string itself. Keys and values of any kind
 * become plain text here, so that one index serves them all.
 */
export function metadataTerm(key: string, written: string): string {
  const term = JSON.stringify([key, written]);
  if (term.length <= MAX_TERM_UNITS) return term;
  return createHash('sha256').update(term).digest('base64url');
}

/** The tag that says the same. Undefined where a query cannot name the key: then no tag stands for it. */
export function tagOf(key: string, written: string): string | undefined {
  return UNNAMED.test(key) ? undefined : `${key}:${written}`;
}

/** Ahead of a tag that a log had, and that may have stood for its metadata. No other term begins so. */
export const FORMER = '#';

/** A number as JSON has it. */
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** The values that are written so. */
export function valuesWritten(written: string): (string | number | boolean)[] {
  if (written === 'true' || written === 'false') return [written, written === 'true'];
  return NUMBER.test(written) && Number.isFinite(Number(written)) ? [written, Number(written)] : [written];
}

/** How tags and terms write them: `1.0` and `1e0` are the number that they call `1`. */
export function spellings(written: string): string[] {
  return [...new Set(valuesWritten(written).map(String))];
}
