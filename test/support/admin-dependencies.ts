import type { AdminDependencies } from '../../src/admin/dependencies.js';
import { createPiiDetector } from '../../src/app/pii-detector.js';
import { systemClock } from '../../src/core/clock.js';
import { generateApiKey } from '../../src/directory/keys.js';

/** The dependencies of an admin service that has a store and a directory, but no engine, plugins or gateway. */
export function adminDependencies(
  own: Pick<AdminDependencies, 'store' | 'directory' | 'logger'> & Partial<AdminDependencies>,
): AdminDependencies {
  return {
    limits: () => ({
      metadata_bytes: 65_536,
      body_values: 300_000,
      feedback_per_log: 10_000,
      request_body_bytes: 33_554_432,
      response_body_bytes: 33_554_432,
    }),
    plugins: () => [],
    providers: () => [],
    fileEndpoints: () => [],
    checkEndpoint: () => [],
    checkLimits: () => [],
    checkImprovement: async () => undefined,
    piiDetector: createPiiDetector(),
    checkGuards: async () => ({ decision: 'pass', plugin_runs: [] }),
    generateKey: generateApiKey,
    dashboard: () => ({}),
    gatewayUrl: () => 'http://127.0.0.1:1',
    engineFeed: { isKey: () => false, follow: () => undefined },
    engineLogs: { take: async () => ({ stored: 0, refused: [] }) },
    health: () => ({ ready: true, parts: { mongodb: 'ready' } }),
    clock: systemClock,
    ...own,
  };
}
