import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/core/json.js';
import { borrowChains, type Chains, chainEndpoint, GOOD, wanting } from '../chains.js';
import {
  answerReply,
  chunk,
  dataFrames,
  streamAnswerFrames,
  streamAnswerReply,
  streamedText,
} from '../chat.js';
import { ControlledStream, hangReply, type Reply } from '../replies.js';
import { missingPrograms } from '../start-sluice.js';
import type { Way } from '../ways.js';

/** Sends a piece every few milliseconds until the client leaves, and never ends. */
const dribble =
  (type: string, piece: string): Reply =>
  async (response) => {
    response.writeHead(200, { 'content-type': type });
    while (!response.destroyed) {
      response.write(piece);
      await new Promise((resume) => setTimeout(resume, 20));
    }
  };
const dribblingJson = dribble('application/json', ' ');
const dribblingStream = dribble('text/event-stream', chunk({ content: ' ' }));
const dribblingComments = dribble('text/event-stream', ': wait\n\n');

/** Sends a complete stream and leaves the connection open. */
const leftOpen =
  (...pieces: string[]): Reply =>
  (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const frame of streamAnswerFrames(...pieces)) response.write(frame);
  };

/** Long enough for a busy machine to answer within it. */
const TRY_MS = 1_000;
const IDLE_MS = 800;

const CHECKED = { json_validation: true };

/** The time limits of a chain. */
export function describeTimes(way?: Way): void {
  const missing = way === undefined ? missingPrograms : way.missing;
  describe.skipIf(missing !== null)(way?.name ?? 'an Envoy of ours', () => suite(way));
}

function suite(way?: Way): void {
  let chains: Chains;

  beforeAll(async () => {
    chains = await borrowChains(
      {
        endpoints: [
          chainEndpoint('try', ['first', 'second'], { ...CHECKED, timeout_ms: TRY_MS }),
          chainEndpoint('single', ['first'], { timeout_ms: 600 }),
          chainEndpoint('total', ['first', 'second', 'third'], {
            ...CHECKED,
            timeout_ms: TRY_MS,
            total_timeout_ms: TRY_MS + 700,
          }),
          chainEndpoint('open', ['first', 'second'], { ...CHECKED, fallback_on: ['invalid_output'] }),
          chainEndpoint('open-single', ['first'], CHECKED),
          chainEndpoint('total-single', ['first'], { timeout_ms: 300, total_timeout_ms: 300 }),
          chainEndpoint('idle', ['first', 'second'], { timeout_ms: 10_000, stream_idle_timeout_ms: IDLE_MS }),
          chainEndpoint('idle-single', ['first'], { timeout_ms: 10_000, stream_idle_timeout_ms: IDLE_MS }),
        ],
      },
      way,
    );
  });
  afterAll(() => chains?.stop());
  beforeEach(() => chains?.reset());

  const code = (answer: { json: JsonObject | undefined }) =>
    (answer.json as { error: JsonObject }).error.code;

  describe('a held stream that its provider leaves open behind its end', () => {
    test.each(['open', 'open-single'])('is answered (%s)', async (endpoint) => {
      chains.first.always(leftOpen(GOOD));
      const answer = await chains.ask(endpoint, { ...wanting(), stream: true });
      expect(answer.status, answer.text).toBe(200);
      expect(streamedText(answer.text)).toBe(GOOD);
      expect((await chains.log(answer)).attempts).toMatchObject([{ status: 'success' }]);
      expect(await (await chains.first.received()).answered).toBe(false);
    });

    test('goes to the next model where it is invalid', async () => {
      chains.first.always(leftOpen('{}'));
      chains.second.always(streamAnswerReply(GOOD));
      const answer = await chains.ask('open', { ...wanting(), stream: true });
      expect(answer.status, answer.text).toBe(200);
      const { attempts } = await chains.log(answer);
      expect(attempts).toMatchObject([{ status: 'invalid_output' }, { status: 'success' }]);
    });
  });

  describe('timeout_ms ends a try', () => {
    test.each<[string, Reply, JsonObject]>([
      ['that never answers', hangReply, {}],
      ['whose plain answer dribbles', dribblingJson, {}],
      ['whose plain answer is judged and dribbles', dribblingJson, wanting()],
      ['whose stream is judged and dribbles', dribblingStream, { ...wanting(), stream: true }],
      ['whose stream has only comments', dribblingComments, { stream: true }],
    ])('%s, and the next model answers', async (_what, reply, body) => {
      chains.first.always(reply);
      chains.second.always(body.stream === true ? streamAnswerReply(GOOD) : answerReply(GOOD));
      const answer = await chains.ask('try', body);
      expect(answer.status, answer.text).toBe(200);
      const { attempts } = await chains.log(answer);
      expect(attempts).toMatchObject([{ status: 'timeout' }, { status: 'success' }]);
      expect(await (await chains.first.received()).answered).toBe(false);
    });

    test.each<[string, Reply, JsonObject]>([
      ['that never answers', hangReply, {}],
      ['whose answer dribbles', dribblingJson, {}],
      ['whose stream never has its first event', hangReply, { stream: true }],
    ])('%s: 504 where there is no other model', async (_what, reply, body) => {
      chains.first.always(reply);
      const answer = await chains.ask('single', body);
      expect([answer.status, code(answer)]).toEqual([504, 'upstream_timeout']);
      expect(await chains.log(answer)).toMatchObject({
        status: 'error',
        http_status: 504,
        attempts: [{ status: 'timeout' }],
      });
      expect(await (await chains.first.received()).answered).toBe(false);
    });

    test('but not one whose stream has begun, however long it goes on', async () => {
      const stream = new ControlledStream();
      chains.first.always(stream.reply());
      const answering = chains.ask('try', { stream: true });
      await stream.send(chunk({ role: 'assistant', content: 'a' }));
      const begun = performance.now();
      let sent = 0;
      while (performance.now() - begun < 1.5 * TRY_MS) {
        await new Promise((resume) => setTimeout(resume, 100));
        await stream.send(chunk({ content: 'b' }));
        sent++;
      }
      await stream.send(`${chunk({}, 'stop')}data: [DONE]\n\n`);
      await stream.end();
      expect(streamedText((await answering).text)).toBe(`a${'b'.repeat(sent)}`);
    });
  });

  describe('total_timeout_ms ends all tries', () => {
    test('where each alone had time left', async () => {
      for (const provider of chains.providers) provider.always(hangReply);
      const answer = await chains.ask('total', wanting());
      expect([answer.status, code(answer)]).toEqual([504, 'upstream_timeout']);
      expect(chains.tries).toEqual([1, 1, 0]);
      expect((await chains.log(answer)).attempts).toMatchObject([
        { status: 'timeout' },
        { status: 'timeout' },
      ]);
      expect(await (await chains.second.received()).answered).toBe(false);
    });

    test('where a held answer dribbles', async () => {
      chains.first.always(dribblingStream);
      chains.second.always(dribblingStream);
      const answer = await chains.ask('total', { ...wanting(), stream: true });
      expect([answer.status, code(answer)]).toEqual([504, 'upstream_timeout']);
      expect(chains.tries).toEqual([1, 1, 0]);
    });

    test('of a single model', async () => {
      chains.first.always(hangReply);
      const answer = await chains.ask('total-single');
      expect([answer.status, code(answer)]).toEqual([504, 'upstream_timeout']);
    });
  });

  describe('stream_idle_timeout_ms ends a stream that has begun', () => {
    test.each(['idle', 'idle-single'])('with an error event and without [DONE] (%s)', async (endpoint) => {
      const stream = new ControlledStream();
      chains.first.always(stream.reply());
      const answering = chains.ask(endpoint, { stream: true });
      await stream.send(chunk({ role: 'assistant', content: 'Hel' }));
      await stream.send(chunk({ content: 'lo' }));
      const answer = await answering;
      expect(answer.status).toBe(200);
      const frames = dataFrames(answer.text);
      expect(JSON.parse(frames.at(-1)!)).toMatchObject({ error: { code: 'upstream_timeout' } });
      expect(frames).not.toContain('[DONE]');
      expect(streamedText(answer.text)).toBe('Hello');
      expect(chains.second.requests.length).toBe(0);
      expect(await chains.log(answer)).toMatchObject({
        status: 'error',
        http_status: 200,
        attempts: [{ status: 'timeout' }],
        response: { choices: [{ message: { content: 'Hello' } }] },
      });
      expect(await (await chains.first.received()).answered).toBe(false);
    });

    test('but not one that is slow to begin', async () => {
      const stream = new ControlledStream();
      chains.first.always(stream.reply());
      const answering = chains.ask('idle', { stream: true });
      // Longer than a released stream may be silent.
      await new Promise((resume) => setTimeout(resume, 1.5 * IDLE_MS));
      await stream.send(`${chunk({ content: 'late' })}${chunk({}, 'stop')}data: [DONE]\n\n`);
      await stream.end();
      expect(streamedText((await answering).text)).toBe('late');
    });
  });
}
