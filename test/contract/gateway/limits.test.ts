import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { request } from 'node:http';
import { connect as connectHttp2 } from 'node:http2';
import { text as readText } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { borrowGateway, CHAT_PATH, COMPLETION, type Gateway, KEYS, PROJECT } from '../../support/gateway.js';
import { jsonReply } from '../../support/replies.js';
import { missingPrograms } from '../../support/start-sluice.js';

const MIB = 1024 * 1024;
const sha = (text: string) => createHash('sha256').update(text).digest('hex');

/** A body of exactly so many bytes. */
function bodyOf(model: string, bytes: number): string {
  const [before, after] = JSON.stringify({ model, messages: [{ role: 'user', content: '@' }] }).split(
    '@',
  ) as [string, string];
  return before + 'x'.repeat(bytes - before.length - after.length) + after;
}

describe.skipIf(missingPrograms !== null)('a body', () => {
  let gateway: Gateway;
  beforeAll(async () => {
    gateway = await borrowGateway({ settings: { limits: { response_body_bytes: 22 * MIB } } });
  });
  afterAll(() => gateway?.stop());
  beforeEach(() => gateway.provider.reset());

  it.each(['support', 'chain'])('of 20 MiB passes whole (%s)', async (model) => {
    const body = bodyOf(model, 20 * MIB);
    const answer = await gateway.call('POST', CHAT_PATH, { body });
    expect(answer.status).toBe(200);
    const { content } = ((await gateway.provider.received()).json().messages as { content: string }[])[0]!;
    expect(sha(content)).toBe(
      sha((JSON.parse(body) as { messages: { content: string }[] }).messages[0]!.content),
    );
    expect(await gateway.log(answer.id)).toMatchObject({ status: 'success', http_status: 200 });
  });

  it.each(['support', 'chain'])('of 20 MiB comes back whole (%s)', async (model) => {
    const content = 'y'.repeat(20 * MIB);
    gateway.provider.enqueue(
      jsonReply({ ...COMPLETION, choices: [{ index: 0, message: { role: 'assistant', content } }] }),
    );
    const answer = await gateway.ask({ model });
    expect([answer.status, answer.json.choices[0].message.content.length]).toEqual([200, content.length]);
  });

  it('at the limit passes', async () => {
    expect((await gateway.call('POST', CHAT_PATH, { body: bodyOf('support', 32 * MIB) })).status).toBe(200);
  });

  it.each([
    ['that its length announces', true],
    ['of unknown length', false],
  ])('over the limit %s is 413', async (_case, announced) => {
    const body = bodyOf('support', 32 * MIB + 1);
    const { status, json } = await post(body, announced);
    expect([status, json.error]).toEqual([
      413,
      {
        message: `The body is over the limit of ${32 * MIB} bytes.`,
        type: 'invalid_request_error',
        param: null,
        code: 'request_too_large',
      },
    ]);
    expect(gateway.provider.requests).toEqual([]);
  });

  it.each([
    ['that its length announces', true],
    ['of unknown length', false],
  ])('over the limit %s is answered with a whole 413 over HTTP/2 too', async (_case, announced) => {
    const body = bodyOf('support', 32 * MIB + 1);
    const session = connectHttp2(gateway.sluice.gatewayUrl);
    try {
      const stream = session.request({
        ':method': 'POST',
        ':path': CHAT_PATH,
        authorization: `Bearer ${KEYS.all}`,
        'content-type': 'application/json',
        ...(announced ? { 'content-length': String(body.length) } : {}),
      });
      const head = once(stream, 'response') as Promise<[Record<string, unknown>]>;
      stream.end(body);
      const text = await readText(stream);
      const [headers] = await head;
      expect([headers[':status'], JSON.parse(text).error.code]).toEqual([413, 'request_too_large']);
      // The connection serves the next request.
      const next = session.request({
        ':path': CHAT_PATH.replace(/chat.*/, 'models'),
        authorization: `Bearer ${KEYS.all}`,
      });
      expect(JSON.parse(await readText(next)).object).toBe('list');
    } finally {
      session.destroy();
    }
  });

  it('of tens of thousands of parts is read like any other', async () => {
    const content = Array.from({ length: 90_000 }, () => ({ type: 'text', text: 'x' }));
    const results = [{ type: 'tool_result', tool_use_id: 'call', content }];
    const body = { model: 'support', max_tokens: 9, messages: [{ role: 'user', content: results }] };
    const answer = await gateway.call('POST', `/${PROJECT}/anthropic/v1/messages`, { body });
    expect(answer.status, answer.text).toBe(200);
    const [message] = (await gateway.provider.received()).json().messages as { content: unknown[] }[];
    expect(message!.content).toHaveLength(content.length);
  });

  it('of many values is logged as a whole, and returned as a whole by the API', async () => {
    const odd = {
      'a"\u0000': ['\ud800', 'ж🙈', 1e300, null],
      list: Array.from({ length: 50_000 }, () => ({})),
    };
    const body = { model: 'support', messages: [{ role: 'user', content: 'é'.repeat(MIB) }], odd };
    const content = 'ü'.repeat(MIB);
    const reply = { ...COMPLETION, choices: [{ index: 0, message: { role: 'assistant', content } }] };
    gateway.provider.enqueue(jsonReply(reply));
    const { id } = await gateway.call('POST', CHAT_PATH, { body: { ...body, metadata: { a: 'b' } } });
    await gateway.log(id);
    const answer = await fetch(`${gateway.sluice.adminUrl}/${PROJECT}/logs/${id}`, {
      headers: { authorization: `Bearer ${KEYS.logs}` },
    });
    const log = (await answer.json()) as { request: object; response: object; metadata: object };
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(log).toMatchObject({ id, metadata: { a: 'b' }, tags: ['a:b'], status: 'success' });
    expect(log.request).toStrictEqual(JSON.parse(JSON.stringify(body)));
    expect(log.response).toMatchObject(reply);
  });

  it('of more values than the limit is refused with 400 before it is parsed', async () => {
    const answer = await gateway.ask({ x: Array.from({ length: 300_000 }, () => ({})) });
    expect([answer.status, answer.json.error]).toEqual([
      400,
      {
        message: 'The body has more than 300000 JSON values.',
        type: 'invalid_request_error',
        param: null,
        code: 'invalid_request',
      },
    ]);
    expect(await gateway.log(answer.id)).toMatchObject({ status: 'error', http_status: 400 });
  });

  it('of feedback or a patch has a limit for its values too', async () => {
    const many = Array.from({ length: 300_000 }, () => 0);
    const { id } = await gateway.ask();
    const calls = [
      await gateway.call('POST', `/${PROJECT}/feedback/${id}`, {
        body: { score: 1, weight: 1, metadata: { many } },
      }),
      await gateway.call('PATCH', `/log/${id}`, { body: { metadata: { many } } }),
    ];
    for (const { status, json } of calls) {
      expect([status, json.error.message]).toEqual([400, 'body: has more than 300000 JSON values']);
    }
  });

  it('of an answer over its limit is 502 where the answer must be held back', async () => {
    gateway.provider.enqueue(jsonReply({ ...COMPLETION, more: 'y'.repeat(23 * MIB) }));
    const answer = await gateway.ask();
    expect([answer.status, answer.json.error.code]).toEqual([502, 'upstream_unavailable']);
    expect((await gateway.log(answer.id)).attempts[0].status).toBe('server_error');
  });

  it('in pieces of odd sizes arrives whole', async () => {
    const body = JSON.stringify({ model: 'support', messages: [{ role: 'user', content: 'grüße 👋' }] });
    const { status } = await post(body, false, 3);
    expect(status).toBe(200);
    expect((await gateway.provider.received()).json().messages).toEqual([
      { role: 'user', content: 'grüße 👋' },
    ]);
  });

  /** With its length announced, or in chunks. Goes on reading where the answer comes before all was sent. */
  async function post(body: string, announced: boolean, pieceBytes = 256 * 1024) {
    const bytes = Buffer.from(body);
    return new Promise<{ status: number; json: ReturnType<typeof JSON.parse> }>((resolve, reject) => {
      const call = request(`${gateway.sluice.gatewayUrl}${CHAT_PATH}`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${KEYS.all}`,
          'content-type': 'application/json',
          ...(announced ? { 'content-length': bytes.length } : {}),
        },
      });
      let answered = false;
      call.on('response', (response) => {
        answered = true;
        readText(response).then(
          (text) => resolve({ status: response.statusCode!, json: JSON.parse(text) }),
          reject,
        );
      });
      call.on('error', (error) => {
        if (!answered) reject(error);
      });
      for (let at = 0; at < bytes.length; at += pieceBytes) call.write(bytes.subarray(at, at + pieceBytes));
      call.end();
    });
  }
});
