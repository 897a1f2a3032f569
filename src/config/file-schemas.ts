import { OWN_SCHEMAS } from '../core/own-schemas.js';
import { CompiledSchemas } from '../json-schema/compiled-schemas.js';
import { configSchema } from './schema.js';

/** The schema of sluice.yaml. Its validator fills in defaults, changing the value. */
export const schemas = new CompiledSchemas(
  { config: configSchema },
  {
    ...OWN_SCHEMAS,
    strict: true,
    allowUnionTypes: true,
    allErrors: true,
    useDefaults: true,
    verbose: true,
    messages: false,
    ownProperties: true,
  },
);
