import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { waitingForEngines } from '../../../src/envoy/envoy-state.js';
import { waitFor } from '../../../src/local/processes/wait.js';
import { CHAT_PATH, COMPLETION, type Gateway, KEYS, MESSAGES, startGateway } from '../../support/gateway.js';
import { ControlledStream, jsonReply, type Reply, streamReply } from '../../support/replies.js';
import { missingPrograms } from '../../support/start-sluice.js';

const ROUTES = ['support', 'chain'];
const MEBIBYTE = 'x'.repeat(1 << 20);
/** More than Envoy's own limits for a stream, 16 MiB, and than a client's connection keeps on the way. */
const COUNT = 24;

const chunk = (content: string) =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`;
const STREAM = [...Array.from({ length: COUNT }, () => chunk(MEBIBYTE)), 'data: [DONE]\n\n'];
const ANSWER = {
  ...COMPLETION,
  choices: [
    { index: 0, message: { role: 'assistant', content: MEBIBYTE.repeat(COUNT) }, finish_reason: 'stop' },
  ],
};

/** A client that asks, and reads no more than the first bytes until it is told to. */
function askAndWait(gateway: Gateway, model: string, stream: boolean): Socket {
  const body = JSON.stringify({ model, messages: MESSAGES, stream });
  const socket = connect(Number(new URL(gateway.sluice.gatewayUrl).port), '127.0.0.1');
  socket.write(
    `POST ${CHAT_PATH} HTTP/1.1\r\nhost: gateway\r\nauthorization: Bearer ${KEYS.all}\r\n` +
      `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  );
  return socket;
}

/** A model that sends empty deltas as fast as they are read, until nobody reads them any more. */
const withoutEnd: Reply = async (response) => {
  response.setMaxListeners(0);
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write(chunk('Hello'));
  const empty = 'data: {"choices":[{"index":0,"delta":{}}]}\n\n'.repeat(1_000);
  while (!response.destroyed) {
    if (response.write(empty)) await new Promise((resume) => setImmediate(resume));
    else await new Promise((resume) => response.once('drain', resume).once('close', resume));
  }
};

async function sendAll(stream: ControlledStream, parts: string[]): Promise<void> {
  for (const part of parts) await stream.send(part);
  await stream.end();
}

/** What Envoy has read of all answers of models. */
async function bytesOfModels(gateway: Gateway): Promise<number> {
  const found = await gateway.sluice.envoyAdmin.stats(
    '^cluster\\.provider-fake\\.upstream_cx_rx_bytes_total$',
  );
  return [...found.values()].reduce((sum, bytes) => sum + bytes, 0);
}

describe.skipIf(missingPrograms !== null)('a large answer', () => {
  let gateway: Gateway;
  beforeAll(async () => {
    gateway = await startGateway();
  });
  afterAll(() => gateway?.stop());
  beforeEach(() => gateway.provider.reset());

  it.each(ROUTES.flatMap((model) => [true, false].map((stream) => ({ model, stream }))))(
    'arrives whole at a client that reads long after the model has ended ($model, stream: $stream)',
    async ({ model, stream }) => {
      gateway.provider.enqueue(stream ? streamReply(STREAM) : jsonReply(ANSWER));
      const socket = askAndWait(gateway, model, stream);
      expect(await (await gateway.provider.received()).answered).toBe(true);
      let length = 0;
      for await (const piece of socket) length += piece.length;
      expect(length).toBeGreaterThan(COUNT * MEBIBYTE.length);
      expect(gateway.sluice.envoy.running).toBe(true);
    },
  );

  it.each(ROUTES)('arrives whole after the engine was stopped for a while (%s)', async (model) => {
    const { engine, envoy } = gateway.sluice;
    const stream = new ControlledStream();
    gateway.provider.enqueue(stream.reply());
    const opened = gateway.open({ model, stream: true });
    await stream.send(STREAM[0]!);
    const text = (await opened).text();
    engine.signal('SIGSTOP');
    const before = await bytesOfModels(gateway);
    const sent = sendAll(stream, STREAM.slice(1));
    const hasMuch = async () => (await bytesOfModels(gateway)) - before > 8 * MEBIBYTE.length;
    // Envoy reads on from the model only up to a bound, so the rest is sent when the engine goes on.
    const adminSocket = gateway.sluice.envoyAdmin.socketPath;
    let kept: number | undefined;
    await waitFor('Envoy keeps much of the stream', hasMuch, { timeoutMs: 20_000 })
      .then(async () => {
        kept = await waitingForEngines(adminSocket);
      })
      .finally(() => engine.signal('SIGCONT'));
    await sent;
    expect(kept).toBeGreaterThan(4 * MEBIBYTE.length);
    expect((await text).replace(/"inference_log_id":"[^"]+",/, '') === STREAM.join('')).toBe(true);
    await expect.poll(() => waitingForEngines(adminSocket)).toBe(0);
    expect(envoy.running).toBe(true);
  });

  it('is read from its model only up to a limit while the engine does not read it', async () => {
    const { engine, envoy } = gateway.sluice;
    const before = await bytesOfModels(gateway);
    gateway.provider.enqueue(withoutEnd);
    const leaving = new AbortController();
    const opened = await gateway.open({ stream: true }, { signal: leaving.signal });
    const reading = opened.text().catch(() => undefined);
    engine.signal('SIGSTOP');
    let looks: number[] = [];
    const stands = async () => {
      looks = [...looks, (await bytesOfModels(gateway)) - before].slice(-4);
      if (looks.at(-1)! > 64 * MEBIBYTE.length) return true;
      return looks.length === 4 && looks.every((bytes) => bytes === looks[0]);
    };
    await waitFor('the model is held back', stands, { timeoutMs: 20_000, intervalMs: 100 }).finally(() =>
      engine.signal('SIGCONT'),
    );
    expect(looks.at(-1)).toBeLessThan(64 * MEBIBYTE.length);
    const answers = await Promise.all(Array.from({ length: 10 }, () => gateway.ask()));
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
    leaving.abort();
    await reading;
    expect(envoy.running).toBe(true);
  });
});
