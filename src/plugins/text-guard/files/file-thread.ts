import { parentPort } from 'node:worker_threads';
import { extractText } from './extract-text.js';
import type { FileDone, FileJob } from './file-protocol.js';
import { UnreadableFile } from './unreadable-file.js';

/**
 * The code of the thread that reads files. It reads one after the other, because each may need all of the time and
 * memory.
 */
let last = Promise.resolve();

parentPort?.on('message', ({ job, bytes }: FileJob) => {
  last = last.then(() => read(job, bytes));
});

async function read(job: number, bytes: Uint8Array): Promise<void> {
  let done: FileDone;
  try {
    done = { job, text: await extractText(bytes) };
  } catch (error) {
    // A message of a library may quote the file, so only our own messages are passed on.
    done = { job, reason: error instanceof UnreadableFile ? error.message : 'cannot be read' };
  }
  parentPort?.postMessage(done);
}
