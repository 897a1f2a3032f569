import type { JsonObject } from '../../core/json.js';
import { guardProperties } from '../text-guard/guard-config.js';

export const configSchema: JsonObject = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  additionalProperties: false,
  properties: guardProperties(
    'Request contains a secret, such as a key or a token, and cannot be processed.',
  ),
};
