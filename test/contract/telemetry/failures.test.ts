import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { borrowGateway, type Gateway } from '../../support/gateway.js';
import { bytesReply } from '../../support/replies.js';
import { missingPrograms } from '../../support/start-sluice.js';

const lineOf = (log: string, id: string) =>
  log
    .split('\n')
    .filter((line) => line.includes(id))
    .map((line) => JSON.parse(line) as Record<string, unknown>);

describe.skipIf(missingPrograms !== null)("the program's log", () => {
  let gateway: Gateway;
  beforeAll(async () => {
    gateway = await borrowGateway();
  });
  afterAll(() => gateway?.stop());

  it('has one line for a request that failed, without its content', async () => {
    gateway.provider.enqueue(bytesReply('{"error":{"message":"plum cake"}}', { status: 500 }));
    const answer = await gateway.ask({ messages: [{ role: 'user', content: 'plum cake' }] });
    expect(answer.status).toBe(500);
    // The answer does not wait for what is printed.
    await expect.poll(async () => lineOf(await gateway.sluice.engineLog(), answer.id)).toHaveLength(1);
    const log = await gateway.sluice.engineLog();
    expect(lineOf(log, answer.id)[0]).toMatchObject({
      level: 40,
      log_id: answer.id,
      endpoint: 'support',
      status: 'error',
      http_status: 500,
      model: 'fake/large',
      duration_ms: expect.any(Number),
    });
    expect(log).not.toContain('plum');
  });

  it('has none for a request that succeeded', async () => {
    const answer = await gateway.ask();
    await gateway.log(answer.id);
    expect(lineOf(await gateway.sluice.engineLog(), answer.id)).toEqual([]);
  });

  it('is easy to find from an error, whose header links to its section of docs/errors.md', async () => {
    const answer = await gateway.ask({ model: 'nobody' });
    expect(answer.headers.get('x-sluice-help')).toBe('docs/errors.md#model_not_found');
  });
});
