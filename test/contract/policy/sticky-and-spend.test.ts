import { createHmac } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { waitFor } from '../../../src/local/processes/wait.js';
import {
  CHAT_PATH,
  COMPLETION,
  type Gateway,
  KEYS,
  MESSAGES,
  PROJECT,
  startGateway,
} from '../../support/gateway.js';
import { COST_OF_ANSWER, limitedGateway, PRICE } from '../../support/limited-gateway.js';
import { jsonReply } from '../../support/replies.js';
import { missingPrograms } from '../../support/start-sluice.js';

const CACHED_PRICE = { ...PRICE, cached_input_per_mtok: 0.1 };

describe.skipIf(missingPrograms !== null)('sticky endpoints and spend', () => {
  let gateway: Gateway;
  let webhook: Server;
  const told: { body: string; signature: string }[] = [];
  beforeAll(async () => {
    webhook = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk) => chunks.push(chunk));
      request.on('end', () => {
        told.push({
          body: Buffer.concat(chunks).toString(),
          signature: String(request.headers['x-sluice-signature']),
        });
        response.end();
      });
    });
    await new Promise<void>((resolve) => webhook.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(webhook.address() as AddressInfo).port}/budget`;
    const models = ['s1', 's2', 's3'];
    const rank = models.map((model) => ({ provider: 'fake', model, weight: 1 }));
    gateway = await startGateway({
      ...limitedGateway([{ per: 'metadata.budget', cost_usd: 5 * COST_OF_ANSWER, window: 'month' }], {
        keys: [{ name: 'spender', key: 'sk-spender', scopes: ['inference', 'logs'] }],
        endpoints: [
          { name: 'sticky', models: rank, sticky: { by: ['metadata.session_id', 'header.x-session-id'] } },
          { name: 'agents', models: rank, sticky: {} },
          { name: 'drawn', models: rank },
        ],
        provider: {
          prices: Object.fromEntries(['large', 'small', ...models].map((model) => [model, CACHED_PRICE])),
        },
        project: { limit_webhook: { url, hmac_key_env: 'HOOK_KEY' } },
      }),
      environment: { HOOK_KEY: 'hook-secret' },
    });
  });
  afterAll(async () => {
    await gateway?.stop();
    webhook?.close();
  });
  beforeEach(() => gateway.provider.reset());

  const modelOf = (answer: { headers: Headers }) => answer.headers.get('x-sluice-model');
  const admin = (path: string) =>
    fetch(`${gateway.sluice.adminUrl}${path}`, { headers: { authorization: `Bearer ${KEYS.all}` } });

  it('send a session to one model, and other sessions to others', async () => {
    const seen = new Set<string | null>();
    for (let session = 0; session < 12; session++) {
      const ask = () => gateway.ask({ model: 'sticky', metadata: { session_id: `s-${session}` } });
      const first = modelOf(await ask());
      expect(modelOf(await ask())).toBe(first);
      seen.add(first);
    }
    expect(seen.size).toBe(3);
    const answer = await gateway.ask({ model: 'sticky' }, { headers: { 'x-session-id': 'a' } });
    expect(await gateway.log(answer.id)).toMatchObject({
      sticky: { by: 'header.x-session-id', kept: true },
      attempts: [{ propensity: expect.closeTo(1 / 3, 6) }],
    });
    const drawn = await gateway.log((await gateway.ask({ model: 'drawn' })).id);
    expect(drawn).not.toHaveProperty('sticky');
    expect(drawn.attempts[0].propensity).toBeCloseTo(1 / 3, 6);
  });

  it('recognize coding agents by their headers, and conversations by their beginning', async () => {
    const agent = { 'x-claude-code-session-id': 'abc' };
    const turn = (count: number) => [
      ...MESSAGES,
      ...Array.from({ length: count }, () => ({ role: 'assistant', content: 'x' })),
    ];
    const models = new Set<string | null>();
    for (let count = 0; count < 5; count++) {
      const body = { model: 'agents', max_tokens: 9, messages: [{ role: 'user', content: `${count}` }] };
      const answer = await gateway.call('POST', `/${PROJECT}/anthropic/v1/messages`, {
        body,
        headers: agent,
      });
      models.add(modelOf(answer));
    }
    expect(models.size).toBe(1);
    const conversations = new Set<string | null>();
    for (let count = 0; count < 5; count++) {
      const answer = await gateway.call('POST', CHAT_PATH, {
        body: { model: 'agents', messages: turn(count) },
      });
      conversations.add(modelOf(answer));
      if (count === 4)
        expect((await gateway.log(answer.id)).sticky).toEqual({ by: 'conversation', kept: true });
    }
    expect(conversations.size).toBe(1);
  });

  it('continue with the next model drawn where the first fails, and say so', async () => {
    const metadata = { session_id: 'failing' };
    const first = modelOf(await gateway.ask({ model: 'sticky', metadata }));
    gateway.provider.enqueue(jsonReply({ error: { message: 'no' } }, { status: 500 }));
    const second = await gateway.ask({ model: 'sticky', metadata });
    expect(modelOf(second)).not.toBe(first);
    expect((await gateway.log(second.id)).sticky).toEqual({ by: 'metadata.session_id', kept: false });
    expect(modelOf(await gateway.ask({ model: 'sticky', metadata }))).toBe(first);
  });

  it('are reported by key, endpoint, model, tag and day, as JSON and as a table', async () => {
    const usage = {
      prompt_tokens: 1_000,
      completion_tokens: 10,
      prompt_tokens_details: { cached_tokens: 900 },
    };
    gateway.provider.enqueue(jsonReply({ ...COMPLETION, usage }));
    const metadata = { team: 'spend', '=1+1': 'x' };
    const today = () => new Date().toISOString().slice(0, 10);
    const begun = today();
    const answer = await gateway.ask({ metadata, model: 'support' }, { key: 'sk-spender' });
    await gateway.log(answer.id);
    const cost = (100 * 1 + 900 * 0.1 + 10 * 2) / 1e6;
    const row = { requests: 1, input_tokens: 1_000, output_tokens: 10, cost: expect.closeTo(cost, 12) };
    const spend = async (by: string) =>
      ((await (await admin(`/${PROJECT}/spend?by=${by}`)).json()) as { data: { key: string }[] }).data;
    expect(await spend('tag')).toContainEqual(
      expect.objectContaining({
        ...row,
        key: 'team:spend',
        cached_input_tokens: 900,
        cache_saved: expect.closeTo((900 * 0.9) / 1e6, 12),
      }),
    );
    expect(await spend('key')).toContainEqual(expect.objectContaining({ ...row, key: 'spender' }));
    expect(await spend('endpoint')).toContainEqual(expect.objectContaining({ key: 'support' }));
    // The try that failed counts for its own model.
    const models = await spend('model');
    expect(models.map(({ key }) => key)).toContain('fake/s1');
    const draws = (await spend('sticky')).map(({ key }) => key);
    expect(draws.sort()).toEqual(['kept', 'moved', 'none']);
    const [day] = await spend('day');
    // Midnight may have passed.
    expect([begun, today()]).toContain(day?.key);
    const table = await admin(`/${PROJECT}/spend?by=tag&format=csv`);
    expect(table.headers.get('content-type')).toContain('text/csv');
    const text = await table.text();
    // A client chooses its tags, and a spreadsheet computes what begins with `=`.
    expect(text).toContain("\n'=1+1:x,");
    expect(text).toMatch(
      /^key,requests,input_tokens,output_tokens,cached_input_tokens,cost,cache_saved\r\n[\s\S]*team:spend,1,1000,10,900,/,
    );
    expect((await admin(`/${PROJECT}/spend?from=2026-01-02&to=2026-01-01`)).status).toBe(400);
  });

  it('call a webhook once when half, 80 percent and all of a budget is used, and show how much is used', async () => {
    const ask = () => gateway.ask({ metadata: { budget: 'told' }, model: 'support' });
    let last = await ask();
    for (let i = 0; i < 4; i++) last = await ask();
    expect((await ask()).json.error.code).toBe('budget_exceeded');
    await waitFor('the webhook is told', async () => told.length >= 3, { timeoutMs: 10_000 });
    // Each call is a connection of its own, so they may arrive in another order.
    const byPercent = new Map(told.map((one) => [JSON.parse(one.body).percent, one]));
    // 20, 40, 60, 80 and 100 percent were reached.
    expect(told).toHaveLength(3);
    expect([...byPercent.keys()].sort((one, other) => one - other)).toEqual([50, 80, 100]);
    for (const [percent, answers] of [
      [50, 3],
      [80, 4],
      [100, 5],
    ]) {
      const { body, signature } = byPercent.get(percent)!;
      expect(JSON.parse(body)).toMatchObject({
        event: 'limit_used',
        project: PROJECT,
        limit: { per: 'metadata.budget', kind: 'cost_usd', window: 'month' },
        used: expect.closeTo(answers! * COST_OF_ANSWER, 12),
      });
      expect(signature).toBe(`sha256=${createHmac('sha256', 'hook-secret').update(body).digest('hex')}`);
    }
    await gateway.log(last.id);
    const { data } = (await (await admin(`/${PROJECT}/limits`)).json()) as { data: object[] };
    expect(data).toContainEqual(
      expect.objectContaining({ per: 'metadata.budget', kind: 'cost_usd', ratio: 1, shared: false }),
    );
    const metrics = await (await fetch(`${gateway.sluice.adminUrl}/metrics`)).text();
    expect(metrics).toMatch(/sluice_limit_used_ratio\{.*per="metadata\.budget".*\} 1\b/);
    expect(metrics).toMatch(/sluice_limit_decisions_total\{.*outcome="rejected".*\} 1\b/);
    expect(metrics).toMatch(/sluice_cached_input_tokens_total\{.*\} 900\b/);
    expect(metrics).not.toContain('told');
  });
});
