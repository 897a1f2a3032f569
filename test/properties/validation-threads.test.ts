import { Worker } from 'node:worker_threads';
import { afterEach, describe, expect, it } from 'vitest';
import type { Job } from '../../src/validation/thread-protocol.js';
import { Lane } from '../../src/validation/threads/lane.js';

/*
 * A worker that does what the schema's text says: `loop` works for ever, `die` fails, `count` tells how many
 * jobs this worker has had, anything else comes back.
 */
const PROGRAM = `
  const { parentPort } = require('node:worker_threads');
  const { basename } = require('node:path');
  const { readlinkSync } = require('node:fs');
  let threadId;
  try { threadId = basename(readlinkSync('/proc/thread-self')); } catch {}
  let jobs = 0, pieces = '';
  parentPort.on('message', (job) => {
    if (job.kind === 'piece') return void (pieces += job.text);
    jobs++;
    if (job.schemaText === 'loop') for (;;);
    if (job.schemaText === 'die') throw new Error('died');
    const message = job.kind === 'check' ? String((pieces + job.text).length) : job.schemaText === 'count' ? String(jobs) : job.schemaText;
    pieces = '';
    parentPort.postMessage({ kind: 'refused', path: '', message });
  });
  parentPort.postMessage({ kind: 'ready', threadId });
`;

/** Longer than any job here takes, but for those that never end. */
const LONG_MS = 20_000;
const SHORT_MS = 20;

const lanes: Lane[] = [];
afterEach(async () => {
  await Promise.all(lanes.splice(0).map((lane) => lane.close()));
});

function createLane(threads = 1, maxWaiting = 10, program = PROGRAM) {
  const started = { count: 0 };
  const lane = new Lane({
    threads,
    maxWaiting,
    start: () => {
      started.count++;
      return new Worker(program, { eval: true });
    },
  });
  lanes.push(lane);
  return { lane, started };
}

const job = (schemaText: string): Job => ({ kind: 'compile', schemaText });
const replied = (message: string) => ({ kind: 'replied', reply: { kind: 'refused', path: '', message } });

describe('a lane of threads', () => {
  it('answers each job with its own result', async () => {
    const { lane, started } = createLane();
    const outcomes = await Promise.all(['a', 'b', 'c'].map((text) => lane.run(job(text), LONG_MS)));
    expect(outcomes).toEqual(['a', 'b', 'c'].map(replied));
    expect(started.count).toBe(1);
  });

  it('ends a job at its deadline and continues with a new thread', async () => {
    const { lane, started } = createLane();
    await lane.run(job('a'), LONG_MS);
    const [loop, next] = await Promise.all([
      lane.run(job('loop'), SHORT_MS),
      lane.run(job('count'), LONG_MS),
    ]);
    expect(loop).toEqual({ kind: 'late' });
    expect(next).toEqual(replied('1'));
    expect(started.count).toBe(2);
  });

  it('continues while another of its threads hangs', async () => {
    const { lane } = createLane(2);
    let stuck = true;
    const loop = lane.run(job('loop'), LONG_MS).finally(() => {
      stuck = false;
    });
    for (const text of ['a', 'b', 'c']) expect(await lane.run(job(text), LONG_MS)).toEqual(replied(text));
    expect(stuck).toBe(true);
    await lane.close();
    expect(await loop).toMatchObject({ kind: 'failed' });
  });

  it('reports a job that kills its thread, and continues with a new one', async () => {
    const { lane } = createLane();
    const outcome = await lane.run(job('die'), LONG_MS);
    expect(outcome).toMatchObject({ kind: 'failed', cause: expect.objectContaining({ message: 'died' }) });
    expect(await lane.run(job('count'), LONG_MS)).toEqual(replied('1'));
  });

  it('fails each job, and nothing else, where threads cannot start', async () => {
    const { lane, started } = createLane(1, 10, 'throw new Error("no start")');
    expect(await lane.run(job('a'), LONG_MS)).toMatchObject({ kind: 'failed' });
    expect(started.count).toBe(1);
    expect(await lane.run(job('b'), LONG_MS)).toMatchObject({ kind: 'failed' });
    expect(started.count).toBe(2);
  });

  it('refuses a check at once where the queue is full', async () => {
    const { lane } = createLane(1, 2);
    const first = [1, 2, 3].map((text) => lane.run(job(String(text)), LONG_MS));
    expect(await lane.run(job('4'), LONG_MS)).toEqual({ kind: 'full' });
    expect(await Promise.all(first)).toEqual(['1', '2', '3'].map(replied));
  });

  it('sends a long text in pieces, which arrive as one', async () => {
    const { lane } = createLane();
    for (const length of [0, 1_048_576, 1_048_577, 5_000_000]) {
      const outcome = await lane.run({ kind: 'check', key: '', code: '', text: 'x'.repeat(length) }, LONG_MS);
      expect(outcome).toEqual(replied(String(length)));
    }
  });

  it('fails the current and the waiting jobs when it is closed', async () => {
    const { lane } = createLane();
    const running = lane.run(job('loop'), LONG_MS);
    const waiting = lane.run(job('a'), LONG_MS);
    await lane.close();
    expect(await running).toMatchObject({ kind: 'failed' });
    expect(await waiting).toMatchObject({ kind: 'failed' });
    expect(await lane.run(job('b'), LONG_MS)).toMatchObject({ kind: 'failed' });
  });
});
