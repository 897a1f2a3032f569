import type { JsonObject } from '../../core/json.js';
import { guardProperties } from '../text-guard/guard-config.js';
import type { GuardSettings } from '../text-guard/prepared-guard.js';

/** One rule: words or a pattern, which it denies or allows. */
export interface TextRule {
  /** A pattern in RE2 syntax, alone or as `/pattern/flags`. */
  pattern?: string;
  /** Whole words or phrases, in upper or lower case. */
  words?: string[];
  deny?: true;
  /** Findings of denying rules do not count where a match of this rule covers them completely. */
  allow?: true;
  roles?: string[];
  message?: string;
}

export interface TextRulesConfig extends GuardSettings {
  rules: TextRule[];
}

export const REJECTION_MESSAGE = 'Request contains text that is not allowed here.';

export const configSchema: JsonObject = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  additionalProperties: false,
  required: ['rules'],
  properties: {
    rules: {
      description: 'What is denied, and the exceptions that are allowed.',
      type: 'array',
      minItems: 1,
      maxItems: 1_000,
      items: {
        type: 'object',
        additionalProperties: false,
        properties: {
          pattern: {
            description:
              'A pattern of RE2, which has no lookaround and no back-references. `(?i)` at the start ignores case. It may also be written between slashes with flags: `/pattern/i`.',
            type: 'string',
            minLength: 1,
            maxLength: 10_000,
          },
          words: {
            description: 'Whole words or phrases, in any case.',
            type: 'array',
            items: {
              type: 'string',
              minLength: 1,
              maxLength: 1_000,
              pattern: '\\S',
              not: { pattern: '^/.+/[a-z]*$' },
            },
            minItems: 1,
            maxItems: 100_000,
          },
          deny: { description: 'Text that matches is a finding.', const: true },
          allow: { description: 'A finding that lies completely inside a match is dropped.', const: true },
          roles: {
            description:
              'Look only in messages of these roles. An answer has the role assistant. If not set: in all messages.',
            type: 'array',
            items: { enum: ['system', 'developer', 'user', 'assistant', 'tool'] },
            minItems: 1,
            uniqueItems: true,
          },
          message: {
            description:
              'The message that the client gets when this rule rejects, instead of rejection_message.',
            type: 'string',
            minLength: 1,
            maxLength: 4_000,
          },
        },
        allOf: [
          { oneOf: [{ required: ['pattern'] }, { required: ['words'] }] },
          { oneOf: [{ required: ['deny'] }, { required: ['allow'] }] },
        ],
      },
    },
    ...guardProperties(REJECTION_MESSAGE),
  },
};
