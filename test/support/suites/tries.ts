import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/core/json.js';
import { BAD, borrowChains, type Chains, CREDENTIALS, chainEndpoint, GOOD, wanting } from '../chains.js';
import { answerReply, chunk, KEY, landedLogs, resetsOf, streamAnswerReply, streamedText } from '../chat.js';
import { bytesReply, jsonReply, type Reply } from '../replies.js';
import { missingPrograms } from '../start-sluice.js';
import type { Way } from '../ways.js';

const fails = (status: number): Reply => jsonReply({ error: { message: 'no', code: 'no' } }, { status });

/** What each try of a chain contains, and what it leaves behind. */
export function describeTries(way?: Way): void {
  const missing = way === undefined ? missingPrograms : way.missing;
  describe.skipIf(missing !== null)(way?.name ?? 'an Envoy of ours', () => suite(way));
}

function suite(way?: Way): void {
  let chains: Chains;

  beforeAll(async () => {
    chains = await borrowChains(
      {
        endpoints: [
          chainEndpoint('couple', ['first', 'second'], { json_validation: true }),
          chainEndpoint('bare', ['first', 'third'], { json_validation: true }),
          chainEndpoint('mixed', ['first', 'second'], { json_validation: true }),
          chainEndpoint('single', ['first']),
          {
            name: 'same',
            models: ['large', 'small', 'tiny'].map((model) => ({ provider: 'second', model })),
            json_validation: true,
          },
        ],
      },
      way,
    );
  });
  afterAll(() => chains?.stop());
  beforeEach(() => chains?.reset());

  describe('each try', () => {
    test('has the whole body of 20 MiB', async () => {
      const text = 'ä–x'.repeat((20 * 1024 * 1024) / 6);
      const messages = [{ role: 'user', content: text }];
      chains.first.always(fails(500));
      chains.second.always(answerReply('got it'));
      const answer = await chains.ask('couple', { messages });
      expect(answer.status, answer.text.slice(0, 200)).toBe(200);
      for (const provider of [chains.first, chains.second]) {
        const received = await provider.received();
        const [message] = received.json().messages as JsonObject[];
        expect(sha256(String(message!.content))).toBe(sha256(text));
      }
    });

    test('has its provider’s credential, headers and host, and none of the one before', async () => {
      chains.first.always(fails(500));
      chains.second.always(answerReply('Hi'));
      chains.third.always(answerReply('Hi'));
      await chains.ask('couple', {}, { 'x-mine': 'a', 'user-agent': 'test/1' });
      await chains.ask('bare', {}, { 'x-first': 'of the client' });
      const [first, second, third] = await Promise.all(
        chains.providers.map((provider) => provider.received()),
      );
      expect(first!.headers).toMatchObject({
        authorization: `Bearer ${CREDENTIALS.first}`,
        'x-first': 'yes',
      });
      expect(second!.headers).toMatchObject({
        authorization: `Bearer ${CREDENTIALS.second}`,
        host: `127.0.0.1:${chains.second.port}`,
        'x-mine': 'a',
        'user-agent': 'test/1',
      });
      expect(second!.headers['x-first']).toBeUndefined();
      // A client's own header is only sent to a provider whose configuration lists it.
      expect(first!.headers['x-mine']).toBeUndefined();
      // A provider without a credential gets none, and gets the client's own header again.
      expect(third!.headers.authorization).toBeUndefined();
      expect(third!.headers['x-first']).toBe('of the client');
      for (const received of [first!, second!, third!]) {
        const names = Object.keys(received.headers);
        expect(names.filter((name) => /^(x-sluice-|x-envoy-|x-forwarded-|x-inference-)/.test(name))).toEqual(
          [],
        );
        expect(JSON.stringify(received.headers) + received.text).not.toContain(KEY);
      }
      expect(second!.text + JSON.stringify(second!.headers)).not.toContain(CREDENTIALS.first);
    });

    test('is counted from the client’s request: what one model is told, the next is not', async () => {
      chains.second.enqueue(answerReply(BAD), answerReply('no JSON'), answerReply(GOOD));
      const answer = await chains.ask('same', { ...wanting(), seed: 7 });
      const sent = chains.second.requests.map((request) => request.json());
      expect(sent).toEqual(
        ['large', 'small', 'tiny'].map((model) => ({
          model,
          messages: [{ role: 'user', content: 'Hello' }],
          seed: 7,
        })),
      );
      expect(answer.headers.get('x-sluice-model')).toBe('second/tiny');
      expect(answer.headers.get('x-sluice-attempts')).toBe('3');
    });

    test('is in the log with its own usage and place of failure', async () => {
      const usage = (prompt: number, completion: number) => ({
        usage: { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion },
      });
      chains.second.enqueue(answerReply(BAD, usage(10, 1)), fails(500), answerReply(GOOD, usage(30, 3)));
      const log = await chains.log(await chains.ask('same', wanting()));
      expect(log).toMatchObject({
        status: 'success',
        model: 'second/tiny',
        usage: { input_tokens: 40, output_tokens: 4 },
        attempts: [
          {
            provider: 'second',
            model: 'large',
            status: 'invalid_output',
            http_status: 200,
            error: { path: '/name', message: expect.stringContaining('string') },
            usage: { input_tokens: 10, output_tokens: 1 },
          },
          { model: 'small', status: 'server_error', http_status: 500, error: { message: 'no' }, usage: null },
          { model: 'tiny', status: 'success', error: null, usage: { input_tokens: 30, output_tokens: 3 } },
        ],
      });
      for (const { duration_ms } of log.attempts) expect(duration_ms).toBeGreaterThan(0);
    });
  });

  describe('a credential', () => {
    test('is in no answer, no log and no diagnostics, whatever a provider says', async () => {
      const echo =
        (status: number): Reply =>
        (response, request) => {
          const key = String(request.headers.authorization);
          const error = { message: `no such key: ${key}`, code: 'invalid_key' };
          const headers = status === 401 ? { 'x-said': key } : {};
          return jsonReply({ error }, { status, headers })(response, request);
        };
      const echoInStream: Reply = (response, request) => {
        const error = {
          error: { message: `lost with ${request.headers.authorization}`, type: 'server_error' },
        };
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.end(`${chunk({ role: 'assistant', content: 'Hel' })}data: ${JSON.stringify(error)}\n\n`);
      };
      const echoes = [echo(401), echo(401), echo(200)];
      chains.first.enqueue(fails(500), bytesReply('oops', { status: 502 }), answerReply(BAD), ...echoes);
      chains.first.always(echoInStream);
      chains.second.always(answerReply(GOOD));
      const answers = [];
      for (const body of [{}, {}, wanting(), {}]) answers.push(await chains.ask('couple', body));
      for (const stream of [false, false, true]) answers.push(await chains.ask('single', { stream }));
      expect(answers.at(-2)!.text).toContain('no such key: Bearer [redacted]');
      expect(answers.at(-1)!.text).toContain('lost with Bearer [redacted]');
      const logs = await Promise.all(answers.map((answer) => chains.log(answer)));
      const diagnostics = await chains.sluice.engineLog();
      const envoyLog = await readFile(join(chains.sluice.dataFolder, 'envoy.log'), 'utf8');
      const clusters = await readFile(join(chains.sluice.dataFolder, 'envoy', 'clusters.yaml'), 'utf8');
      const headers = answers.map((answer) => [...answer.headers]);
      const told = JSON.stringify([answers, headers, logs]) + diagnostics + envoyLog + clusters;
      for (const secret of [...Object.values(CREDENTIALS), KEY]) expect(told).not.toContain(secret);
    });
  });

  describe('many requests at once', () => {
    const NONCE = /nonce-\d+/;

    /** Answers with the nonce of the request, or fails where the request says so. */
    const echoing =
      (number: number): Reply =>
      (response, request) => {
        const body = request.json();
        const text = request.text;
        const nonce = NONCE.exec(text)![0];
        const how = /how-(\w+)/.exec(text)![1]!;
        const failing = how.startsWith('second') && number === 1;
        if (failing && how === 'second500') return fails(500)(response, request);
        const output = JSON.stringify({ name: failing ? 12 : nonce });
        const reply =
          body.stream === true ? streamAnswerReply(...output.match(/.{1,5}/g)!) : answerReply(output);
        return reply(response, request);
      };

    const KINDS = ['first', 'second500', 'secondBad'].flatMap((how) =>
      [false, true].flatMap((stream) => [false, true].map((schema) => ({ how, stream, schema }))),
    );

    const send = async (index: number) => {
      const { how, stream, schema } = KINDS[index % KINDS.length]!;
      const falls = how === 'second500' || (how === 'secondBad' && schema);
      const endpoint = !schema && how === 'first' ? 'single' : 'mixed';
      const answer = await chains.ask(endpoint, {
        messages: [{ role: 'user', content: `nonce-${index} how-${how}` }],
        metadata: { nonce: `nonce-${index}` },
        stream,
        ...(schema ? wanting() : {}),
      });
      return { index, stream, falls, broken: how === 'secondBad' && !schema, answer };
    };

    test('a hundred of all kinds: each answer and each log has its own nonce', async () => {
      chains.first.always(echoing(1));
      chains.second.always(echoing(2));
      const results = await Promise.all(Array.from({ length: 100 }, (_, index) => send(index)));
      for (const { index, stream, falls, broken, answer } of results) {
        expect(answer.status, answer.text).toBe(200);
        const text = stream ? streamedText(answer.text) : contentOf(answer.json!);
        expect(JSON.parse(text)).toEqual({ name: broken ? 12 : `nonce-${index}` });
        expect(answer.headers.get('x-sluice-attempts')).toBe(falls ? '2' : '1');
      }
      expect(new Set(results.map(({ answer }) => answer.id)).size).toBe(100);
      for (const { index, falls, answer } of results) {
        const log = await chains.log(answer);
        expect(log.tags).toEqual([`nonce:nonce-${index}`]);
        expect(JSON.stringify(log.request)).toContain(`nonce-${index} `);
        expect(log.attempts.length).toBe(falls ? 2 : 1);
      }
    });

    // Streams of other Envoys are reset at the same places, so that a few requests are enough there.
    const many = way === undefined ? 1_000 : 200;
    test(`${many} requests, one in three falling back: no reset, and each log has its tries`, async () => {
      const resets = await resetsOf(chains.sluice, way);
      chains.first.always(echoing(1));
      chains.second.always(echoing(2));
      const ids: string[] = [];
      let next = 0;
      const worker = async () => {
        while (next < many) {
          const index = next++;
          const answer = await chains.ask('mixed', {
            messages: [
              { role: 'user', content: `nonce-${index} how-${index % 3 === 0 ? 'second500' : 'first'}` },
            ],
          });
          expect(contentOf(answer.json!)).toBe(`{"name":"nonce-${index}"}`);
          ids[index] = answer.id;
        }
      };
      await Promise.all(Array.from({ length: 16 }, worker));
      const logs = await landedLogs(chains.sluice, ids);
      for (const [index, { attempts }] of logs.entries()) {
        const statuses = attempts.map(({ status }: JsonObject) => status);
        expect(statuses).toEqual(index % 3 === 0 ? ['server_error', 'success'] : ['success']);
      }
      expect(await resetsOf(chains.sluice, way)).toBe(resets);
    });
  });

  function contentOf(json: JsonObject): string {
    return (json as { choices: { message: { content: string } }[] }).choices[0]!.message.content;
  }

  function sha256(text: string): string {
    return createHash('sha256').update(text).digest('hex');
  }
}
