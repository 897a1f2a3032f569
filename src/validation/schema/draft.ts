import { isJsonObject, type JsonValue } from '../../core/json.js';

/** The supported drafts of JSON Schema, and the `$schema` by which ajv knows each. */
export const DRAFTS = {
  '2020-12': 'https://json-schema.org/draft/2020-12/schema',
  '2019-09': 'https://json-schema.org/draft/2019-09/schema',
  '07': 'http://json-schema.org/draft-07/schema',
} as const;

export type Draft = keyof typeof DRAFTS;

export const DRAFTS_TEXT = 'drafts 2020-12 (the default), 2019-09 and 07 are supported';

/** The draft that a schema names, 2020-12 where it names none, undefined for an unsupported one. */
export function draftOf(schema: JsonValue): Draft | undefined {
  if (!isJsonObject(schema) || schema.$schema === undefined) return '2020-12';
  if (typeof schema.$schema !== 'string') return undefined;
  const named = withoutScheme(schema.$schema);
  for (const [draft, url] of Object.entries(DRAFTS)) {
    if (withoutScheme(url) === named) return draft as Draft;
  }
  return undefined;
}

/** The URL without its scheme, because `http` and `https`, with and without an empty fragment, mean the same draft. */
function withoutScheme(url: string): string {
  return url.replace(/^https?:\/\//, '').replace(/#$/, '');
}
