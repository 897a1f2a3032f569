import type { Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { beforeEach, expect, it } from 'vitest';
import { Outbox } from './outbox.js';

let written: string[];
/** What the kernel has not taken yet of what was written. */
let kernel: { destroyed: boolean; writableLength: number; pieces: Buffer[] };
let now: number;
let outbox: Outbox;

beforeEach(() => {
  written = [];
  now = 0;
  kernel = { destroyed: false, writableLength: 0, pieces: [] };
  const socket = Object.assign(kernel, {
    write: (bytes: Buffer) => {
      kernel.pieces.push(bytes);
      written.push(bytes.toString());
    },
    cork: () => {},
    uncork: () => {},
  });
  outbox = new Outbox(socket as unknown as Socket, () => now);
});

function send(text: string, afterMs = 0) {
  now += afterMs;
  outbox.send(Buffer.from(text));
}

it('writes the bytes of one turn together', async () => {
  for (const text of ['a', 'b', 'c']) send(text);
  expect(written).toEqual([]);
  await turn();
  expect(written).toEqual(['abc']);
});

it('does not hold bytes back while further requests of the same turn are handled', async () => {
  send('a', 20);
  send('b', 20);
  expect(written).toEqual(['ab']);
  send('c', 20);
  send('d', 1);
  expect(written).toEqual(['ab']);
  send('e', 20);
  expect(written).toEqual(['ab', 'cde']);
  await turn();
  expect(written).toEqual(['ab', 'cde']);
});

it('writes what came after an early write at the end of the turn', async () => {
  send('a');
  send('b', 20);
  send('c', 1);
  await turn();
  expect(written).toEqual(['ab', 'c']);
});

it('does not write over bytes that the kernel has not taken yet', async () => {
  kernel.writableLength = 3;
  send('abc');
  await turn();
  send('defg');
  await turn();
  expect(kernel.pieces.map(String)).toEqual(['abc', 'defg']);
});

it('writes in order what is short, and what is long', async () => {
  const long = 'l'.repeat(20_000);
  const texts = [
    'a',
    long,
    'b',
    'c',
    long,
    ...Array.from({ length: 3_000 }, (_none, number) => `text ${number} of many, `),
  ];
  for (const text of texts) send(text);
  await turn();
  expect(written.join('') === texts.join('')).toBe(true);
  expect(written.length).toBeLessThan(10);
});

it('frames a message', async () => {
  outbox.sendMessage(7, Buffer.from('hello'));
  await turn();
  expect(kernel.pieces[0]!.toString('hex')).toBe(
    `00000a0000000000070000000005${Buffer.from('hello').toString('hex')}`,
  );
});
