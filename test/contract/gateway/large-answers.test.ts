import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { CHAT_PATH, COMPLETION, type Gateway, KEYS, MESSAGES, startGateway } from '../../support/gateway.js';
import { ControlledStream, jsonReply, streamReply } from '../../support/replies.js';
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

  it.each(ROUTES)('arrives whole after the engine stood still (%s)', async (model) => {
    const { engine, envoy } = gateway.sluice;
    const stream = new ControlledStream();
    gateway.provider.enqueue(stream.reply());
    const opened = gateway.open({ model, stream: true });
    await stream.send(STREAM[0]!);
    const text = (await opened).text();
    engine.signal('SIGSTOP');
    for (const part of STREAM.slice(1)) await stream.send(part);
    await stream.end();
    engine.signal('SIGCONT');
    expect((await text).replace(/"inference_log_id":"[^"]+",/, '') === STREAM.join('')).toBe(true);
    expect(envoy.running).toBe(true);
  });
});
