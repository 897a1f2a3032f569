import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate as nextRound } from 'node:timers/promises';

const delta = (content: string) =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`;
const call = (index: number) =>
  `data: ${JSON.stringify({
    choices: [
      {
        index: 0,
        delta: {
          tool_calls: [
            { index, id: `call-${index}`, type: 'function', function: { name: 'f', arguments: '{' } },
          ],
        },
      },
    ],
  })}\n\n`;
const END = 'data: [DONE]\n\n';
const EMPTY_DELTA = 'data: {"choices":[{"index":0,"delta":{}}]}\n\n';
const AT_ONCE = 2_000;

/** Says nothing, and is all that a chunk has but for a few letters. */
const COMMENT = `:${'-'.repeat(60_000)}\n`;

/** Writes as fast as it is read, until its reader is gone. */
async function send(
  response: ServerResponse,
  piece: (at: number) => string,
  { most = Number.POSITIVE_INFINITY, atOnce = AT_ONCE } = {},
) {
  for (let at = 0; at < most && !response.destroyed; ) {
    let text = '';
    for (let count = 0; count < atOnce && at < most; count++) text += piece(at++);
    if (!response.write(text))
      await new Promise((resume) => response.once('drain', resume).once('close', resume));
    else await nextRound();
  }
}

/** Models that answer as none should. Each has answered with a good beginning by then. */
export const HOSTILE_MODELS: Record<string, (response: ServerResponse) => Promise<void>> = {
  'answers in writes of one byte': async (response) => {
    response.socket?.setNoDelay(true);
    const text = delta('word ').repeat(50);
    while (!response.destroyed) {
      for (const letter of text) {
        if (!response.write(letter))
          await new Promise((resume) => response.once('drain', resume).once('close', resume));
      }
      await nextRound();
    }
  },
  'empty deltas without end': (response) => send(response, () => EMPTY_DELTA),
  'a million empty deltas, and an end': async (response) => {
    await send(response, () => EMPTY_DELTA, { most: 1_000_000 });
    response.end(END);
  },
  'calls with growing indexes': (response) => send(response, call),
  'words without end': (response) => send(response, () => delta('x')),
  'a line without end': (response) =>
    send(response, (at) => (at === 0 ? 'data: {"a":"' : 'aaaaaaaaaaaaaaaa')),
  'empty lines of data without end': (response) => send(response, () => 'data:\n'),
  'words behind long comments': (response) =>
    send(response, () => COMMENT + delta('a few words more '), { atOnce: 2 }),
  'empty deltas behind long comments': (response) =>
    send(response, () => COMMENT + EMPTY_DELTA, { atOnce: 2 }),
  'answers that break off': async (response) => {
    await send(response, () => delta('x'), { most: 5_000 });
    response.socket?.resetAndDestroy();
  },
};

/** A model that answers well, with a megabyte. Its clients are hostile. */
export const TALKATIVE = 'talkative';

function answerMuch(response: ServerResponse): void {
  for (let at = 0; at < 1_000; at++) response.write(delta('x'.repeat(1_000)));
  response.end(END);
}

/**
 * A provider whose hostile models are named by the number of what they do. Any other answers with
 * `good`, at once. Gives its port.
 */
export async function serveModels(good: string): Promise<number> {
  const attacks = Object.values(HOSTILE_MODELS);
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    response.on('error', () => {});
    response.setMaxListeners(0);
    const { model } = JSON.parse(text) as { model: string };
    const attack = attacks[Number(model)];
    if (attack === undefined && model !== TALKATIVE) {
      response.writeHead(200, { 'content-type': 'application/json' }).end(good);
      return;
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    if (attack === undefined) return answerMuch(response);
    response.write(delta('Call Ann'));
    await attack(response).catch(() => undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  return (server.address() as AddressInfo).port;
}
