import { describe, expect, it } from 'vitest';
import { EventStream } from './event-stream.js';

describe('the events of one listener', () => {
  const read = (stream: EventStream) => String(stream.read() ?? '');

  it('are ids, each in a message of its own', () => {
    const stream = new EventStream();
    stream.sync();
    stream.id('a');
    stream.id('b');
    stream.beat();
    expect(read(stream)).toBe(
      'retry: 2000\n\nevent: sync\ndata: {}\n\nid: a\ndata: a\n\nid: b\ndata: b\n\n: \n\n',
    );
  });

  it('end once, and nothing follows: a later error does not replace the end', async () => {
    const stream = new EventStream();
    stream.id('a');
    stream.end();
    stream.beat();
    stream.id('b');
    stream.sync();
    stream.end();
    const pieces: Buffer[] = [];
    for await (const piece of stream) pieces.push(piece as Buffer);
    expect(Buffer.concat(pieces).toString()).toBe('retry: 2000\n\nid: a\ndata: a\n\n');
  });

  it('are dropped while the listener does not read, which it is told once it does', () => {
    const stream = new EventStream();
    for (let count = 0; count < 100_000; count++) stream.id(`id-${count}`);
    expect(stream.readableLength).toBeLessThan(66_000);
    const late = read(stream);
    expect(late).toContain('data: id-0\n');
    expect(late).not.toContain('data: id-99999\n');
    expect(late.endsWith('event: sync\ndata: {}\n\n')).toBe(true);
    stream.id('after');
    expect(read(stream)).toContain('data: after\n');
  });
});
