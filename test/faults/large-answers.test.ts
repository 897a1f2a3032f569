import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/core/json.js';
import { COMPLETION, type Gateway, startGateway } from '../support/gateway.js';
import { jsonReply, type Reply } from '../support/replies.js';
import { missingPrograms } from '../support/start-sluice.js';

/*
 * What has made Envoy crash: an answer that its model has ended while the attempt filter still held it, and something behind that
 * filter that could not take more. Here all of it happens at once, by chance.
 */

const SECONDS = Number(process.env.LARGE_ANSWERS_SECONDS ?? 60);
const SEED = Number(process.env.SEED ?? Date.now() % 1_000_000);
const AT_ONCE = 6;
const MEBIBYTE = 1 << 20;

const guard = {
  plugin: 'pii_detection',
  phases: ['response'],
  config: { entities: ['PERSON'], mask: true, reject_on_detection: false },
};
const models = [
  { provider: 'fake', model: 'small' },
  { provider: 'fake', model: 'large' },
];
const ENDPOINTS: JsonObject[] = [
  { name: 'guarded', models: models.slice(1), plugins: [guard] },
  { name: 'guarded-chain', models, plugins: [guard] },
  { name: 'checked-chain', models, json_validation: true },
];
const MODELS = ['support', 'guarded', 'chain', 'guarded-chain', 'checked-chain'];

/** The same numbers for the same seed. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const next = numbers(SEED);
const chunk = (content: string) =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`;
const TEXT = chunk('word '.repeat(13_000));

async function write(response: ServerResponse, text: string): Promise<void> {
  if (response.destroyed || response.write(text)) return;
  await Promise.race([once(response, 'drain'), once(response, 'close')]);
}

async function stream(response: ServerResponse, bytes: number, end: 'ends' | 'breaks off'): Promise<void> {
  response.setMaxListeners(0);
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  if (next(4) === 0)
    for (let sent = 0; sent < 4 * MEBIBYTE; sent += 1_000) await write(response, `:${'-'.repeat(998)}\n`);
  for (let sent = 0; sent < bytes && !response.destroyed; sent += TEXT.length) await write(response, TEXT);
  if (end === 'ends') response.end('data: [DONE]\n\n');
  else response.socket?.resetAndDestroy();
}

/** Answers of up to 30 MiB in all forms, and failures at which the next model is tried. */
const answering: Reply = async (response, request) => {
  if (next(6) === 0) return jsonReply({ error: { message: 'no' } }, { status: 500 })(response, request);
  const bytes = next(30) * MEBIBYTE;
  if (request.json().stream === true) return stream(response, bytes, next(5) === 0 ? 'breaks off' : 'ends');
  const message = { role: 'assistant', content: 'x'.repeat(bytes) };
  return jsonReply({ ...COMPLETION, choices: [{ index: 0, message, finish_reason: 'stop' }] })(
    response,
    request,
  );
};

/** Reads an answer at once, late, piece by piece with rests, or only its beginning. */
async function ask(gateway: Gateway): Promise<void> {
  const leaving = new AbortController();
  const model = MODELS[next(MODELS.length)]!;
  const schema = { type: 'json_schema', json_schema: { name: 'any', schema: { type: 'object' } } };
  const changes = {
    model,
    stream: next(3) > 0,
    ...(model === 'checked-chain' ? { response_format: schema } : {}),
  };
  const opened = await gateway.open(changes, { signal: leaving.signal });
  const how = next(4);
  if (how === 0) await sleep(next(2_000));
  const reader = opened.body!.getReader();
  for (let pieces = 0; ; pieces++) {
    const { done } = await reader.read();
    if (done) return;
    if (how === 1 && pieces % 50 === 0) await sleep(next(50));
    if (how === 2 && pieces > next(200)) return leaving.abort();
  }
}

describe.skipIf(missingPrograms !== null)(`answers of many megabytes, SEED=${SEED}`, () => {
  let gateway: Gateway;
  beforeAll(async () => {
    gateway = await startGateway({ endpoints: ENDPOINTS });
    gateway.provider.always(answering);
  });
  afterAll(() => gateway?.stop());

  test('bring down neither Envoy nor the engine, however they are read, broken off or delayed', async () => {
    const { engine, envoy } = gateway.sluice;
    const pids = [engine.pid, envoy.pid];
    const until = performance.now() + SECONDS * 1_000;
    let asked = 0;
    const client = async () => {
      while (performance.now() < until && envoy.running) {
        asked++;
        await ask(gateway).catch(() => undefined);
      }
    };
    const stops = async () => {
      while (performance.now() < until) {
        await sleep(200 + next(500));
        engine.signal('SIGSTOP');
        await sleep(next(400));
        engine.signal('SIGCONT');
      }
    };
    await Promise.all([stops(), ...Array.from({ length: AT_ONCE }, client)]);
    console.log(JSON.stringify({ asked, seed: SEED }));
    expect([engine.running, envoy.running, engine.pid, envoy.pid]).toEqual([true, true, ...pids]);
    gateway.provider.always(jsonReply(COMPLETION));
    expect((await gateway.ask()).status).toBe(200);
    expect((await gateway.ask({ model: 'chain' })).status).toBe(200);
  });
});
