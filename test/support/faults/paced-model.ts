import { setTimeout as sleep } from 'node:timers/promises';
import { answerReply, chunk, USAGE_CHUNK } from '../chat.js';
import { ControlledStream, type Reply } from '../replies.js';

const THINKING_MS = 20;
const PIECES = Array.from({ length: 8 }, (_, index) => `${index}`.repeat(200));

/** A slow model, so that a fault hits answers at every stage. */
export const pacedModel: Reply = async (response, request) => {
  await sleep(THINKING_MS);
  if (request.json().stream !== true) return answerReply(PIECES.join(''))(response, request);
  const stream = new ControlledStream();
  await stream.reply()(response, request);
  for (const content of PIECES) {
    await stream.send(chunk({ content }));
    await sleep(THINKING_MS / 4);
  }
  await stream.send(`${chunk({}, 'stop')}${USAGE_CHUNK}data: [DONE]\n\n`);
  await stream.end();
};
