import { OWN_SCHEMAS } from '../../core/own-schemas.js';
import { Type } from '../../core/schema-type.js';
import { SCOPES, SEARCHES } from '../../core/settings.js';
import { CompiledSchemas } from '../../json-schema/compiled-schemas.js';
import { corsSchema } from '../cors-schema.js';
import { endpointSchema } from '../endpoint-schema.js';
import { limitSchema } from '../limit-schema.js';
import { choice, choices, optional, section } from '../schema-parts.js';

const id = Type.String({ minLength: 1 });
const line = Type.String({ minLength: 1 });

const project = section({
  uid: id,
  name: line,
  enabled: Type.Boolean({ default: true }),
  retention_days: Type.Optional(Type.Integer({ minimum: 1 })),
  search: optional(choice([...SEARCHES], { description: 'What `q` looks at.' })),
  limits: optional(Type.Array(limitSchema)),
  cors: optional(corsSchema),
});
const key = section({
  id,
  project_uid: id,
  name: line,
  hash: Type.String({ pattern: '^[0-9a-f]{64}$' }),
  prefix: Type.String({ default: '' }),
  scopes: choices(SCOPES, { description: 'What the key may do.' }),
  endpoints: optional(Type.Array(line)),
  expires_at: optional(line),
});
const remembered = section({ uid: id, name: line });

/** The schemas of what the admin API stored. A validator fills in defaults and drops unknown keys, changing the value. */
export const schemas = new CompiledSchemas(
  { project, key, remembered, endpoint: endpointSchema },
  {
    ...OWN_SCHEMAS,
    strict: true,
    allowUnionTypes: true,
    useDefaults: true,
    removeAdditional: true,
    ownProperties: true,
  },
);
