import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/core/json.js';
import { FALLBACK_REASONS, type FallbackReason } from '../../../src/core/settings.js';
import { BAD, borrowChains, type Chains, chainEndpoint, GOOD, wanting } from '../../support/chains.js';
import { answerReply, chunk, streamAnswerReply, streamedText } from '../../support/chat.js';
import { bytesReply, ControlledStream, hangReply, jsonReply, type Reply } from '../../support/replies.js';
import { missingPrograms } from '../../support/start-sluice.js';

interface Failure {
  what: string;
  reason: FallbackReason;
  /** The first provider of the chain. */
  from?: 'gone';
  /** The reply of the first provider, where it is there to reply. */
  reply: Reply;
  streamReply?: Reply;
  /** What the client gets where this reason is not listed. */
  told: { status: number; code: string };
}

const refusal = (status: number, code: string, headers = {}) =>
  jsonReply({ error: { message: 'no', type: 'x', param: null, code } }, { status, headers });

const brokenOff: Reply = (response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '500' });
  response.write('{"id":', () => response.socket?.resetAndDestroy());
};

const brokenStream: Reply = async (response, request) => {
  const stream = new ControlledStream();
  const sent = stream.reply()(response, request);
  await stream.send(': wait\n\n');
  await stream.reset();
  await sent;
};

const FAILURES: Failure[] = [
  {
    what: 'an output that breaks the schema',
    reason: 'invalid_output',
    reply: answerReply(BAD),
    streamReply: streamAnswerReply(BAD),
    told: { status: 422, code: 'output_validation_failed' },
  },
  {
    what: 'no connection',
    reason: 'connect',
    from: 'gone',
    reply: hangReply,
    told: { status: 502, code: 'upstream_unavailable' },
  },
  {
    what: 'silence',
    reason: 'timeout',
    reply: hangReply,
    told: { status: 504, code: 'upstream_timeout' },
  },
  {
    what: 'a 429',
    reason: 'rate_limited',
    reply: refusal(429, 'slow', { 'retry-after': '0', 'x-should-retry': 'true' }),
    told: { status: 429, code: 'slow' },
  },
  { what: 'a 529', reason: 'rate_limited', reply: refusal(529, 'busy'), told: { status: 529, code: 'busy' } },
  { what: 'a 503', reason: 'server_error', reply: refusal(503, 'oops'), told: { status: 503, code: 'oops' } },
  {
    what: 'a 429 of an Envoy before the provider',
    reason: 'rate_limited',
    reply: refusal(429, 'slow', { 'x-envoy-ratelimited': 'true', 'x-sluice-retry': 'no' }),
    told: { status: 429, code: 'slow' },
  },
  {
    what: 'an answer that breaks off',
    reason: 'server_error',
    reply: brokenOff,
    streamReply: brokenStream,
    told: { status: 502, code: 'upstream_unavailable' },
  },
];

const CASES = FAILURES.flatMap((failure, index) =>
  FALLBACK_REASONS.map((listed) => ({
    ...failure,
    listed,
    name: `${index}-${listed}`,
    goesOn: failure.reason === listed,
  })),
);

let chains: Chains;

beforeAll(async () => {
  if (missingPrograms !== null) return;
  const endpoints = CASES.map(({ name, listed, from, reason, goesOn }) =>
    chainEndpoint(name, [from ?? 'first', 'second'], {
      json_validation: true,
      fallback_on: [listed],
      // The next model has as long to answer, also on a slow machine.
      ...(reason === 'timeout' ? { timeout_ms: goesOn ? 1_500 : 400 } : {}),
    }),
  );
  chains = await borrowChains({
    endpoints: [
      ...endpoints,
      chainEndpoint('none', ['first', 'second'], { json_validation: true, fallback_on: [] }),
      chainEndpoint('all', ['first', 'second'], { json_validation: true }),
    ],
  });
});
afterAll(() => chains?.stop());
beforeEach(() => chains?.reset());

describe.skipIf(missingPrograms !== null)('fallback_on', () => {
  for (const { what, reason, name, listed, reply, streamReply, told, goesOn } of CASES) {
    for (const stream of [false, true]) {
      const then = goesOn ? 'goes on to the next model' : 'is told to the client';
      test(`${what} (${reason}) with ${listed} alone ${then}, ${stream ? 'stream' : 'plain'}`, async () => {
        chains.first.always(stream ? (streamReply ?? reply) : reply);
        chains.second.always(stream ? streamAnswerReply(GOOD) : answerReply(GOOD));
        const answer = await chains.ask(name, { ...wanting(), stream });
        expect(answer.headers.get('x-sluice-attempts')).toBe(goesOn ? '2' : '1');
        expect(chains.second.requests.length).toBe(goesOn ? 1 : 0);
        if (goesOn) {
          expect(answer.status, answer.text).toBe(200);
          expect(stream ? streamedText(answer.text) : answer.text).toContain(stream ? GOOD : 'Ann');
        } else {
          expect([answer.status, (answer.json as { error: JsonObject }).error.code]).toEqual([
            told.status,
            told.code,
          ]);
          expect(answer.headers.get('content-type')).toBe('application/json');
        }
        const statuses = (await chains.log(answer)).attempts.map(({ status }: JsonObject) => status);
        expect(statuses).toEqual(goesOn ? [reason, 'success'] : [reason]);
      });
    }
  }
});

describe.skipIf(missingPrograms !== null)('passes to the client unchanged', () => {
  test.each([400, 401, 403, 404, 422])('a status that no list can name (%i)', async (status) => {
    const body = `{"error":{"message":"no","code":${status},"more":1.0}}`;
    const headers = { 'content-type': 'application/json', 'x-provider': 'a', 'x-should-retry': 'true' };
    chains.first.always(bytesReply(body, { status, headers }));
    const answer = await chains.ask('all');
    expect([answer.status, answer.text]).toEqual([status, body]);
    expect(answer.headers.get('x-provider')).toBe('a');
    expect(answer.headers.get('x-should-retry')).toBe('true');
    expect(chains.second.requests.length).toBe(0);
    expect((await chains.log(answer)).attempts).toMatchObject([
      { status: 'client_error', http_status: status, error: { message: 'no' } },
    ]);
  });

  test('a failure that is not listed, with its headers', async () => {
    const headers = { 'retry-after': '0', 'x-ratelimit-remaining-requests': '0', 'x-should-retry': 'true' };
    chains.first.always(refusal(429, 'slow', headers));
    const answer = await chains.ask('none');
    expect(answer.status).toBe(429);
    for (const [name, value] of Object.entries(headers)) expect(answer.headers.get(name)).toBe(value);
  });

  test('an error as the first event of a stream', async () => {
    chains.first.always(
      bytesReply('data: {"error":{"message":"busy","code":"busy"}}\n\n', {
        headers: { 'content-type': 'text/event-stream' },
      }),
    );
    const answer = await chains.ask('none', { stream: true });
    expect(answer.status).toBe(200);
    expect(answer.text).toContain('"busy"');
    expect(chains.second.requests.length).toBe(0);
    expect(await chains.log(answer)).toMatchObject({
      status: 'error',
      attempts: [{ status: 'server_error' }],
    });
  });
});

describe.skipIf(missingPrograms !== null)('the error of the last model', () => {
  test('carries the retry-after of its own provider, and not that of an earlier one', async () => {
    chains.first.always(refusal(429, 'one', { 'retry-after': '0', 'x-first': 'a' }));
    chains.second.always(refusal(503, 'two', { 'retry-after': '7' }));
    const answer = await chains.ask('all');
    expect([answer.status, (answer.json as { error: JsonObject }).error.code]).toEqual([503, 'two']);
    expect(answer.headers.get('retry-after')).toBe('7');
    expect(answer.headers.get('x-first')).toBeNull();
    expect(answer.headers.get('x-sluice-attempts')).toBe('2');
    expect(answer.headers.get('x-sluice-retry')).toBeNull();
  });

  test('may be HTML of a proxy', async () => {
    const html = bytesReply('<h1>Bad Gateway</h1>', {
      status: 502,
      headers: { 'content-type': 'text/html' },
    });
    for (const provider of chains.providers) provider.always(html);
    const answer = await chains.ask('all');
    expect([answer.status, answer.text, answer.headers.get('content-type')]).toEqual([
      502,
      '<h1>Bad Gateway</h1>',
      'text/html',
    ]);
  });

  test("is not that of the second model where the first one's stream has begun, whose text stays", async () => {
    const stream = new ControlledStream();
    chains.first.always(stream.reply());
    const asked = chains.ask('all', { stream: true });
    await stream.send(chunk({ role: 'assistant', content: 'Hel' }));
    await stream.send('data: {"error":{"message":"lost","code":"lost"}}\n\n');
    await stream.end();
    const answer = await asked;
    expect(answer.status).toBe(200);
    expect(streamedText(answer.text.split('data: {"error"')[0]!)).toBe('Hel');
    expect(answer.text).toContain('"lost"');
    expect(chains.second.requests.length).toBe(0);
    const log = await chains.log(answer);
    expect(log).toMatchObject({ status: 'error', attempts: [{ status: 'server_error' }] });
  });
});
