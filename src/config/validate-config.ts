import { Ajv2020 } from 'ajv/dist/2020.js';
import { OWN_SCHEMAS } from '../core/own-schemas.js';
import { configSchema } from './schema.js';

/*
 * In the program that `scripts/build-program.mjs` joins, this module is the code that Ajv makes here, because loading Ajv and
 * compiling takes a tenth of a start.
 */

export const ajv = new Ajv2020({
  ...OWN_SCHEMAS,
  code: { ...OWN_SCHEMAS.code, source: true, esm: true },
  strict: true,
  allowUnionTypes: true,
  allErrors: true,
  useDefaults: true,
  verbose: true,
  messages: false,
  ownProperties: true,
});

/** Fills in defaults, changing the value. Its `errors` are what does not fit the schema of sluice.yaml. */
export const validate = ajv.compile(configSchema);
