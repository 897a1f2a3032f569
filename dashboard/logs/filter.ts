import { formatExactly, formatMoment } from '../ui/format.ts';
import { statusLabel } from '../ui/status.tsx';

/*
 * A filter of logs is the query that the API takes, in the address of the page too. Here are its parts with
 * their names for people.
 */

export interface FilterField {
  /** The API's parameter. */
  name: string;
  /** What people write before a colon. */
  word: string;
  what: string;
  /** Several values may be given. */
  several: boolean;
  values?: readonly string[];
}

export const FIELDS: FilterField[] = [
  { name: 'tags_all', word: 'tag', what: 'has this tag', several: true },
  { name: 'tags_any', word: 'any-tag', what: 'has one of these tags', several: true },
  { name: 'tags_none', word: 'not-tag', what: 'has none of these tags', several: true },
  { name: 'endpoint', word: 'endpoint', what: 'went to this endpoint', several: true },
  { name: 'model', word: 'model', what: 'was answered by this provider/model', several: true },
  {
    name: 'status',
    word: 'status',
    what: 'ended so',
    several: true,
    values: ['success', 'rejected', 'invalid_output', 'error', 'aborted'],
  },
  { name: 'error_code', word: 'error', what: 'failed with this code', several: true },
  {
    name: 'fallback_reason',
    word: 'fallback',
    what: 'left a model for this reason',
    several: true,
    values: ['invalid_output', 'connect', 'timeout', 'rate_limited', 'server_error'],
  },
  { name: 'rejected_by', word: 'rejected-by', what: 'was rejected by this plugin', several: true },
  { name: 'quality_rating', word: 'rating', what: 'is rated so', several: true, values: ['👍', '👎'] },
  {
    name: 'has_feedback',
    word: 'feedback',
    what: 'has any feedback',
    several: false,
    values: ['true', 'false'],
  },
  { name: 'min_score', word: 'min-score', what: 'score from −1 to 1, at least', several: false },
  { name: 'max_score', word: 'max-score', what: 'score from −1 to 1, at most', several: false },
  { name: 'from', word: 'from', what: 'since this moment', several: false },
  { name: 'to', word: 'to', what: 'before this moment', several: false },
  { name: 'client_request_id', word: 'request-id', what: "the client's x-client-request-id", several: true },
  { name: 'q', word: 'words', what: 'has all these words', several: false },
];

const METADATA = 'metadata.';

function isFilterName(name: string): boolean {
  return name.startsWith(METADATA) || FIELDS.some((field) => field.name === name);
}

/** The filter of an address: what else stands there is no part of it. */
export function filterOf(query: URLSearchParams): URLSearchParams {
  return new URLSearchParams([...query].filter(([name, value]) => isFilterName(name) && value !== ''));
}

export function withCondition(filter: URLSearchParams, name: string, value: string): URLSearchParams {
  const next = new URLSearchParams(filter);
  const field = FIELDS.find((one) => one.name === name);
  if (field?.several === false) next.set(name, value);
  else if (!next.getAll(name).includes(value)) next.append(name, value);
  return next;
}

export function withoutCondition(filter: URLSearchParams, name: string, value: string): URLSearchParams {
  return new URLSearchParams([...filter].filter((one) => one[0] !== name || one[1] !== value));
}

/** A condition as a chip shows it. */
export function describeCondition(
  name: string,
  value: string,
): { word: string; value: string; title: string } {
  if (name.startsWith(METADATA))
    return { word: name.slice(METADATA.length), value, title: `${name} = ${value}` };
  const field = FIELDS.find((one) => one.name === name);
  const word = field?.word ?? name;
  const isMoment = name === 'from' || name === 'to';
  if (isMoment && !Number.isNaN(Date.parse(value))) {
    return { word, value: formatMoment(value), title: formatExactly(value) };
  }
  const shown = name === 'status' ? statusLabel(value) : value;
  return { word, value: shown, title: `${value}: ${field?.what ?? ''}` };
}

/** What was written into the search field as a condition: `tag:x`, `metadata.user=7`, or words to look for. */
export function readCondition(text: string): [name: string, value: string] | undefined {
  const trimmed = text.trim();
  if (trimmed === '') return undefined;
  const metadata = /^(metadata\.[^=]+)=(.*)$/s.exec(trimmed);
  if (metadata) return [metadata[1] as string, metadata[2] as string];
  const colon = trimmed.indexOf(':');
  const field = FIELDS.find(({ word }) => word === trimmed.slice(0, colon));
  if (colon === -1 || field === undefined) return ['q', trimmed];
  const value = trimmed.slice(colon + 1).trim();
  if (value === '') return undefined;
  if (field.name === 'from' || field.name === 'to') {
    const moment = readMoment(value);
    return moment === undefined ? undefined : [field.name, moment];
  }
  return [field.name, value];
}

const UNITS_MS: Record<string, number> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

/** `15m`, `24h` and `7d` count back from now; anything else is a date. */
export function readMoment(text: string, now = Date.now()): string | undefined {
  const ago = /^(\d{1,6})([mhd])$/.exec(text);
  if (ago) return new Date(now - Number(ago[1]) * (UNITS_MS[ago[2] as string] as number)).toISOString();
  const date = new Date(text);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}

export const MOMENT_CHOICES = ['15m', '1h', '24h', '7d', '30d'] as const;

/** The filter as bodies of requests have it. */
export function filterBody(filter: URLSearchParams): Record<string, unknown> {
  const body: Record<string, unknown> = {};
  for (const name of new Set(filter.keys())) {
    const values = filter.getAll(name);
    const field = FIELDS.find((one) => one.name === name);
    if (field === undefined || field.several) body[name] = values;
    else if (name === 'has_feedback') body[name] = values[0] === 'true';
    else if (name.endsWith('_score')) body[name] = Number(values[0]);
    else body[name] = values[0];
  }
  return body;
}
