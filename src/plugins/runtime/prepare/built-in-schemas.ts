import { OWN_SCHEMAS } from '../../../core/own-schemas.js';
import { CompiledSchemas } from '../../../json-schema/compiled-schemas.js';
import { BUILT_IN_PLUGINS } from '../../index.js';
import { CONFIG_CHECKS } from './config-checks.js';

/** The schemas of the configurations of the built-in plugins, by the plugin's name. */
export const schemas = new CompiledSchemas(
  Object.fromEntries(BUILT_IN_PLUGINS.map(({ name, configSchema }) => [name, configSchema])),
  { ...OWN_SCHEMAS, ...CONFIG_CHECKS },
);
