import { once } from 'node:events';
import { connect as connectHttp2, constants } from 'node:http2';
import { connect } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { SHORT_BODY_BYTES } from '../../../src/envoy/names.js';
import { FLAG, FRAME } from '../../../src/grpc/frames.js';
import { waitFor } from '../../../src/local/processes/wait.js';
import { borrowGateway, CHAT_PATH, type Gateway, KEYS, MESSAGES } from '../../support/gateway.js';
import { RawHttp2 } from '../../support/raw-http2.js';
import { missingPrograms } from '../../support/start-sluice.js';

const MODELS = ['support', 'chain'];

/** A body of exactly so many bytes. */
function bodyOf(model: string, bytes: number): string {
  const write = (content: string) => JSON.stringify({ model, messages: [{ role: 'user', content }] });
  return write('x'.repeat(bytes - write('').length));
}

const head = (body: string, key = KEYS.all) => ({
  ':method': 'POST',
  ':scheme': 'http',
  ':authority': 'gateway',
  ':path': CHAT_PATH,
  authorization: `Bearer ${key}`,
  'content-type': 'application/json',
  'content-length': String(Buffer.byteLength(body)),
});

function answered(client: RawHttp2, stream: number): Promise<unknown> {
  const isAnswered = async () => client.received.get(stream)?.includes(FRAME.data) === true;
  return waitFor('an answer arrives', isAnswered, { timeoutMs: 20_000 });
}

describe.skipIf(missingPrograms !== null)('a body with a content-length', () => {
  let gateway: Gateway;
  beforeAll(async () => {
    gateway = await borrowGateway();
  });
  afterAll(() => gateway?.stop());
  beforeEach(() => gateway.provider.reset());

  /** Messages of the engine, which do not depend on how many pieces a provider's answer comes in. */
  async function messages(): Promise<number> {
    const stats = await gateway.sluice.envoyAdmin.stats('ext_proc\\.stream_msgs_received$');
    return [...stats.values()].reduce((total, count) => total + count, 0);
  }

  async function messagesOf(model: string, bytes: number): Promise<number> {
    const before = await messages();
    const answer = await gateway.call('POST', CHAT_PATH, { body: bodyOf(model, bytes) });
    expect(answer.status).toBe(200);
    return (await messages()) - before;
  }

  it.each(MODELS)('goes to the engine together with its headers if it is short (%s)', async (model) => {
    const short = await messagesOf(model, SHORT_BODY_BYTES);
    // The engine accepts the key before it gets a longer body.
    expect(await messagesOf(model, SHORT_BODY_BYTES + 1)).toBe(short + 1);
  });

  it.each([
    ['support', SHORT_BODY_BYTES],
    ['support', SHORT_BODY_BYTES + 1],
    ['chain', SHORT_BODY_BYTES],
    ['chain', SHORT_BODY_BYTES + 1],
  ])('reaches the provider whole (%s, %d bytes)', async (model, bytes) => {
    const answer = await gateway.call('POST', CHAT_PATH, { body: bodyOf(model, bytes) });
    expect(answer.status).toBe(200);
    const { messages: sent } = (await gateway.provider.received()).json();
    expect(sent).toEqual(JSON.parse(bodyOf(model, bytes)).messages);
    expect(await gateway.log(answer.id)).toMatchObject({ status: 'success', request: { messages: sent } });
  });

  it.each([100, SHORT_BODY_BYTES, SHORT_BODY_BYTES + 1])(
    'reaches the provider with a length (%d bytes)',
    async (bytes) => {
      await gateway.call('POST', CHAT_PATH, { body: bodyOf('support', bytes) });
      const { headers, body } = await gateway.provider.received();
      expect(headers['content-length']).toBe(String(body.length));
      expect(headers).not.toHaveProperty('transfer-encoding');
      expect(Object.keys(headers).filter((name) => name.startsWith('x-sluice-'))).toEqual([]);
    },
  );

  it.each(MODELS)('is one message where the client sends it in frames of one byte (%s)', async (model) => {
    const body = bodyOf(model, 3_000);
    const client = await RawHttp2.connect(gateway.sluice.gatewayUrl);
    const stream = client.open(head(body));
    await client.body(stream, Buffer.from(body), { end: true });
    await answered(client, stream);
    client.close();
    // The engine refuses one that comes in several messages.
    expect((await gateway.provider.received()).json().messages).toEqual(JSON.parse(body).messages);
  });

  it.each(MODELS)('may have trailers behind it (%s)', async (model) => {
    const session = connectHttp2(gateway.sluice.gatewayUrl);
    try {
      const body = bodyOf(model, 500);
      const { ':scheme': _scheme, ':authority': _authority, ...headers } = head(body);
      const stream = session.request(headers, { waitForTrailers: true } as never);
      stream.on('wantTrailers', () => stream.sendTrailers({ 'x-checksum': 'abc' }));
      stream.end(body);
      const [answer] = await once(stream, 'response');
      expect(answer[constants.HTTP2_HEADER_STATUS]).toBe(200);
      expect(JSON.parse(await readText(stream)).choices).toHaveLength(1);
    } finally {
      session.close();
    }
  });

  it('may be sent only after "100 Continue"', async () => {
    const body = bodyOf('support', 500);
    const { hostname, port } = new URL(gateway.sluice.gatewayUrl);
    const socket = connect(Number(port), hostname);
    const lines = [
      `POST ${CHAT_PATH} HTTP/1.1`,
      'host: gateway',
      `authorization: Bearer ${KEYS.all}`,
      'content-type: application/json',
      `content-length: ${body.length}`,
      'expect: 100-continue',
      'connection: close',
    ];
    socket.write(`${lines.join('\r\n')}\r\n\r\n`);
    const [first] = await once(socket, 'data');
    expect(String(first)).toMatch(/^HTTP\/1\.1 100 /);
    socket.write(body);
    expect(await readText(socket)).toMatch(/^HTTP\/1\.1 200 /);
  });

  it.each([
    ['a wrong key', 'sk-none', 401, 'invalid_api_key'],
    ['a key of another project', KEYS.other, 401, 'invalid_api_key'],
    ['a key without the scope', KEYS.logs, 403, 'insufficient_scope'],
  ])('is refused with %s', async (_whose, key, status, code) => {
    const answer = await gateway.ask({}, { key });
    expect([answer.status, answer.json.error.code]).toEqual([status, code]);
    expect(gateway.provider.requests).toEqual([]);
  });

  it('that never ends costs the engine nothing once its client has left', async () => {
    const before = await messages();
    const client = await RawHttp2.connect(gateway.sluice.gatewayUrl);
    const body = JSON.stringify({ model: 'support', messages: MESSAGES });
    const stream = client.open(head(body));
    await client.body(stream, Buffer.from(body.slice(0, -1)));
    // What comes on the same connection behind it was read after it.
    const other = client.open(head(body), FLAG.endHeaders);
    await client.body(other, Buffer.from(body), { end: true });
    await answered(client, other);
    client.close();
    expect(client.received.get(stream)).toBeUndefined();
    expect((await messages()) - before).toBe(await messagesOf('support', 500));
  });
});
