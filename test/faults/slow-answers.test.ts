import { expect, test } from 'vitest';
import { startGateway } from '../support/gateway.js';
import { openStreams } from '../support/open-streams.js';
import { missingPrograms } from '../support/start-sluice.js';

/** Envoy keeps a gRPC client that nobody asks for 50 seconds, unless it is told otherwise. */
const LONGER_THAN_ENVOY_REMEMBERS_MS = 56_000;

test.skipIf(missingPrograms !== null)(
  'Envoy survives answers that take a minute while nothing else happens',
  async () => {
    const gateway = await startGateway();
    try {
      const { pid } = gateway.sluice.envoy;
      const streams = await openStreams(gateway, 6, ['support', 'chain']);
      await new Promise((resume) => setTimeout(resume, LONGER_THAN_ENVOY_REMEMBERS_MS));
      expect(await streams.finish()).toBe(6);
      expect([gateway.sluice.envoy.running, gateway.sluice.envoy.pid]).toEqual([true, pid]);
    } finally {
      await gateway.stop();
    }
  },
);
