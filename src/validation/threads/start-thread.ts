import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { ThreadSetup } from '../thread-protocol.js';

/** The memory limit of a thread in MiB. A validation that needs more ends the thread. */
const HEAP_MIB = 512;

/**
 * Starts a thread. The module has the same extension as this one: `schema-thread.js` in `dist`. From TypeScript
 * sources, as in tests, the thread first registers a TypeScript loader.
 */
export function startThread(setup: ThreadSetup): Worker {
  const extension = extname(fileURLToPath(import.meta.url));
  const loader = new URL('../../../test/support/typescript-loader.mjs', import.meta.url);
  return new Worker(new URL(`../schema-thread${extension}`, import.meta.url), {
    workerData: setup,
    execArgv: extension === '.ts' ? ['--import', loader.href] : [],
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MIB },
    // The thread runs code that was generated from clients' schemas, and needs no environment variables.
    env: {},
  });
}
