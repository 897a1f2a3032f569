import { createRequire } from 'node:module';
import type { Ajv2020, Options } from 'ajv/dist/2020.js';

const require = createRequire(import.meta.url);

/**
 * Makes a validator. Ajv is loaded with the first one, because it is a hundred modules and most engines need none: the
 * configuration is checked by code that was compiled in advance.
 */
export function createAjv2020(options: Options): Ajv2020 {
  const { Ajv2020 } = require('ajv/dist/2020.js') as typeof import('ajv/dist/2020.js');
  return new Ajv2020(options);
}

/** Adds the formats of JSON Schema, such as `uri`. */
export function addFormats(ajv: Ajv2020): void {
  (require('ajv-formats') as typeof import('ajv-formats')).default(ajv);
}
