import type { Worker } from 'node:worker_threads';
import { afterEach, describe, expect, it } from 'vitest';
import { ReplaceableThread } from './replaceable-thread.js';
import { startThread } from './start-thread.js';

const SCHEMA = { kind: 'compile', schemaText: '{"type":"string"}' } as const;

describe('a place for a validation thread', () => {
  const started: Promise<number>[] = [];
  const start = (): Worker => {
    const worker = startThread({ compiles: true });
    started.push(new Promise((resolve) => worker.once('exit', resolve)));
    return worker;
  };
  let thread: ReplaceableThread;
  const compile = async () => (await thread.run(SCHEMA, 20_000)).kind;
  afterEach(async () => {
    await thread.close();
    started.length = 0;
  });

  it('ends its thread when it had no jobs for a while, and starts another for the next job', async () => {
    thread = new ReplaceableThread(start, 20);
    expect(await compile()).toBe('replied');
    await started[0];
    expect(await compile()).toBe('replied');
    expect(started).toHaveLength(2);
  });

  it('ends a thread that was started in advance and was not needed', async () => {
    thread = new ReplaceableThread(start, 20);
    thread.warm();
    await started[0];
  });

  it('does not end one that has a job, however long it takes to start', async () => {
    thread = new ReplaceableThread(start, 1);
    thread.warm();
    const first = compile();
    // Another schema came, and wants the thread to be there.
    thread.warm();
    expect(await first).toBe('replied');
    expect(started).toHaveLength(1);
  });

  it('keeps a thread whose jobs come more often than that', async () => {
    thread = new ReplaceableThread(start, 60_000);
    await compile();
    await compile();
    expect(started).toHaveLength(1);
  });
});
