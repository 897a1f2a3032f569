import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Gateway, startGateway } from '../../support/gateway.js';
import { missingPrograms } from '../../support/start-sluice.js';

describe.skipIf(missingPrograms !== null)('SLUICE_LOG_LEVEL=debug', () => {
  let gateway: Gateway;
  beforeAll(async () => {
    gateway = await startGateway({ environment: { SLUICE_LOG_LEVEL: 'debug' } });
  });
  afterAll(() => gateway?.stop());

  const linesWith = async (text: string) =>
    (await gateway.sluice.engineLog())
      .split('\n')
      .filter((line) => line.includes(text))
      .map((line) => JSON.parse(line) as Record<string, unknown>);

  it('logs the way of each request, without its content', async () => {
    const { id } = await gateway.ask({ messages: [{ role: 'user', content: 'plum cake' }] });
    const way = ['a request arrived', 'a request was planned', 'an attempt begins', 'an exchange ended'];
    await expect.poll(async () => (await linesWith(id)).map(({ msg }) => msg)).toEqual(way);
    const [, onward, , ended] = await linesWith(id);
    expect(onward).toMatchObject({ level: 20, endpoint: 'support', models: ['fake/large'], stream: false });
    expect(ended).toMatchObject({ status: 'success', attempts: 1, total_ms: expect.any(Number) });
    expect(await linesWith('an attempt ended')).toMatchObject([{ attempt: 1, status: 'success' }]);
    expect(await gateway.sluice.engineLog()).not.toContain('plum');
  });

  it('logs why a request was refused', async () => {
    const answer = await fetch(`${gateway.sluice.gatewayUrl}/openai/v1/chat/completions`, { method: 'POST' });
    expect(answer.status).toBe(404);
    expect(await answer.json()).toMatchObject({
      error: { message: expect.stringContaining('the project is missing') },
    });
    await expect
      .poll(() => linesWith('a request was refused'))
      .toMatchObject([{ code: 'not_found', path: '/openai/v1/chat/completions' }]);
  });
});
