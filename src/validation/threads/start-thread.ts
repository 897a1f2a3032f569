import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { ThreadSetup } from '../thread-protocol.js';

/** Most memory that a thread's values may take; a check that needs more ends the thread. */
const HEAP_MIB = 512;

/**
 * Starts a thread. The module has the extension of this one: `schema-thread.js` in `dist`. From the TypeScript
 * sources, as tests run them, the thread first registers the loader that reads TypeScript.
 */
export function startThread(setup: ThreadSetup): Worker {
  const extension = extname(fileURLToPath(import.meta.url));
  const loader = new URL('../../../test/support/typescript-loader.mjs', import.meta.url);
  return new Worker(new URL(`../schema-thread${extension}`, import.meta.url), {
    workerData: setup,
    execArgv: extension === '.ts' ? ['--import', loader.href] : [],
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MIB },
    // The thread needs nothing of the environment, and it runs what clients wrote.
    env: {},
  });
}
