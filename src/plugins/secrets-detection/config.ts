import type { JsonObject } from '../../core/json.js';
import { guardProperties } from '../text-guard/guard-config.js';

export const REJECTION_MESSAGE =
  'Request contains a secret, such as a key or a token, and cannot be processed.';

export const configSchema: JsonObject = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  additionalProperties: false,
  properties: guardProperties(REJECTION_MESSAGE),
};
