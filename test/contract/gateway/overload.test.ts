import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { waitFor } from '../../../src/local/processes/wait.js';
import { borrowGateway, COMPLETION, type Gateway, MESSAGES } from '../../support/gateway.js';
import { hangReply, jsonReply } from '../../support/replies.js';
import { missingPrograms } from '../../support/start-sluice.js';

const LIMIT = 1024 * 1024;
const withText = (bytes: number) => [...MESSAGES, { role: 'user', content: 'x'.repeat(bytes) }];

describe.skipIf(missingPrograms !== null)('bodies that are under way at one time', () => {
  let gateway: Gateway;
  beforeAll(async () => {
    gateway = await borrowGateway({ settings: { limits: { bodies_in_flight_bytes: LIMIT } } });
  });
  afterAll(() => gateway?.stop());
  beforeEach(() => gateway.provider.reset());

  it.each(['support', 'chain'])(
    'are refused over their limit, until others have ended (%s)',
    async (model) => {
      gateway.provider.always(hangReply);
      const leave = new AbortController();
      // What the test before sent may still count for a moment, so the first is sent until it is not refused.
      const asking = async () => {
        const asked = { model, messages: withText(0.6 * LIMIT) };
        while (!leave.signal.aborted) await gateway.ask(asked, { signal: leave.signal });
      };
      const first = asking().catch(() => undefined);
      await waitFor('the first is under way', async () => gateway.provider.requests.length > 0, {
        timeoutMs: 20_000,
      });
      const refused = await gateway.ask({ model, messages: withText(0.6 * LIMIT) });
      expect([refused.status, refused.json.error.code, refused.headers.get('retry-after')]).toEqual([
        503,
        'overloaded',
        '1',
      ]);
      expect(await gateway.log(refused.id)).toMatchObject({ status: 'error', http_status: 503 });
      leave.abort();
      await first;
      gateway.provider.always(jsonReply(COMPLETION));
      const taken = async () =>
        (await gateway.ask({ model, messages: withText(0.6 * LIMIT) })).status === 200;
      await waitFor('the next is taken', taken, { timeoutMs: 20_000 });
    },
  );

  it.each(['support', 'chain'])('include answers that are held back (%s)', async (model) => {
    gateway.provider.always(jsonReply({ ...COMPLETION, more: 'y'.repeat(1.2 * LIMIT) }));
    const answer = await gateway.ask({ model });
    expect([answer.status, answer.json.error.code]).toEqual([503, 'overloaded']);
    expect(await gateway.log(answer.id)).toMatchObject({ status: 'error', http_status: 503 });
  });

  it('no longer include those of a failed try once the next one begins', async () => {
    // Each of the two answers fits; both together would not.
    const large = { ...COMPLETION, more: 'y'.repeat(0.6 * LIMIT) };
    gateway.provider.enqueue(jsonReply({ error: large }, { status: 500 }), jsonReply(large));
    const answer = await gateway.ask({ model: 'chain' });
    expect([answer.status, answer.headers.get('x-sluice-attempts')]).toEqual([200, '2']);
  });
});
