import type { Static } from 'typebox';
import type { ErrorDetail } from '../../core/errors.js';
import { Type } from '../../core/schema-type.js';
import { type Dimension, type NamedQueue, OVERALL, TASKS } from '../../logs/judging/dimension.js';
import { invalidRequest } from '../http/errors.js';
import { line, oneOf, strictObject } from './common.js';
import { bodyFilterSchema, readBodyFilter } from './log-filter.js';

const MOST_DIMENSIONS = 50;
const MOST_QUEUES = 100;
const MOST_PEOPLE = 200;
const MOST_CATEGORIES = 50;

/** A name that can be part of field names, URLs and `signal_name`. */
const name = (of: string) =>
  Type.String({
    pattern: '^[a-z0-9][a-z0-9_-]{0,62}$',
    description: `${of}: lower-case letters, digits, - and _.`,
  });
const title = Type.Optional(line('How people read it. Default: the name.'));

const dimension = strictObject(
  {
    name: name('The `signal_name` of its feedback'),
    title,
    help: Type.Optional(Type.String({ maxLength: 2000, description: 'What the question means.' })),
    scale: Type.Optional(
      strictObject(
        {
          min: Type.Integer({ minimum: -100, maximum: 100 }),
          max: Type.Integer({ minimum: -100, maximum: 100 }),
          low: Type.Optional(line('What the lowest value means.')),
          high: Type.Optional(line('What the highest value means.')),
        },
        { description: 'Whole numbers. The lowest becomes the score −1, the highest 1.' },
      ),
    ),
    categories: Type.Optional(
      Type.Array(
        strictObject({
          name: line('What people choose.'),
          score: Type.Optional(
            Type.Number({
              minimum: -1,
              maximum: 1,
              description: 'Absent: it is recorded, and has no part in the score of the log.',
            }),
          ),
        }),
        { minItems: 2, maxItems: MOST_CATEGORIES, description: 'In place of a scale.' },
      ),
    ),
    weight: Type.Optional(
      Type.Number({ minimum: 0, maximum: 1, description: 'The weight of its feedback. Default: 1.' }),
    ),
  },
  { description: 'A question about an answer, with a `scale` or with `categories`.' },
);

const queue = strictObject({
  name: name('The name of the queue'),
  title,
  task: Type.Optional(
    oneOf(TASKS, {
      description:
        'What people do: judge answers (default), or mark personal data in the texts, to measure the detector.',
    }),
  ),
  filter: bodyFilterSchema,
  sample: Type.Optional(
    Type.Number({
      exclusiveMinimum: 0,
      maximum: 1,
      description: 'The share of these logs that the queue has, drawn by their ids. Default: 1.',
    }),
  ),
  rubric: Type.Optional(
    Type.String({ maxLength: 20_000, description: 'What those who judge must know. Markdown.' }),
  ),
  dimensions: Type.Optional(
    Type.Array(Type.String(), {
      uniqueItems: true,
      maxItems: MOST_DIMENSIONS,
      default: [],
      description: 'Names of dimensions. Empty: one scale from 1 to 5, `judgement`.',
    }),
  ),
  people: Type.Optional(
    Type.Array(line('The name of a key.'), {
      uniqueItems: true,
      maxItems: MOST_PEOPLE,
      default: [],
      description: 'Names of the keys that judge here. Empty: every key that may give feedback.',
    }),
  ),
  judges: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 20, default: 1, description: 'How many people judge each log.' }),
  ),
});

export const judgingSchema = strictObject({
  dimensions: Type.Array(dimension, { maxItems: MOST_DIMENSIONS }),
  queues: Type.Array(queue, { maxItems: MOST_QUEUES }),
});

/** What a project asks the people who judge. */
export interface Judging {
  dimensions: Dimension[];
  queues: NamedQueue[];
}

/** Reads the body of a PUT. Throws `invalid_request` with every mistake that the schema cannot find. */
export function readJudging({ dimensions, queues }: Static<typeof judgingSchema>): Judging {
  const details = [
    ...duplicates('dimensions', dimensions),
    ...duplicates('queues', queues),
    ...queues.flatMap(({ task, dimensions: asked = [] }, index) =>
      task === 'mark_pii' && asked.length > 0
        ? [{ path: `queues.${index}.dimensions`, message: 'must be empty where people mark personal data' }]
        : [],
    ),
    ...dimensions.flatMap((one, index) => dimensionMistakes(one, `dimensions.${index}`)),
    ...queues.flatMap(({ dimensions: asked = [] }, index) =>
      asked.flatMap((wanted, at) =>
        dimensions.some((one) => one.name === wanted)
          ? []
          : [{ path: `queues.${index}.dimensions.${at}`, message: `there is no dimension "${wanted}"` }],
      ),
    ),
  ];
  if (details.length > 0) throw invalidRequest(details);
  queues.forEach(({ filter }, index) => {
    readBodyFilter(filter, `queues.${index}.filter.`);
  });
  const whole = queues.map((one) => ({ ...one, dimensions: one.dimensions ?? [], people: one.people ?? [] }));
  return {
    dimensions,
    queues: whole.map((one) => ({ ...one, filter: { ...one.filter }, judges: one.judges ?? 1 })),
  };
}

function duplicates(path: string, entries: readonly { name: string }[]): ErrorDetail[] {
  return entries.flatMap(({ name: one }, index) =>
    entries.findIndex((other) => other.name === one) === index
      ? []
      : [{ path: `${path}.${index}.name`, message: `"${one}" is there twice` }],
  );
}

function dimensionMistakes({ name: own, scale, categories }: Dimension, path: string): ErrorDetail[] {
  if (own === OVERALL.name) {
    return [
      { path: `${path}.name`, message: `"${own}" is reserved: it is asked where a queue has no dimensions` },
    ];
  }
  if ((scale === undefined) === (categories === undefined)) {
    return [{ path, message: 'needs either a `scale` or `categories`' }];
  }
  if (scale !== undefined && scale.min >= scale.max) {
    return [{ path: `${path}.scale.min`, message: 'is not below `max`' }];
  }
  return duplicates(`${path}.categories`, categories ?? []);
}
