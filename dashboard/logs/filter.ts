import { formatDuration, formatExactly, formatMoment } from '../ui/format.ts';
import { statusLabel } from '../ui/status.tsx';

/*
 * A filter of logs is the query of the API, which is also the query in the address of the page. This file has its
 * parts with their names for people.
 */

export interface FilterField {
  /** The name of the API's parameter. */
  name: string;
  /** What people write before the colon. */
  word: string;
  what: string;
  /** Whether it can have several values. */
  several: boolean;
  /** The kind of value; undefined for text. People write a duration with its unit, and the API takes milliseconds. */
  unit?: 'duration' | 'number' | 'boolean';
  values?: readonly string[];
}

export const FIELDS: FilterField[] = [
  { name: 'tags_all', word: 'tag', what: 'has this tag', several: true },
  { name: 'tags_any', word: 'any-tag', what: 'has one of these tags', several: true },
  { name: 'tags_none', word: 'not-tag', what: 'has none of these tags', several: true },
  { name: 'endpoint', word: 'endpoint', what: 'went to this endpoint', several: true },
  {
    name: 'model',
    word: 'model',
    what: 'was answered by this model or provider, or failed there last',
    several: true,
  },
  {
    name: 'failed_model',
    word: 'failed-at',
    what: 'failed at this model or provider, even if another model answered afterwards',
    several: true,
  },
  {
    name: 'status',
    word: 'status',
    what: 'ended with this status',
    several: true,
    values: ['success', 'rejected', 'invalid_output', 'error', 'aborted'],
  },
  { name: 'key', word: 'key', what: 'was sent with the key of this name', several: true },
  {
    name: 'min_duration_ms',
    word: 'slower-than',
    what: 'took at least this long',
    several: false,
    unit: 'duration',
    values: ['1s', '5s', '10s', '30s'],
  },
  {
    name: 'max_duration_ms',
    word: 'faster-than',
    what: 'took at most this long',
    several: false,
    unit: 'duration',
    values: ['100ms', '500ms', '1s'],
  },
  {
    name: 'min_first_token_ms',
    word: 'first-token',
    what: 'waited at least this long for the first token',
    several: false,
    unit: 'duration',
    values: ['500ms', '1s', '3s'],
  },
  {
    name: 'min_cost',
    word: 'min-cost',
    what: 'cost at least this many US dollars',
    several: false,
    unit: 'number',
    values: ['0.01', '0.1', '1'],
  },
  {
    name: 'min_tokens',
    word: 'min-tokens',
    what: 'used at least this many tokens',
    several: false,
    unit: 'number',
    values: ['1000', '10000', '100000'],
  },
  {
    name: 'min_attempts',
    word: 'min-attempts',
    what: 'tried at least this many models',
    several: false,
    unit: 'number',
    values: ['2', '3'],
  },
  { name: 'finding', word: 'finding', what: 'has a finding of this type, such as PERSON', several: true },
  { name: 'session', word: 'session', what: 'has this session_id in its metadata', several: true },
  {
    name: 'api',
    word: 'api',
    what: 'was sent to this API',
    several: true,
    values: [
      'openai.chat',
      'openai.responses',
      'anthropic.messages',
      'gemini.generate',
      'openai.completions',
      'openai.embeddings',
      'openai.moderations',
    ],
  },
  {
    name: 'stream',
    word: 'stream',
    what: 'asked for a stream',
    several: false,
    unit: 'boolean',
    values: ['true', 'false'],
  },
  { name: 'error_code', word: 'error', what: 'failed with this code', several: true },
  {
    name: 'fallback_reason',
    word: 'fallback',
    what: 'moved to the next model for this reason',
    several: true,
    values: ['invalid_output', 'connect', 'timeout', 'rate_limited', 'server_error'],
  },
  { name: 'rejected_by', word: 'rejected-by', what: 'was rejected by this plugin', several: true },
  {
    name: 'quality_rating',
    word: 'rating',
    what: 'has this rating',
    several: true,
    values: ['👍', '👎'],
  },
  {
    name: 'has_feedback',
    word: 'feedback',
    what: 'has feedback',
    several: false,
    unit: 'boolean',
    values: ['true', 'false'],
  },
  {
    name: 'min_score',
    word: 'min-score',
    what: 'has at least this score, from −1 to 1',
    several: false,
    unit: 'number',
  },
  {
    name: 'max_score',
    word: 'max-score',
    what: 'has at most this score, from −1 to 1',
    several: false,
    unit: 'number',
  },
  { name: 'from', word: 'from', what: 'came at or after this time', several: false },
  { name: 'to', word: 'to', what: 'came before this time', several: false },
  {
    name: 'client_request_id',
    word: 'request-id',
    what: 'has this x-client-request-id',
    several: true,
  },
  { name: 'q', word: 'words', what: 'contains all these words', several: false },
];

const METADATA = 'metadata.';

function isFilterName(name: string): boolean {
  return name.startsWith(METADATA) || FIELDS.some((field) => field.name === name);
}

/** The filter in an address, without the other parts of its query. */
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

/** A condition in the words that its chip shows. */
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
  if (field?.unit === 'duration') {
    return { word, value: formatDuration(Number(value)), title: `${value} ms: ${field.what}` };
  }
  const shown = name === 'status' ? statusLabel(value) : value;
  return { word, value: shown, title: `${value}: ${field?.what ?? ''}` };
}

export type Condition = [name: string, value: string];

/** A condition whose value is in quotes, or a single word. */
const PIECE = /[^\s"]*"[^"]*"|\S+/g;

/**
 * Reads a text of the search field: conditions, and words to search for. A value with spaces is in quotes: `tag:"a b"
 * status:error refund`.
 */
export function readConditions(text: string): Condition[] {
  const conditions: Condition[] = [];
  const words: string[] = [];
  for (const [piece] of text.matchAll(PIECE)) {
    const condition = readCondition(piece.replaceAll('"', ''));
    if (condition === undefined) continue;
    if (condition[0] === 'q') words.push(condition[1]);
    else conditions.push(condition);
  }
  return words.length === 0 ? conditions : [...conditions, ['q', words.join(' ')]];
}

/** Reads a single condition whose value may contain anything: `tag:x`, `metadata.user=7`, or words to search for. */
export function readCondition(text: string): Condition | undefined {
  const trimmed = text.trim();
  if (trimmed === '') return undefined;
  const metadata = /^(metadata\.[^=]+)=(.*)$/s.exec(trimmed);
  if (metadata) return [metadata[1] as string, metadata[2] as string];
  const colon = trimmed.indexOf(':');
  const field = FIELDS.find(({ word }) => word === trimmed.slice(0, colon));
  if (colon === -1 || field === undefined) return ['q', trimmed];
  const value = trimmed.slice(colon + 1).trim();
  if (value === '') return undefined;
  if (field.unit === 'duration') {
    const ms = readDuration(value);
    return ms === undefined ? undefined : [field.name, String(ms)];
  }
  if (field.unit === 'number' && Number.isNaN(Number(value))) return undefined;
  if (field.name === 'from' || field.name === 'to') {
    const moment = readMoment(value);
    return moment === undefined ? undefined : [field.name, moment];
  }
  return [field.name, value];
}

const DURATION_UNITS_MS: Record<string, number> = { ms: 1, s: 1000, m: 60_000 };

/** The milliseconds of `500ms`, `2s` or `1m`. A number without a unit is milliseconds. */
function readDuration(text: string): number | undefined {
  const [, number, unit = 'ms'] = /^(\d+(?:\.\d+)?)(ms|s|m)?$/.exec(text) ?? [];
  return number === undefined ? undefined : Math.round(Number(number) * (DURATION_UNITS_MS[unit] as number));
}

const UNITS_MS: Record<string, number> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

/** `15m`, `24h` and `7d` mean that long before now; any other text must be a date. */
export function readMoment(text: string, now = Date.now()): string | undefined {
  const ago = /^(\d{1,6})([mhd])$/.exec(text);
  if (ago) return new Date(now - Number(ago[1]) * (UNITS_MS[ago[2] as string] as number)).toISOString();
  const date = new Date(text);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}

export const MOMENT_CHOICES = ['15m', '1h', '24h', '7d', '30d'] as const;

/** The filter in the form of a request body. */
export function filterBody(filter: URLSearchParams): Record<string, unknown> {
  const body: Record<string, unknown> = {};
  for (const name of new Set(filter.keys())) {
    const values = filter.getAll(name);
    const field = FIELDS.find((one) => one.name === name);
    if (field === undefined || field.several) body[name] = values;
    else if (field.unit === 'boolean') body[name] = values[0] === 'true';
    else if (field.unit !== undefined) body[name] = Number(values[0]);
    else body[name] = values[0];
  }
  return body;
}
