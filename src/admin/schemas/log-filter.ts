import type { Static, TSchema } from 'typebox';
import { DIALECT_IDS } from '../../core/dialect-ids.js';
import type { ErrorDetail } from '../../core/errors.js';
import { Type } from '../../core/schema-type.js';
import { FALLBACK_REASONS } from '../../core/settings.js';
import type { LogFilter } from '../../store/logs/search/log-filter.js';
import { wordsOf } from '../../store/logs/search/words.js';
import { invalidRequest } from '../http/errors.js';
import { readMoment } from '../http/moments.js';
import { oneOf, strictObject } from './common.js';
import { QUALITY_RATINGS, STATUSES } from './logs.js';

/** The most values of one filter, because MongoDB looks up each of them. */
const MAX_VALUES = 50;
const MAX_WORDS = 20;

const several = (description: string) =>
  Type.Optional(Type.Array(Type.String(), { minItems: 1, maxItems: MAX_VALUES, description }));
const moment = (description: string) =>
  Type.Optional(
    Type.Unsafe<string>({
      type: 'string',
      anyOf: [{ format: 'date-time' }, { format: 'date' }],
      description: `${description} Without an offset it is UTC.`,
    }),
  );

const least = (description: string) => Type.Optional(Type.Number({ minimum: 0, description }));

const METADATA_PREFIX = 'metadata.';
const SESSION_KEY = 'session_id';

/** All filters of logs. A log must match every filter, with one of the filter's values. */
export const filterProperties = {
  tags_any: several('At least one of these tags.'),
  tags_all: several('All of these tags.'),
  tags_none: several('None of these tags.'),
  model: several(
    '`provider/model` that answered, or that was tried last where none answered; a provider alone stands for all of its ' +
      'models.',
  ),
  failed_model: several(
    '`provider/model`, or a provider alone, where a try failed, whether or not another model answered afterwards.',
  ),
  endpoint: several('The name of the endpoint.'),
  status: Type.Optional(Type.Array(oneOf(STATUSES), { minItems: 1, description: 'How it ended.' })),
  quality_rating: Type.Optional(Type.Array(oneOf(QUALITY_RATINGS), { minItems: 1 })),
  has_feedback: Type.Optional(Type.Boolean({ description: 'Whether there is any feedback.' })),
  min_score: Type.Optional(Type.Number({ minimum: -1, maximum: 1 })),
  max_score: Type.Optional(Type.Number({ minimum: -1, maximum: 1 })),
  client_request_id: several("The client's `x-client-request-id`."),
  error_code: several('The code of its error.'),
  fallback_reason: Type.Optional(
    Type.Array(oneOf(FALLBACK_REASONS), {
      minItems: 1,
      description: 'Why a model was left for the next one.',
    }),
  ),
  rejected_by: several('A plugin that rejected it.'),
  key: several('The name of the key that asked.'),
  finding: several('A type of what plugins found, such as `PERSON`.'),
  session: several(
    'A session: the value of `session_id` in the metadata, or of the key that `session_key` names.',
  ),
  session_key: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'The key of the metadata that names a session.',
    }),
  ),
  api: Type.Optional(
    Type.Array(oneOf(DIALECT_IDS), { minItems: 1, description: 'The API that was called.' }),
  ),
  stream: Type.Optional(Type.Boolean({ description: 'Whether a stream was asked for.' })),
  min_duration_ms: least('It took so many milliseconds, or more.'),
  max_duration_ms: least('It took so many milliseconds, or less.'),
  min_first_token_ms: least('Its first token came after so many milliseconds, or later.'),
  min_cost: least('It cost so many US dollars, or more.'),
  min_tokens: least('It used so many tokens, input and output together, or more.'),
  min_attempts: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 100, description: 'So many models were tried, or more.' }),
  ),
  from: moment('From this moment on.'),
  to: moment('Before this moment.'),
  q: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 1000,
      description: 'Words that all stand in the request or its answer.',
    }),
  ),
};

const scalar = { type: ['string', 'number', 'boolean', 'null'] };

/** Filters by metadata: in `metadata.<key>`, the key is everything after the first dot. */
export const metadataPattern = {
  '^metadata\\.': {
    type: 'array',
    items: { type: 'string' },
    minItems: 1,
    maxItems: MAX_VALUES,
    description: 'A value of this top-level key of the metadata.',
  },
};

/** The filters in the form of a body: a single value needs no list, and metadata may have values of any type. */
export const bodyFilterSchema = strictObject(
  Object.fromEntries(
    Object.entries(filterProperties).map(([name, schema]) => [
      name,
      'items' in schema ? Type.Optional(Type.Union([schema.items as TSchema, schema as TSchema])) : schema,
    ]),
    // TypeScript does not follow the mapping of the members.
  ) as unknown as typeof filterProperties,
  {
    patternProperties: {
      '^metadata\\.': {
        anyOf: [scalar, { type: 'array', items: scalar, minItems: 1, maxItems: MAX_VALUES }],
        description: 'A value of this top-level key of the metadata.',
      },
    },
    description: 'The filters of the list of logs. `{}` is all logs.',
  },
);

/** Reads the filter of a body. Throws `invalid_request`. `place` is put before the names of wrong members. */
export function readBodyFilter(filter: Static<typeof bodyFilterSchema>, place = 'filter.'): LogFilter {
  const parameters = Object.entries(filter).map(([name, value]): [string, unknown] => {
    if (name.startsWith(METADATA_PREFIX)) return [name, [value].flat().map(String)];
    const isList = 'items' in (filterProperties[name as keyof typeof filterProperties] as object);
    return [name, isList ? [value].flat() : value];
  });
  return readFilter(Object.fromEntries(parameters) as FilterParameters, place);
}

const filterObject = Type.Object(filterProperties);
export type FilterParameters = Static<typeof filterObject>;

/**
 * Reads query parameters or members of a filter that match their schema. Throws `invalid_request`. `place` is put
 * before the names of wrong ones.
 */
export function readFilter(parameters: FilterParameters, place = ''): LogFilter {
  const { from, to, q, min_score, max_score, min_duration_ms, max_duration_ms } = parameters;
  const filter: LogFilter = {};
  for (const name of Object.keys(filterProperties) as (keyof typeof filterProperties)[]) {
    if (name === 'session' || name === 'session_key') continue;
    if (parameters[name] !== undefined) Object.assign(filter, { [name]: parameters[name] });
  }
  // The schema accepts no other texts.
  if (from !== undefined) filter.from = readMoment(from)!;
  if (to !== undefined) filter.to = readMoment(to)!;
  const metadata = metadataConditions(parameters as Record<string, unknown>);
  if (metadata.length > 0) filter.metadata = metadata;
  const details: ErrorDetail[] = [];
  if (min_duration_ms !== undefined && max_duration_ms !== undefined && min_duration_ms > max_duration_ms) {
    details.push({ path: 'min_duration_ms', message: 'is above max_duration_ms' });
  }
  if (parameters.session_key !== undefined && parameters.session === undefined) {
    details.push({ path: 'session_key', message: 'names the key of `session`, which is not given' });
  }
  if (q !== undefined && wordsOf(q).length === 0) details.push({ path: 'q', message: 'has no word in it' });
  if (q !== undefined && wordsOf(q).length > MAX_WORDS) {
    details.push({ path: 'q', message: `has more than ${MAX_WORDS} words` });
  }
  if (min_score !== undefined && max_score !== undefined && min_score > max_score) {
    details.push({ path: 'min_score', message: 'is above max_score' });
  }
  if (filter.from && filter.to && filter.from > filter.to) {
    details.push({ path: 'from', message: 'is after `to`' });
  }
  if (metadata.length > MAX_VALUES)
    details.push({ path: 'metadata', message: `has more than ${MAX_VALUES} keys` });
  if (details.length > 0) {
    throw invalidRequest(details.map(({ path, message }) => ({ path: place + path, message })));
  }
  return filter;
}

function metadataConditions(parameters: Record<string, unknown>): { key: string; values: string[] }[] {
  const { session, session_key: key = SESSION_KEY } = parameters as Pick<
    FilterParameters,
    'session' | 'session_key'
  >;
  const conditions = Object.keys(parameters)
    .filter((name) => name.startsWith(METADATA_PREFIX))
    .map((name) => ({ key: name.slice(METADATA_PREFIX.length), values: parameters[name] as string[] }));
  return session === undefined ? conditions : [...conditions, { key, values: session }];
}
