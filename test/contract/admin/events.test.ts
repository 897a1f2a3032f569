import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type AdminApi, KEYS, OTHER_PROJECT, openAdminApi, PROJECT } from '../../support/admin-api.js';
import { logRecord } from '../../support/log-record.js';
import { missingMongod } from '../../support/mongod.js';

const BEAT_MS = 50;

describe.skipIf(missingMongod !== null)('the stream of new logs', () => {
  let api: AdminApi;
  let url: string;
  const open = new Set<AbortController>();

  beforeAll(async () => {
    api = await openAdminApi({ beatMs: BEAT_MS });
    url = await api.server.listen({ host: '127.0.0.1', port: 0 });
  });

  afterAll(() => api.close());

  afterEach(() => {
    for (const controller of open) controller.abort();
    open.clear();
  });

  async function listen(key: string = KEYS.logs, headers: Record<string, string> = { 'x-api-key': key }) {
    const controller = new AbortController();
    open.add(controller);
    const answer = await fetch(`${url}/${PROJECT}/logs/events`, { headers, signal: controller.signal });
    let text = '';
    const ended = (async () => {
      const decoder = new TextDecoder();
      for await (const piece of answer.body ?? []) text += decoder.decode(piece, { stream: true });
    })().catch(() => {});
    const until = async (wanted: (text: string) => boolean) => {
      while (!wanted(text)) await delay(5);
      return text;
    };
    return {
      answer,
      until,
      ended,
      controller,
      ids: () => [...text.matchAll(/^data: (\S{36})$/gm)].map(([, id]) => id),
    };
  }

  const synced = (text: string) => text.includes('event: sync\n');

  it('says from which moment on it is complete, and then gives the id of each new log of the project', async () => {
    const listener = await listen();
    expect(listener.answer.headers.get('content-type')).toBe('text/event-stream');
    await listener.until(synced);
    const [own, foreign] = [logRecord(), logRecord({ project_uid: OTHER_PROJECT })];
    const last = logRecord();
    await api.store.logs.insertMany([foreign, own]);
    await api.store.logs.insertMany([last]);
    const text = await listener.until((text) => text.includes(last._id));
    expect(listener.ids()).toEqual([own._id, last._id]);
    expect(text).toContain(`id: ${own._id}\ndata: ${own._id}\n\n`);
    expect(text).not.toContain('parcel');
  });

  it('serves many listeners, and sends a sign of life while nothing happens', async () => {
    const listeners = await Promise.all(Array.from({ length: 5 }, () => listen()));
    for (const { until } of listeners) await until((text) => synced(text) && text.includes(': \n\n'));
    const record = logRecord();
    await api.store.logs.insertMany([record]);
    for (const { until } of listeners) await until((text) => text.includes(record._id));
  });

  it('ends when the key that opened it is deleted', async () => {
    const path = `/api/projects/${PROJECT}/api-keys`;
    const made = await api.call('POST', path, { key: KEYS.admin, body: { name: 'short', scopes: ['logs'] } });
    const listener = await listen(made.json.key);
    await listener.until(synced);
    await api.call('DELETE', `${path}/${made.json.id}`, { key: KEYS.admin });
    await listener.ended;
  });

  it('ends when the session that opened it ends', async () => {
    const { headers } = await api.call('POST', '/api/session', { key: null, body: { key: KEYS.logs } });
    const cookie = String(headers['set-cookie']).split(';')[0] as string;
    const listener = await listen('', { cookie });
    await listener.until(synced);
    await api.call('DELETE', '/api/session', {
      key: null,
      headers: { cookie, 'x-sluice-csrf': '1', 'sec-fetch-site': 'same-origin' },
    });
    await listener.ended;
  });

  it('serves two hundred listeners, and refuses the next one with the reason', async () => {
    const listeners = await Promise.all(Array.from({ length: 200 }, () => listen()));
    const late = await listen();
    expect(late.answer.status).toBe(429);
    listeners[0]?.controller.abort();
    let status = 429;
    while (status === 429) {
      const again = await listen();
      status = again.answer.status;
    }
    expect(status).toBe(200);
  });

  it('does not stop the service from shutting down', async () => {
    const own = await openAdminApi();
    const address = await own.server.listen({ host: '127.0.0.1', port: 0 });
    const answer = await fetch(`${address}/${PROJECT}/logs/events`, { headers: { 'x-api-key': KEYS.logs } });
    const text = answer.text();
    await own.close();
    expect(await text).toContain('retry: 2000');
  });
});
