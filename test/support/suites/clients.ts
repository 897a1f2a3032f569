import { request as httpRequest, type IncomingMessage } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { waitFor } from '../../../src/local/processes/wait.js';
import { borrowChains, type Chains, chainEndpoint } from '../chains.js';
import { answerReply, chunk, KEY, landedLog, PROJECT } from '../chat.js';
import { ControlledStream } from '../replies.js';
import { missingPrograms } from '../start-sluice.js';
import type { Way } from '../ways.js';

/** Clients that disconnect, headers that are not ASCII, and headers that are too long, on both sides of a chain. */
export function describeClients(way?: Way): void {
  const missing = way === undefined ? missingPrograms : way.missing;
  describe.skipIf(missing !== null)(way?.name ?? 'an Envoy of ours', () => suite(way));
}

function suite(way?: Way): void {
  let chains: Chains;

  beforeAll(async () => {
    const endpoints = ['left', 'half', 'odd', 'wide'].map((name) =>
      chainEndpoint(name, ['first', 'second'], { timeout_ms: 20_000 }),
    );
    chains = await borrowChains({ endpoints }, way);
  });
  afterAll(() => chains?.stop());
  beforeEach(() => chains?.reset());

  function open(endpoint: string, stream: boolean, headers: Record<string, string> = {}) {
    const url = `${chains.sluice.gatewayUrl}/${PROJECT}/openai/v1/chat/completions`;
    const request = httpRequest(url, {
      method: 'POST',
      agent: false,
      headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json', ...headers },
    });
    // The test destroys the request, which Node.js reports as an error.
    request.on('error', () => {});
    const answer = new Promise<IncomingMessage>((resolve) => request.on('response', resolve));
    const body = { model: endpoint, messages: [{ role: 'user', content: 'Hi' }], stream };
    // Node.js writes headers in UTF-8 where the body is a string, so the body is a buffer.
    request.end(Buffer.from(JSON.stringify(body)));
    return { request, answer };
  }

  /** The log of the only exchange with this endpoint. */
  const logOf = (endpoint: string) =>
    waitFor(
      'the log has landed',
      async () => (await chains.sluice.database.collection('logs').findOne({ endpoint })) ?? undefined,
      { timeoutMs: 20_000 },
    );

  test('a client that leaves before its answer ends the try, and no other one is made', async () => {
    let closed = false;
    chains.first.always((response) => {
      response.on('close', () => {
        closed = true;
      });
    });
    const { request } = open('left', false);
    await chains.first.received();
    request.destroy();
    await expect.poll(() => closed).toBe(true);
    expect(await logOf('left')).toMatchObject({
      status: 'aborted',
      error: { code: 'client_closed' },
      attempts: [{ status: 'aborted' }],
    });
    expect(chains.tries).toEqual([1, 0, 0]);
  });

  test('a client that leaves its stream ends the try', async () => {
    const stream = new ControlledStream();
    let closed = false;
    chains.first.always((response, request) => {
      response.on('close', () => {
        closed = true;
      });
      return stream.reply()(response, request);
    });
    const { request, answer } = open('half', true);
    await stream.send(chunk({ content: 'half' }));
    const { headers } = await answer;
    request.destroy();
    await expect.poll(() => closed).toBe(true);
    const log = await landedLog(chains.sluice, String(headers['x-inference-log-id']));
    expect(log).toMatchObject({ status: 'aborted', error: { code: 'client_closed' } });
    expect(JSON.stringify(log.response)).toContain('half');
  });

  test('a header in other letters than ASCII arrives as it is', async () => {
    chains.first.always(answerReply('Hi'));
    const letters = Buffer.from('Müller 日本').toString('latin1');
    const { answer } = open('odd', false, { 'user-agent': letters });
    expect((await answer).statusCode).toBe(200);
    const [received] = chains.first.requests;
    expect(received!.headers['user-agent']).toBe(letters);
  });

  test('a provider with more headers than Envoy passes on has failed', async () => {
    const many = Object.fromEntries(Array.from({ length: 130 }, (_, index) => [`x-many-${index}`, 'a']));
    chains.first.always((response) => void response.writeHead(200, many).end('{}'));
    chains.second.always(answerReply('Hi'));
    const answer = await chains.ask('wide');
    expect(answer.status, answer.text).toBe(200);
    expect((await landedLog(chains.sluice, answer.id)).attempts).toMatchObject([
      { status: 'server_error' },
      { status: 'success' },
    ]);
  });
}
