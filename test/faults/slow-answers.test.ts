import { expect, test } from 'vitest';
import { chunk } from '../support/chat.js';
import { startGateway } from '../support/gateway.js';
import { ControlledStream } from '../support/replies.js';
import { missingPrograms } from '../support/start-sluice.js';

/** Envoy keeps a gRPC client that nobody asks for 50 seconds, unless it is told otherwise. */
const LONGER_THAN_ENVOY_REMEMBERS_MS = 56_000;

test.skipIf(missingPrograms !== null)(
  'Envoy outlives answers that take a minute while nothing else happens',
  async () => {
    const gateway = await startGateway();
    try {
      const { pid } = gateway.sluice.envoy;
      const streams = Array.from({ length: 6 }, () => new ControlledStream());
      gateway.provider.enqueue(...streams.map((stream) => stream.reply()));
      const opened = streams.map((_stream, index) =>
        gateway.open({ stream: true, model: index % 2 === 0 ? 'support' : 'chain' }),
      );
      for (const stream of streams) await stream.send(chunk({ content: 'half' }));
      const answers = await Promise.all(opened);
      await new Promise((resume) => setTimeout(resume, LONGER_THAN_ENVOY_REMEMBERS_MS));
      for (const stream of streams) {
        await stream.send(`${chunk({}, 'stop')}data: [DONE]\n\n`);
        await stream.end();
      }
      const texts = await Promise.all(answers.map((answer) => answer.text()));
      expect(texts.filter((text) => text.includes('[DONE]'))).toHaveLength(6);
      expect([gateway.sluice.envoy.running, gateway.sluice.envoy.pid]).toEqual([true, pid]);
    } finally {
      await gateway.stop();
    }
  },
);
