import { randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/core/json.js';
import { launchBrowser, missingForDashboard } from '../../support/dashboard.js';
import { borrowGateway, CHAT_PATH, type Gateway, KEYS, MESSAGES, PROJECT } from '../../support/gateway.js';
import { jsonReply, type Reply, streamReply } from '../../support/replies.js';
import { missingPrograms } from '../../support/start-sluice.js';

const OPEN_PROJECT = '00000000-0000-4000-8000-000000000003';
const SILENT_PROJECT = '00000000-0000-4000-8000-000000000004';
const ORIGIN = 'https://app.example.com';
const endpoints: JsonObject[] = [
  { name: 'support', models: [{ provider: 'fake', model: 'pages' }] },
  { name: 'chain', models: ['pages', 'pages-too'].map((model) => ({ provider: 'fake', model })) },
  { name: 'held', models: [{ provider: 'fake', model: 'held' }], json_validation: true },
];
const scopes = ['inference', 'feedback', 'logs'];

describe.skipIf(missingPrograms !== null)('pages of browsers', () => {
  let gateway: Gateway;
  let site: Server;
  let siteOrigin: string;

  beforeAll(async () => {
    site = createServer((_request, response) => {
      response.setHeader('content-type', 'text/html');
      response.end('<!doctype html><title>A page</title>');
    });
    await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
    siteOrigin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
    const project = (uid: string, name: string, cors?: JsonObject): JsonObject => ({
      uid,
      name,
      api_keys: [{ name: 'all', key: uid === PROJECT ? KEYS.all : `sk-${name}`, scopes }],
      endpoints,
      ...(cors === undefined ? {} : { cors }),
    });
    gateway = await borrowGateway({
      settings: {
        projects: [
          project(PROJECT, 'named', { origins: ['https://APP.example.com', siteOrigin] }),
          project(OPEN_PROJECT, 'open', { origins: ['*'] }),
          project(SILENT_PROJECT, 'silent'),
        ],
      },
    });
  });
  afterAll(async () => {
    await gateway?.stop();
    await new Promise((resolve) => site?.close(resolve));
  });

  const preflight = (path: string, origin: string, more: Record<string, string> = {}) =>
    gateway.call('OPTIONS', path, {
      key: null,
      headers: {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization, content-type, x-stainless-lang',
        ...more,
      },
    });
  const pathOf = (uid: string) => CHAT_PATH.replace(PROJECT, uid);

  describe('ask before they call', () => {
    it('and are allowed, without a key, with the headers that they want to send', async () => {
      const asked = gateway.provider.requests.length;
      const answer = await preflight(CHAT_PATH, ORIGIN);
      expect(answer.status, answer.text).toBe(204);
      expect(Object.fromEntries(answer.headers)).toMatchObject({
        'access-control-allow-origin': ORIGIN,
        'access-control-allow-methods': 'GET, POST, PATCH',
        'access-control-allow-headers': 'authorization, content-type, x-stainless-lang',
        'access-control-max-age': '600',
        vary: 'origin',
      });
      expect(answer.headers.get('access-control-allow-credentials')).toBeNull();
      expect(gateway.provider.requests).toHaveLength(asked);
    });

    it.each([
      ['feedback', `/${PROJECT}/feedback/${randomUUID()}`],
      ['a patch of a log', `/${PROJECT}/log/${randomUUID()}`],
      ['the list of models', `/${PROJECT}/openai/v1/models`],
      ['Messages', `/${PROJECT}/anthropic/v1/messages`],
      ['Gemini', `/${PROJECT}/gemini/v1beta/models/support:generateContent?key=${KEYS.all}`],
    ])('for %s too', async (_what, path) => {
      expect((await preflight(path, ORIGIN)).status).toBe(204);
    });

    it.each([
      ['an origin that the project does not name', CHAT_PATH, 'https://elsewhere.example.com'],
      ['an origin that only begins like one of them', CHAT_PATH, `${ORIGIN}.elsewhere.com`],
      ['another port', CHAT_PATH, `${ORIGIN}:8443`],
      ['a sandboxed page', CHAT_PATH, 'null'],
      ['a project without pages', pathOf(SILENT_PROJECT), ORIGIN],
      ['no project', pathOf(randomUUID()), ORIGIN],
    ])('and are refused: %s', async (_what, path, origin) => {
      const answer = await preflight(path, origin);
      expect(answer.status).toBe(404);
      expect(answer.json.error.message).toBe(
        `The project's cors.origins does not name the origin ${origin}.`,
      );
      expect(answer.headers.get('access-control-allow-origin')).toBeNull();
    });

    it('and any origin is allowed where the project allows all pages', async () => {
      const answer = await preflight(pathOf(OPEN_PROJECT), 'null');
      expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([204, '*']);
      expect(answer.headers.get('vary')).toBeNull();
    });

    it('and invalid header names are not repeated in the answer', async () => {
      const answer = await preflight(CHAT_PATH, ORIGIN, {
        'access-control-request-headers': 'a b, <script>',
      });
      expect([answer.status, answer.headers.get('access-control-allow-headers')]).toEqual([204, null]);
    });
  });

  describe('can read', () => {
    const page = { origin: ORIGIN };
    const shown = ({ headers }: { headers: Headers }) => ({
      origin: headers.get('access-control-allow-origin'),
      exposed: headers.get('access-control-expose-headers')?.includes('x-inference-log-id'),
    });
    const SHOWN = { origin: ORIGIN, exposed: true };

    it.each(['support', 'chain'])(
      'the answer of %s, without the CORS headers of its provider',
      async (model) => {
        const headers = {
          'access-control-allow-origin': '*',
          'access-control-allow-credentials': 'true',
          vary: 'accept',
        };
        gateway.provider.enqueue(jsonReply({ ...COMPLETED }, { headers }));
        const answer = await gateway.ask({ model }, { headers: page });
        expect([answer.status, shown(answer)], answer.text).toEqual([200, SHOWN]);
        expect(answer.headers.get('access-control-allow-credentials')).toBeNull();
        expect(answer.headers.get('vary')).toBe('accept, origin');
      },
    );

    it('a stream', async () => {
      gateway.provider.enqueue(streamReply(STREAMED));
      const answer = await gateway.ask({ stream: true }, { headers: page });
      expect([answer.status, shown(answer)], answer.text).toEqual([200, SHOWN]);
    });

    it.each([
      ['a wrong key', { key: 'sk-wrong' }, {}, 401],
      ['an endpoint that is not there', {}, { model: 'nobody' }, 404],
      ['a body that is no request', {}, { messages: 'x' }, 400],
    ])('an error: %s', async (_what, options, changes, status) => {
      const answer = await gateway.ask(changes, { ...options, headers: page });
      expect([answer.status, shown(answer)]).toEqual([status, SHOWN]);
    });

    it('an error that Envoy answers by itself, before any filter', async () => {
      gateway.provider.enqueue(cut);
      const answer = await gateway.ask(HELD, { headers: page });
      expect([answer.status, answer.headers.get('access-control-allow-origin')], answer.text).toEqual([
        502,
        ORIGIN,
      ]);
    });

    it('the answer to feedback', async () => {
      const { id } = await gateway.ask({}, { headers: page });
      const body = { score: 1, weight: 1 };
      const answer = await gateway.call('POST', `/${PROJECT}/feedback/${id}`, { body, headers: page });
      expect([answer.status, shown(answer)], answer.text).toEqual([200, SHOWN]);
      const stranger = { origin: 'https://elsewhere.example.com' };
      const other = await gateway.call('POST', `/${PROJECT}/feedback/${id}`, { body, headers: stranger });
      expect([other.status, shown(other).origin]).toEqual([200, null]);
    });

    it('the CORS headers only where the client is a page', async () => {
      const headers = { 'access-control-allow-origin': 'https://provider.example.com' };
      gateway.provider.enqueue(jsonReply({ ...COMPLETED }, { headers }));
      const answer = await gateway.ask();
      expect(answer.headers.get('access-control-allow-origin')).toBe('https://provider.example.com');
      expect(answer.headers.get('vary')).toBeNull();
    });
  });

  it('can call a project of the admin API as soon as it names them', async () => {
    const uid = randomUUID();
    const made = await gateway.admin('POST', '/api/projects', {
      uid,
      name: uid,
      cors: { origins: [ORIGIN] },
    });
    expect([made.status, made.json.cors], made.text).toEqual([201, { origins: [ORIGIN] }]);
    await expect.poll(async () => (await preflight(pathOf(uid), ORIGIN)).status).toBe(204);
    const wrong = await gateway.admin('POST', '/api/projects', {
      name: 'x',
      cors: { origins: [`${ORIGIN}/`] },
    });
    expect([wrong.status, wrong.text]).toEqual([400, expect.stringContaining('without a path')]);
    const { headers, json } = await gateway.admin('GET', `/api/projects/${uid}`);
    const { uid: _uid, managed_by: _by, base_urls: _urls, ...content } = json;
    const change = { ...content, cors: null };
    const changed = await gateway.admin('PUT', `/api/projects/${uid}`, change, {
      'if-match': headers.get('etag')!,
    });
    expect([changed.status, changed.json.cors], changed.text).toEqual([200, null]);
    await expect.poll(async () => (await preflight(pathOf(uid), ORIGIN)).status).toBe(404);
  });

  describe.skipIf(missingForDashboard !== null)('in Chromium', () => {
    let browser: Browser;
    let page: Page;

    beforeAll(async () => {
      browser = await launchBrowser();
      page = await browser.newPage();
      await page.goto(siteOrigin);
    });
    afterAll(() => browser?.close());

    /** What the page reads, or the browser's error. */
    const call = (uid: string, key: string, body: object) =>
      page.evaluate(
        async ({ url, token, sent }) => {
          const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
          try {
            const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(sent) });
            return {
              status: answer.status,
              id: answer.headers.get('x-inference-log-id'),
              text: await answer.text(),
            };
          } catch (error) {
            return { failed: String(error) };
          }
        },
        { url: `${gateway.sluice.gatewayUrl}${pathOf(uid)}`, token: key, sent: body },
      );

    it('a page asks, calls, and reads answers, streams and errors', async () => {
      const request = { model: 'support', messages: MESSAGES };
      gateway.provider.enqueue(jsonReply(COMPLETED), streamReply(STREAMED));
      const plain = await call(PROJECT, KEYS.all, request);
      expect(plain).toMatchObject({ status: 200, id: expect.stringMatching(/^[0-9a-f-]{36}$/) });
      expect(await call(PROJECT, KEYS.all, { ...request, stream: true })).toMatchObject({
        status: 200,
        text: expect.stringContaining('data: [DONE]'),
      });
      expect(await call(PROJECT, 'sk-wrong', request)).toMatchObject({
        status: 401,
        text: expect.stringContaining('invalid_api_key'),
      });
    });

    it('a page that the project does not name reads nothing, and no model is asked', async () => {
      const asked = gateway.provider.requests.length;
      const answer = await call(SILENT_PROJECT, 'sk-silent', { model: 'support', messages: MESSAGES });
      expect(answer).toEqual({ failed: 'TypeError: Failed to fetch' });
      expect(gateway.provider.requests).toHaveLength(asked);
    });
  });
});

const COMPLETED = {
  id: 'c1',
  object: 'chat.completion',
  created: 1,
  model: 'pages',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }],
};

const STREAMED = [
  `data: ${JSON.stringify({ id: 'c1', choices: [{ index: 0, delta: { content: 'Hi' }, finish_reason: 'stop' }] })}\n\n`,
  'data: [DONE]\n\n',
];

/** The engine holds the answer, so that nothing was sent when it breaks off. */
const HELD = {
  model: 'held',
  response_format: { type: 'json_schema', json_schema: { name: 'x', schema: { type: 'object' } } },
};

/** The connection breaks in the middle of an answer. */
const cut: Reply = (response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '500' });
  response.write('{"id":', () => response.socket?.resetAndDestroy());
};
