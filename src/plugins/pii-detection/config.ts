import type { JsonObject } from '../../core/json.js';
import {
  ENTITY_TYPES,
  type EntityType,
  OPTIONAL_ENTITY_TYPES,
  REGIONS,
  type ScoreThreshold,
} from '../../pii/types.js';
import type { StandInStyle } from '../stand-ins/choose-stand-ins.js';
import { guardProperties } from '../text-guard/guard-config.js';

/** What an operator writes under `config`, with defaults filled in. */
export interface PiiDetectionConfig {
  entities?: (EntityType | 'all')[] | null;
  regions?: string[] | null;
  language: string;
  score_threshold: ScoreThreshold;
  reject_on_detection: boolean;
  rejection_message: string;
  allow_list?: string[] | null;
  deny_list?: string[] | null;
  context?: string[] | null;
  return_decision_process: boolean;
  mask: boolean | StandInStyle;
  engine: 'builtin' | 'presidio';
  presidio_url?: string;
}

const terms = (description: string): JsonObject => ({
  description,
  type: ['array', 'null'],
  items: { type: 'string', minLength: 1, maxLength: 10_000 },
  maxItems: 100_000,
});

export const REJECTION_MESSAGE =
  'Request contains personally identifiable information and cannot be processed.';

const SCORE: JsonObject = { type: 'number', minimum: 0, maximum: 1 };
const THRESHOLD_KEYS = ['default', ...ENTITY_TYPES, ...OPTIONAL_ENTITY_TYPES];

export const configSchema: JsonObject = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  additionalProperties: false,
  properties: {
    entities: {
      description:
        'Types to look for. If not set: the usual types, without most national identifiers. [all] adds every identifier, or those of `regions`.',
      type: ['array', 'null'],
      items: { enum: ['all', ...ENTITY_TYPES, ...OPTIONAL_ENTITY_TYPES] },
      minItems: 1,
      uniqueItems: true,
    },
    regions: {
      description:
        'With entities: [all], the countries (ISO 3166-1) whose identifiers are looked for. If not set: all countries.',
      type: ['array', 'null'],
      items: { enum: [...REGIONS] },
      minItems: 1,
      uniqueItems: true,
    },
    language: {
      description:
        'Language of the text, such as en, es, de or fr, or auto. Names in a language without a model are found with the model of the nearest language.',
      type: 'string',
      pattern: '^(auto|[A-Za-z]{2,3}([_-][A-Za-z0-9]{1,8})*)$',
      default: 'en',
    },
    score_threshold: {
      description:
        'The lowest score of a finding. A lower value finds more, and more false findings. One number, or one for each type, such as { PERSON: 0.7, default: 0.5 }.',
      type: ['number', 'object'],
      minimum: 0,
      maximum: 1,
      properties: Object.fromEntries(THRESHOLD_KEYS.map((key) => [key, SCORE])),
      additionalProperties: false,
      default: 0.5,
    },
    ...guardProperties(REJECTION_MESSAGE, ['reversible', 'surrogate']),
    allow_list: terms(
      'Whole words in any case, or /pattern/flags. A finding that such text covers whole is dropped.',
    ),
    deny_list: terms(
      'Whole words in any case, or /pattern/flags. Always found, as DENY_LIST with score 1; wins over allow_list.',
    ),
    context: terms('More words that make a finding near them more likely.'),
    return_decision_process: {
      description: 'Whether the log keeps the reason for each finding, in the `debug` of the run.',
      type: 'boolean',
      default: false,
    },
    engine: {
      description: 'Which detector is used: the one in this process, or a Presidio analyzer.',
      enum: ['builtin', 'presidio'],
      default: 'builtin',
    },
    presidio_url: {
      description: "The Presidio analyzer's base URL, such as http://127.0.0.1:5002.",
      type: 'string',
      format: 'uri',
      'x-sluice-called': true,
      pattern: '^https?://',
    },
  },
  if: { properties: { engine: { const: 'presidio' } }, required: ['engine'] },
  // biome-ignore lint/suspicious/noThenProperty: it is JSON Schema's own keyword
  then: { required: ['presidio_url'] },
};
