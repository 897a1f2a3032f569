import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { inTemporaryDirectory, recordingLogger, takeAll } from '../../properties/spool-support.js';

const LOADER = new URL('../../support/typescript-loader.mjs', import.meta.url).href;
const CHILD = fileURLToPath(new URL('./child.ts', import.meta.url));

/** Ends the writer with SIGKILL after so many acknowledgements; gives the acknowledged ids with their sizes. */
async function killedAfter(directory: string, syncMs: number, count: number): Promise<Map<string, number>> {
  const child = spawn(process.execPath, ['--import', LOADER, CHILD, directory, String(syncMs)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  const acknowledged = new Map<string, number>();
  for await (const line of createInterface({ input: child.stdout })) {
    const [id, size] = line.split(' ');
    // The last line can be cut by the kill.
    if (size !== undefined) acknowledged.set(id!, Number(size));
    if (acknowledged.size === count) child.kill('SIGKILL');
  }
  expect(await exited).toEqual([null, 'SIGKILL']);
  return acknowledged;
}

describe('a process killed with SIGKILL while it writes', () => {
  it.each([
    { syncMs: 50, count: 1 },
    { syncMs: 50, count: 333 },
    { syncMs: 50, count: 5000 },
    { syncMs: 0, count: 150 },
  ])('loses no log that was confirmed (sync_ms $syncMs, after $count)', ({ syncMs, count }) =>
    inTemporaryDirectory(async (directory) => {
      const acknowledged = await killedAfter(directory, syncMs, count);
      expect(acknowledged.size).toBeGreaterThanOrEqual(count);
      const sizes = new Map<string, number>();
      for (const entry of await takeAll(join(directory, 'child'), recordingLogger())) {
        if (entry.kind !== 'log') continue;
        const { _id, request } = entry.record;
        expect(sizes.has(_id)).toBe(false);
        sizes.set(_id, (request as string).length);
      }
      for (const [id, size] of acknowledged) expect(sizes.get(id)).toBe(size);
    }),
  );
});
