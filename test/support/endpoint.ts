import { readStoredEndpoint, SCHEMA_VERSION } from '../../src/config/stored.js';
import type { Endpoint } from '../../src/core/settings.js';

/** An endpoint with a model, its defaults filled in, and with what a test wants otherwise. */
export function endpointOf(changes: Partial<Endpoint> = {}): Endpoint {
  const models = [{ provider: 'local', model: 'large', structured_output: false }];
  return readStoredEndpoint({ name: 'support', models, ...changes }, SCHEMA_VERSION);
}
