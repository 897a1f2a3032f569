import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A directory for the running test, which is removed after it. */
export async function temporaryDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'sluice-test-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  return directory;
}
