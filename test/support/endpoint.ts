import { readStoredEndpoint, SCHEMA_VERSION } from '../../src/config/stored/stored.js';
import type { Endpoint } from '../../src/core/settings.js';

/** An endpoint with one model and all defaults, with the changes that a test needs. */
export function endpointOf(changes: Partial<Endpoint> = {}): Endpoint {
  const models = [{ provider: 'local', model: 'large', structured_output: false }];
  return readStoredEndpoint({ name: 'support', models, ...changes }, SCHEMA_VERSION);
}
