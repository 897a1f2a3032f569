import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/core/json.js';
import { reservePort } from '../../../src/local/ports.js';
import { type Borrowed, borrowSluice } from '../borrow-sluice.js';
import { answerReply, chat, KEY, landedLog, PROJECT, streamAnswerReply, streamedText } from '../chat.js';
import type { FakeProvider } from '../fake-provider.js';
import { startFakeProvider } from '../fake-provider.js';
import { ControlledStream, hangReply, jsonReply, type Reply, resetReply, streamReply } from '../replies.js';
import { missingPrograms, type Sluice } from '../start-sluice.js';
import type { Way } from '../ways.js';

const SCHEMA = {
  type: 'object',
  properties: { name: { type: 'string' } },
  required: ['name'],
  additionalProperties: false,
};
const RESPONSE_FORMAT = { type: 'json_schema', json_schema: { name: 'person', schema: SCHEMA } };
const GOOD = '{"name":"Ann"}';
const BAD = '{"name":12}';

interface Failure {
  reason: 'invalid_output' | 'timeout' | 'rate_limited' | 'server_error';
  what: string;
  plain: Reply;
  stream: Reply;
  /** What the client gets where no model is left. */
  last: { status: number; code: string | undefined; streamStatus?: number };
}

function failures(): Failure[] {
  const limited = jsonReply(
    { error: { message: 'slow down', type: 'requests', param: null, code: 'rate_limit' } },
    { status: 429, headers: { 'retry-after': '0' } },
  );
  const overloaded = jsonReply({ error: { message: 'overloaded', code: 'busy' } }, { status: 529 });
  const broken = jsonReply({ error: { message: 'oops', code: 'oops' } }, { status: 500 });
  const cutStream: Reply = async (response, request) => {
    const stream = new ControlledStream();
    const sent = stream.reply()(response, request);
    await stream.send(': nothing yet\n\n');
    await stream.reset();
    await sent;
  };
  const cutBody: Reply = (response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '500' });
    response.write('{"id":', () => response.socket?.resetAndDestroy());
  };
  const error = (code: string, status: number) => ({ status, code });
  return [
    {
      reason: 'invalid_output',
      what: 'output that breaks the schema',
      plain: answerReply(BAD),
      stream: streamAnswerReply('{"na', 'me":12}'),
      last: error('output_validation_failed', 422),
    },
    {
      reason: 'timeout',
      what: 'silence',
      plain: hangReply,
      stream: hangReply,
      last: error('upstream_timeout', 504),
    },
    {
      reason: 'rate_limited',
      what: 'a 429',
      plain: limited,
      stream: limited,
      last: error('rate_limit', 429),
    },
    {
      reason: 'rate_limited',
      what: 'a 529',
      plain: overloaded,
      stream: overloaded,
      last: error('busy', 529),
    },
    { reason: 'server_error', what: 'a 500', plain: broken, stream: broken, last: error('oops', 500) },
    {
      reason: 'server_error',
      what: 'an answer that breaks off',
      plain: cutBody,
      stream: cutStream,
      last: error('upstream_unavailable', 502),
    },
  ];
}

/** Chains of three models whose first models fail, for each reason of fallbacks. */
export function describeFallback(way?: Way): void {
  const missing = way === undefined ? missingPrograms : way.missing;
  describe.skipIf(missing !== null)(way?.name ?? 'an Envoy of ours', () => fallbackSuite(way));
}

function fallbackSuite(way?: Way): void {
  let borrowed: Borrowed;
  let sluice: Sluice;
  /** The providers `first`, `second` and `third` of each chain. */
  let providers: FakeProvider[];
  let closedPort: { port: number; release(): Promise<void> };

  /** Models have the name of their endpoint, so that a failure in another test does not cool them down. */
  const chainOf = (endpoint: string, names: string[]) =>
    names.map((provider) => `{ provider: ${provider}, model: "${endpoint}" }`).join(', ');

  /** An endpoint for each number of models that have no host and so fail. The other models fail by their replies. */
  function configuration(): string {
    const [first, second, third] = providers.map((provider) => provider.baseUrl);
    const none = `http://127.0.0.1:${closedPort.port}/v1`;
    const endpoint = (name: string, names: string[], rest = '') =>
      `      - { name: ${name}, models: [${chainOf(name, names)}], json_validation: true${rest} }`;
    return `
providers:
  first: { api: openai, base_url: "${first}", api_key_env: FIRST_KEY, headers: { x-first: "yes" } }
  second: { api: openai, base_url: "${second}", api_key_env: SECOND_KEY }
  third: { api: openai, base_url: "${third}" }
  gone1: { api: openai, base_url: "${none}" }
  gone2: { api: openai, base_url: "${none}" }
  gone3: { api: openai, base_url: "${none}" }
projects:
  - uid: ${PROJECT}
    name: test
    api_keys: [{ name: test, key: ${KEY}, scopes: [inference, feedback, logs] }]
    endpoints:
${endpoint('chain', ['first', 'second', 'third'])}
${failures()
  .flatMap(({ reason }, index) => {
    // The limit is only short where a timeout is tested, because a slow machine may need longer in the other cases.
    const rest = reason === 'timeout' ? ', timeout_ms: 1000' : '';
    return ['plain', 'stream'].map((form) =>
      endpoint(`${form}-${index}`, ['first', 'second', 'third'], rest),
    );
  })
  .join('\n')}
${endpoint('gone-1', ['gone1', 'second', 'third'])}
${endpoint('gone-2', ['gone1', 'gone2', 'third'])}
${endpoint('gone-3', ['gone1', 'gone2', 'gone3'])}
${endpoint('only-invalid', ['first', 'second'], ', fallback_on: [invalid_output]')}
`;
  }

  beforeAll(async () => {
    providers = await Promise.all([startFakeProvider(), startFakeProvider(), startFakeProvider()]);
    closedPort = await reservePort();
    borrowed = await borrowSluice(configuration(), way);
    sluice = borrowed.sluice;
  });

  afterAll(async () => {
    await borrowed?.giveBack();
    await closedPort?.release();
    await Promise.all(providers?.map((provider) => provider.stop()) ?? []);
  });

  beforeEach(() => {
    for (const provider of providers ?? []) provider.reset();
  });

  /**
   * How many of the three models fail. With Envoys of control planes fewer numbers are tested, and only one of them waits for
   * a timeout.
   */
  const numbersOf = (reason: string) => (way === undefined ? [1, 2, 3] : reason === 'timeout' ? [1] : [1, 3]);

  const request = (stream: boolean, schema: boolean): JsonObject => ({
    ...(stream ? { stream: true } : {}),
    ...(schema ? { response_format: RESPONSE_FORMAT } : {}),
  });

  const good = (stream: boolean): Reply =>
    stream ? streamAnswerReply('{"name"', ':"Ann"}') : answerReply(GOOD);

  describe('a model that fails is answered by the next', () => {
    for (const [kind, { reason, what, plain, stream, last }] of failures().entries()) {
      for (const streamed of [false, true]) {
        const form = streamed ? 'stream' : 'plain';
        for (const failing of numbersOf(reason)) {
          test(`${reason}, ${what}, ${form}, ${failing} of 3`, async () => {
            for (const [index, provider] of providers.entries()) {
              provider.always(index < failing ? (streamed ? stream : plain) : good(streamed));
            }
            const endpoint = `${form}-${kind}`;
            const answer = await chat(sluice, endpoint, request(streamed, true));

            const tried = Math.min(failing + 1, 3);
            expect(providers.map(({ requests }) => requests.length)).toEqual(
              [1, 2, 3].map((n) => (n <= tried ? 1 : 0)),
            );
            expect(answer.headers.get('x-sluice-attempts')).toBe(String(tried));
            const log = await landedLog(sluice, answer.id);
            expect(log.attempts.map((attempt: JsonObject) => attempt.status)).toEqual([
              ...Array(failing).fill(reason),
              ...Array(tried - failing).fill('success'),
            ]);
            if (failing === 3) {
              expect(answer.status, answer.text).toBe(last.status);
              expect((answer.json as { error: JsonObject }).error.code).toBe(last.code);
              expect(log.status).toBe(reason === 'invalid_output' ? 'invalid_output' : 'error');
              return;
            }
            expect(answer.status, answer.text).toBe(200);
            const model = `${['first', 'second', 'third'][tried - 1]}/${endpoint}`;
            expect(answer.headers.get('x-sluice-model')).toBe(model);
            expect(log).toMatchObject({ status: 'success', model });
            if (streamed) expect(streamedText(answer.text)).toBe(GOOD);
            else expect(answer.json).toMatchObject({ choices: [{ message: { content: GOOD } }] });
          });
        }
      }
    }

    for (const streamed of [false, true]) {
      for (const gone of [1, 2, 3]) {
        test(`connect, no host, ${streamed ? 'stream' : 'plain'}, ${gone} of 3`, async () => {
          for (const provider of providers) provider.always(good(streamed));
          const answer = await chat(sluice, `gone-${gone}`, request(streamed, true));
          const log = await landedLog(sluice, answer.id);
          expect(log.attempts.map((attempt: JsonObject) => attempt.status)).toEqual([
            ...Array(gone).fill('connect'),
            ...(gone < 3 ? ['success'] : []),
          ]);
          if (gone < 3) expect(answer.status, answer.text).toBe(200);
          else expect(answer.json).toMatchObject({ error: { code: 'upstream_unavailable' } });
        });
      }
    }

    test('a connection that is reset before an answer', async () => {
      providers[0]!.always(resetReply);
      providers[1]!.always(answerReply('Hi'));
      const answer = await chat(sluice, 'chain');
      expect(answer.json).toMatchObject({ choices: [{ message: { content: 'Hi' } }] });
      expect((await landedLog(sluice, answer.id)).attempts).toMatchObject([
        { status: 'server_error' },
        { status: 'success' },
      ]);
    });

    test('an error as the first event of a stream that is not held', async () => {
      providers[0]!.always(streamReply(['data: {"error":{"message":"overloaded","code":"busy"}}\n\n']));
      providers[1]!.always(streamAnswerReply('Hi'));
      const answer = await chat(sluice, 'chain', { stream: true });
      expect(streamedText(answer.text)).toBe('Hi');
      expect((await landedLog(sluice, answer.id)).attempts).toMatchObject([
        { status: 'server_error', error: { message: 'overloaded' } },
        { status: 'success' },
      ]);
    });

    test('the retry-after of the last provider reaches the client', async () => {
      const limited = jsonReply(
        { error: { message: 'slow down' } },
        { status: 429, headers: { 'retry-after': '7' } },
      );
      for (const provider of providers) provider.always(limited);
      const answer = await chat(sluice, 'only-invalid');
      expect(answer.status).toBe(429);
      expect(answer.headers.get('retry-after')).toBe('7');
    });
  });
}
