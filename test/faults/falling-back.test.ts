import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/core/json.js';
import { type PortReservation, reservePort } from '../../src/local/ports.js';
import { BAD, type Chains, chainEndpoint, startChains, wanting } from '../support/chains.js';
import { answerReply, landedLogs, resetsOf, streamAnswerReply, streamedText } from '../support/chat.js';
import { inspectable, memoryAfterCollection } from '../support/engine-memory.js';
import { jsonReply, type Reply } from '../support/replies.js';
import { missingPrograms } from '../support/start-sluice.js';

const REQUESTS = 10_000;
const WARM = 1_000;
const AT_ONCE = 16;
const MAX_GROWTH_BYTES = 20 * 1024 * 1024;

/** One in three falls back: half of them for a status, half for an output that breaks the schema. */
const KINDS = ['server_error', undefined, undefined, 'invalid_output', undefined, undefined] as const;

let chains: Chains;
let inspector: PortReservation;

beforeAll(async () => {
  if (missingPrograms !== null) return;
  inspector = await reservePort();
  chains = await startChains({
    endpoints: [chainEndpoint('pair', ['first', 'second'], { json_validation: true })],
    environment: inspectable(inspector.port),
  });
});
afterAll(async () => {
  await chains?.stop();
  await inspector?.release();
});

const broken = jsonReply({ error: { message: 'no', code: 'no' } }, { status: 500 });

const failing: Reply = (response, request) => {
  const how = /fail-(\w+)/.exec(request.text)?.[1];
  if (how === 'server_error') return broken(response, request);
  return answering(how === 'invalid_output' ? () => BAD : named)(response, request);
};
const answering =
  (output: (text: string) => string): Reply =>
  (response, request) => {
    const text = output(request.text);
    const reply =
      request.json().stream === true ? streamAnswerReply(...text.match(/.{1,6}/g)!) : answerReply(text);
    return reply(response, request);
  };
const named = (text: string) => JSON.stringify({ name: /nonce-\d+/.exec(text)![0] });

async function ask(index: number): Promise<string> {
  const kind = KINDS[index % KINDS.length];
  const stream = index % 4 === 1;
  const answer = await chains.ask('pair', {
    ...wanting(),
    stream,
    messages: [{ role: 'user', content: `nonce-${index} fail-${kind ?? 'not'}` }],
  });
  expect(answer.status, answer.text).toBe(200);
  const text = stream
    ? streamedText(answer.text)
    : (answer.json as { choices: { message: { content: string } }[] }).choices[0]!.message.content;
  expect(JSON.parse(text)).toEqual({ name: `nonce-${index}` });
  return answer.id;
}

/** Sends the requests with these numbers, and gives their log ids once all their logs are right. */
async function run(from: number, to: number): Promise<void> {
  const ids: string[] = [];
  let next = from;
  const worker = async () => {
    while (next < to) {
      const index = next++;
      ids[index - from] = await ask(index);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  const logs = await landedLogs(chains.sluice, ids);
  for (const [at, { attempts }] of logs.entries()) {
    const kind = KINDS[(from + at) % KINDS.length];
    const statuses = attempts.map(({ status }: JsonObject) => status);
    expect(statuses).toEqual(kind === undefined ? ['success'] : [kind, 'success']);
  }
  chains.reset();
}

describe.skipIf(missingPrograms !== null)('ten thousand requests, one in three falling back', () => {
  test('each get their own answer, with their tries in their log, without a reset or a leak', async () => {
    chains.first.always(failing);
    chains.second.always(answering(named));
    await run(0, WARM);
    const warm = await memoryAfterCollection(inspector.port);
    for (let from = WARM; from < REQUESTS; from += 1_000) await run(from, from + 1_000);
    const grown = (await memoryAfterCollection(inspector.port)) - warm;
    expect(await resetsOf(chains.sluice)).toBe(0);
    expect(grown, `from ${warm} bytes`).toBeLessThan(MAX_GROWTH_BYTES);
  });
});
