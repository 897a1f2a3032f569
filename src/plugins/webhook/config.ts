import type { JsonObject, JsonValue } from '../../core/json.js';

/** What an operator writes under `config`. */
export interface WebhookConfig {
  url: string;
  headers: Record<string, string>;
  hmac_key_env?: string;
  configs: JsonValue;
}

export const configSchema: JsonObject = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  additionalProperties: false,
  required: ['url'],
  properties: {
    url: {
      description: 'The URL that the exchange is posted to. Redirects are refused.',
      type: 'string',
      format: 'uri',
      'x-sluice-called': true,
      pattern: '^https?://',
      maxLength: 8_192,
    },
    headers: {
      description: 'Headers to send with each call, such as authorization. They are never shown again.',
      writeOnly: true,
      type: 'object',
      propertyNames: { pattern: "^[A-Za-z0-9!#$%&'*+.^_`|~-]+$" },
      additionalProperties: { type: 'string', pattern: '^[\\t\\x20-\\x7e\\x80-\\xff]*$' },
      default: {},
    },
    hmac_key_env: {
      description:
        'The environment variable with the key for signatures. The header x-sluice-signature is then sha256= and the hex HMAC of the body.',
      type: 'string',
      minLength: 1,
    },
    configs: { description: 'Any JSON, which is passed to the webhook as it is.', default: null },
  },
};
