import type { Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { beforeEach, expect, it } from 'vitest';
import { Outbox } from './outbox.js';

let written: string[];
let now: number;
let outbox: Outbox;

beforeEach(() => {
  written = [];
  now = 0;
  const socket = { destroyed: false, write: (bytes: Buffer) => written.push(bytes.toString()) };
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
