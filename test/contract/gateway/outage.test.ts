import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { waitFor } from '../../../src/local/processes/wait.js';
import { type Answer, type Gateway, PROJECT, startGateway } from '../../support/gateway.js';
import { missingPrograms } from '../../support/start-sluice.js';

const PATIENCE = { timeoutMs: 30_000, intervalMs: 100 };
const OPENAI_SHAPE = {
  error: { message: expect.any(String), type: 'server_error', param: null, code: 'engine_unavailable' },
};
const ANTHROPIC_SHAPE = {
  type: 'error',
  error: { type: 'api_error', message: expect.stringMatching(/^engine_unavailable: /) },
  request_id: null,
};

describe.skipIf(missingPrograms !== null)('a gateway without its engine', () => {
  let gateway: Gateway;
  beforeAll(async () => {
    gateway = await startGateway();
  });
  afterAll(() => gateway?.stop());

  const told = ({ status, json, headers }: Answer) => [status, json, headers.get('x-inference-log-id')];
  const askBoth = () =>
    Promise.all([
      gateway.ask(),
      gateway.call('POST', `/${PROJECT}/anthropic/v1/messages`, { body: { model: 'support' } }),
      gateway.call('GET', `/${PROJECT}/openai/v1/models`),
    ]);
  const works = () =>
    waitFor('the gateway answers again', async () => (await gateway.ask()).status === 200, PATIENCE);

  it('that is stopped says so in the form of each API, and recovers when it continues', async () => {
    expect((await gateway.ask()).status).toBe(200);
    gateway.sluice.engine.signal('SIGSTOP');
    try {
      const [chat, messages, models] = await askBoth();
      expect(told(chat!)).toEqual([503, OPENAI_SHAPE, null]);
      expect(told(messages!)).toEqual([503, ANTHROPIC_SHAPE, null]);
      expect(told(models!)).toEqual([503, OPENAI_SHAPE, null]);
    } finally {
      gateway.sluice.engine.signal('SIGCONT');
    }
    await works();
  });

  it('that was killed says so, and after its restart recovers without having lost a log', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => gateway.ask()));
    await gateway.sluice.engine.kill();
    const [chat, messages] = await askBoth();
    expect(told(chat!)).toEqual([503, OPENAI_SHAPE, null]);
    expect(told(messages!)).toEqual([503, ANTHROPIC_SHAPE, null]);
    const feedback = await gateway.call('POST', `/${PROJECT}/feedback/${PROJECT}`, { body: {} });
    expect([feedback.status, feedback.json]).toEqual([503, OPENAI_SHAPE]);
    const patch = await gateway.call('PATCH', `/log/${PROJECT}`, { body: {} });
    expect([patch.status, patch.json]).toEqual([503, OPENAI_SHAPE]);
    await gateway.sluice.engine.start();
    await works();
    // MongoDB keeps what a killed process had begun to write for up to a minute; until then a repeat waits.
    const patience = { timeoutMs: 90_000 };
    for (const { id } of answers) {
      expect(await gateway.log(id, patience)).toMatchObject({ _id: id, status: 'success' });
    }
  }, 120_000);
});
