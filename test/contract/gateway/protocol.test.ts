import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { connect as connectHttp2 } from 'node:http2';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { uuidV7Time } from '../../../src/core/ids.js';
import {
  borrowGateway,
  CHAT_PATH,
  COMPLETION,
  type Gateway,
  KEYS,
  MESSAGES,
  PROJECT,
} from '../../support/gateway.js';
import { jsonReply, streamReply } from '../../support/replies.js';
import { missingPrograms } from '../../support/start-sluice.js';

const HEADERS = `Host: gateway\r\nAuthorization: Bearer ${KEYS.all}`;

const completionOf = (content: string) => ({
  ...COMPLETION,
  choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
});

/** A request with a body, as it goes over the wire. */
function lines(model: string, first = `POST ${CHAT_PATH} HTTP/1.1`, more = ''): string {
  const body = JSON.stringify({ model, messages: MESSAGES });
  return `${first}\r\n${HEADERS}\r\n${more}Content-Length: ${body.length}\r\n\r\n${body}`;
}

describe.skipIf(missingPrograms !== null)('a client', () => {
  let gateway: Gateway;
  beforeAll(async () => {
    const guard = (phase: string) => [
      {
        plugin: 'pii_detection',
        phases: [phase],
        config: { entities: ['EMAIL_ADDRESS'], reject_on_detection: true },
      },
    ];
    const models = [{ provider: 'fake', model: 'large' }];
    gateway = await borrowGateway({
      endpoints: [
        { name: 'guarded', models, plugins: guard('request') },
        { name: 'answers', models, plugins: guard('response') },
      ],
    });
  });
  afterAll(() => gateway?.stop());
  beforeEach(() => {
    gateway.provider.reset();
    gateway.provider.always(jsonReply(COMPLETION));
  });

  /** All that comes until Envoy closes the connection. */
  async function send(bytes: string): Promise<string> {
    const { hostname, port } = new URL(gateway.sluice.gatewayUrl);
    const socket = connect(Number(port), hostname);
    socket.write(bytes);
    return text(socket);
  }

  it('may send further requests before the answers have come, and gets the answers in order', async () => {
    const last = lines('support', undefined, 'Connection: close\r\n');
    const answers = await send(lines('support') + lines('nobody') + lines('chain') + last);
    expect(answers.match(/HTTP\/1\.1 \d+/g)?.map((line) => line.slice(-3))).toEqual([
      '200',
      '404',
      '200',
      '200',
    ]);
  });

  it.each([
    ['has a method that nobody knows', lines('support', `BREW ${CHAT_PATH} HTTP/1.1`), 400],
    ['has headers that are too large', lines('support', undefined, `X-Big: ${'x'.repeat(70_000)}\r\n`), 431],
    ['has no length that is a number', lines('support', undefined, 'Content-Length: many\r\n'), 400],
    ['has NUL in its path', lines('support', `POST ${CHAT_PATH}%00 HTTP/1.1`), 400],
  ])('that %s is told so in an error', async (_case, bytes, status) => {
    expect(await send(bytes)).toMatch(`HTTP/1.1 ${status} `);
    expect(gateway.provider.requests).toEqual([]);
  });

  it.each([
    ['support', '200 OK'],
    ['chain', '200 OK'],
    ['nobody', '404 Not Found'],
  ])('may speak HTTP/1.0, as many proxies do (%s)', async (model, status) => {
    const answer = await send(lines(model, `POST ${CHAT_PATH} HTTP/1.0`));
    expect(answer).toMatch(`HTTP/1.0 ${status}`);
    const [head, body] = answer.split('\r\n\r\n') as [string, string];
    expect(head).not.toMatch(/transfer-encoding/i);
    expect(JSON.parse(body)).toMatchObject(
      status === '200 OK' ? { object: 'chat.completion' } : { error: { code: 'model_not_found' } },
    );
  });

  it('may speak HTTP/1.0 without a host, and gets a stream until the connection ends', async () => {
    gateway.provider.enqueue(
      streamReply(['data: {"choices":[{"index":0,"delta":{"content":"Hi"}}]}\n\n', 'data: [DONE]\n\n']),
    );
    const body = JSON.stringify({ model: 'support', messages: MESSAGES, stream: true });
    const head = `POST ${CHAT_PATH} HTTP/1.0\r\nAuthorization: Bearer ${KEYS.all}\r\nContent-Length: ${body.length}`;
    const answer = await send(`${head}\r\n\r\n${body}`);
    expect(answer).toMatch(/^HTTP\/1\.0 200 OK/);
    expect(answer).toMatch(/data: \[DONE\]\n\n$/);
  });

  it.each<[string, string, object, number]>([
    ['an unknown path', `/${PROJECT}/openai/v1/nothing`, {}, 404],
    ['no valid key', CHAT_PATH, { key: 'sk-wrong', text: 'x'.repeat(100_000) }, 401],
    ['an unknown endpoint', CHAT_PATH, { model: 'nobody' }, 404],
    ['a guard that rejects', CHAT_PATH, { model: 'guarded', text: 'write to ann@example.com' }, 400],
    [
      'a long request that a guard rejects',
      CHAT_PATH,
      { model: 'guarded', text: `ann@example.com ${'x '.repeat(100_000)}` },
      400,
    ],
    ['output that is rejected', CHAT_PATH, { model: 'answers', text: 'say a mail' }, 400],
  ])('can use its connection again after %s', async (_case, path, asked, status) => {
    const { key = KEYS.all, model = 'support', text: content = 'Hi' } = asked as Record<string, string>;
    gateway.provider.always(jsonReply(completionOf('ann@example.com')));
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const sockets = new Set<unknown>();
    for (let turn = 0; turn < 3; turn++) {
      const call = request(`${gateway.sluice.gatewayUrl}${path}`, {
        method: 'POST',
        agent,
        headers: { authorization: `Bearer ${key}` },
      });
      call.on('socket', (socket) => sockets.add(socket));
      call.end(JSON.stringify({ model, messages: [{ role: 'user', content }] }));
      const [answer] = await once(call, 'response');
      await text(answer);
      expect([answer.statusCode, answer.headers.connection ?? 'keep-alive']).toEqual([status, 'keep-alive']);
    }
    agent.destroy();
    expect(sockets.size).toBe(1);
  });

  it('may end its paths with slashes', async () => {
    gateway.provider.always(jsonReply(COMPLETION));
    const { id, status } = await gateway.call('POST', `${CHAT_PATH}/`, {
      body: { model: 'support', messages: MESSAGES },
    });
    expect(status).toBe(200);
    await gateway.log(id);
    const signal = { score: 1, weight: 1 };
    const feedback = await gateway.call('POST', `/${PROJECT}/feedback/${id}/`, { body: signal });
    expect([feedback.status, feedback.text]).toEqual([200, expect.stringContaining('"id"')]);
    for (const path of [`/log/${id}/`, `/${PROJECT}/log/${id}/`]) {
      expect((await gateway.call('PATCH', path, { body: { quality_rating: '👍' } })).status).toBe(200);
    }
    const { adminUrl } = gateway.sluice;
    const headers = { authorization: `Bearer ${KEYS.all}` };
    for (const path of [
      `/${PROJECT}/logs/`,
      `/${PROJECT}/logs/${id}/`,
      `/${PROJECT}/logs/${id}/feedback/`,
      '/healthz/ready/',
      '/openapi.json',
    ]) {
      expect([path, (await fetch(adminUrl + path, { headers })).status]).toEqual([path, 200]);
    }
  });

  it('that asks for a WebSocket is told in an ordinary error to use HTTP', async () => {
    const upgrade = 'Connection: Upgrade\r\nUpgrade: websocket';
    const answer = await send(
      `GET /${PROJECT}/openai/v1/responses HTTP/1.1\r\n${HEADERS}\r\n${upgrade}\r\n\r\n`,
    );
    expect(answer).toMatch('HTTP/1.1 426 ');
    expect(uuidV7Time(/x-inference-log-id: (\S+)/.exec(answer)?.[1] ?? '')).toBeDefined();
    expect(JSON.parse(answer.split('\r\n\r\n')[1]!).error).toMatchObject({ code: 'invalid_request' });
  });

  it.each(['support', 'chain'])('of HTTP/2 may end its request with trailers (%s)', async (model) => {
    const session = connectHttp2(gateway.sluice.gatewayUrl);
    const call = session.request(
      { ':method': 'POST', ':path': CHAT_PATH, authorization: `Bearer ${KEYS.all}` },
      { waitForTrailers: true },
    );
    call.on('wantTrailers', () => call.sendTrailers({ 'x-checksum': '1' }));
    call.end(JSON.stringify({ model, messages: MESSAGES }));
    expect(JSON.parse(await text(call))).toMatchObject({ inference_log_id: expect.any(String) });
    session.close();
    expect((await gateway.provider.received()).json().messages).toEqual(MESSAGES);
  });
});
