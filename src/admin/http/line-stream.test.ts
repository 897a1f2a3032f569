import { once } from 'node:events';
import { expect, it } from 'vitest';
import { LineStream } from './line-stream.js';

const LINE = Buffer.from(`${'x'.repeat(99)}\n`);

it('a listener that reads gets all lines', async () => {
  const stream = new LineStream(1_000);
  const lines: Buffer[] = [];
  stream.on('data', (line: Buffer) => lines.push(line));
  for (let line = 0; line < 100; line++) {
    stream.send(LINE);
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(Buffer.concat(lines)).toHaveLength(100 * LINE.length);
});

it('a listener that reads too slowly is cut off, and takes no more memory', async () => {
  const stream = new LineStream(1_000);
  const closed = once(stream, 'close').catch((error) => error);
  for (let line = 0; line < 100; line++) stream.send(LINE);
  expect(stream.destroyed).toBe(true);
  expect(await closed).toMatchObject({ message: 'the listener reads too slowly' });
});
