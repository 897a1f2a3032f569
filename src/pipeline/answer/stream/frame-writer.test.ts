import { describe, expect, it } from 'vitest';
import { framesIn } from '../../../../test/support/frames-in.js';
import { dialectById } from '../../../dialects/index.js';
import { createSseParser } from '../../../dialects/wire/sse.js';
import { FrameWriter } from './frame-writer.js';
import { RepeatedFrames } from './repeated/repeated-frames.js';
import { RepeatedRun } from './repeated/repeated-run.js';

const chunk = (content: string, more: object) =>
  `data: ${JSON.stringify({ id: 'x', choices: [{ index: 0, delta: { content } }], ...more })}\n\n`;
const TEXTS = ['', 'Hello', ' wor', 'ld "usage":null', '}', '\n', '!'];
const stream = (more: object) => `${TEXTS.map((text) => chunk(text, more)).join('')}data: [DONE]\n\n`;

/** What goes on of a stream that comes in pieces of so many bytes. */
function passedOn(came: string, pieceBytes: number, streamUsage: boolean): string {
  const dialect = dialectById('openai.chat');
  const context = { logId: 'log', model: 'large', created: 1, streamUsage };
  const writer = new FrameWriter(dialect, dialect, context);
  const [parser, decoder, repeated] = [createSseParser(), dialect.createDecoder(), new RepeatedFrames()];
  const bytes = Buffer.from(came);
  let text = '';
  for (let at = 0; at < bytes.length; at += pieceBytes) {
    const piece = bytes.subarray(at, at + pieceBytes);
    for (const read of framesIn(parser, piece, (all, from) => repeated.readRun(all, from))) {
      const run = read instanceof RepeatedRun ? read : repeated.read(read);
      if (run !== undefined) {
        text += writer.writeRun(run);
      } else if (!(read instanceof RepeatedRun)) {
        const events = decoder.decode(read);
        repeated.learn(read, events);
        text += writer.write(read, events);
      }
    }
  }
  return text;
}

describe('runs of like frames', () => {
  it.each([1, 7, 100, 10_000])(
    'lose the empty usage member that the client did not ask for (pieces of %i bytes)',
    (pieceBytes) => {
      const first = '"inference_log_id":"log",';
      const came = stream({ usage: null });
      expect(passedOn(came, pieceBytes, false).replace(first, '')).toBe(stream({}));
      expect(passedOn(came, pieceBytes, true).replace(first, '')).toBe(came);
      expect(passedOn(stream({}), pieceBytes, false).replace(first, '')).toBe(stream({}));
    },
  );
});
