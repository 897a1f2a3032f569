import { connect as connectHttp2 } from 'node:http2';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { uuidV7Time } from '../../src/core/ids.js';
import { CHAT_PATH, type Gateway, KEYS, MESSAGES, PROJECT, startGateway } from '../support/gateway.js';
import { missingPrograms } from '../support/start-sluice.js';

const HEADERS = `Host: gateway\r\nAuthorization: Bearer ${KEYS.all}`;

/** A request with a body, as it goes over the wire. */
function lines(model: string, first = `POST ${CHAT_PATH} HTTP/1.1`, more = ''): string {
  const body = JSON.stringify({ model, messages: MESSAGES });
  return `${first}\r\n${HEADERS}\r\n${more}Content-Length: ${body.length}\r\n\r\n${body}`;
}

describe.skipIf(missingPrograms !== null)('a client', () => {
  let gateway: Gateway;
  beforeAll(async () => {
    gateway = await startGateway();
  });
  afterAll(() => gateway?.stop());
  beforeEach(() => gateway.provider.reset());

  /** All that comes until Envoy closes the connection. */
  async function send(bytes: string): Promise<string> {
    const { hostname, port } = new URL(gateway.sluice.gatewayUrl);
    const socket = connect(Number(port), hostname);
    socket.write(bytes);
    return text(socket);
  }

  it('may send its requests before the answers have come, and gets them in order', async () => {
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
    ['speaks HTTP/1.0', lines('support', `POST ${CHAT_PATH} HTTP/1.0`), 426],
    ['has a method that nobody knows', lines('support', `BREW ${CHAT_PATH} HTTP/1.1`), 400],
    ['has headers that are too large', lines('support', undefined, `X-Big: ${'x'.repeat(70_000)}\r\n`), 431],
    ['has no length that is a number', lines('support', undefined, 'Content-Length: many\r\n'), 400],
    ['has NUL in its path', lines('support', `POST ${CHAT_PATH}%00 HTTP/1.1`), 400],
  ])('that %s is told so', async (_case, bytes, status) => {
    expect(await send(bytes)).toMatch(`HTTP/1.1 ${status} `);
    expect(gateway.provider.requests).toEqual([]);
  });

  it('that asks for another protocol gets an error as any other', async () => {
    const upgrade = 'Connection: Upgrade\r\nUpgrade: websocket';
    const answer = await send(
      `GET /${PROJECT}/openai/v1/responses HTTP/1.1\r\n${HEADERS}\r\n${upgrade}\r\n\r\n`,
    );
    expect(answer).toMatch('HTTP/1.1 403 ');
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
