import { parentPort } from 'node:worker_threads';
import { extractText } from './extract-text.js';
import type { FileDone, FileJob } from './file-protocol.js';
import { UnreadableFile } from './unreadable-file.js';

/** The body of the thread that reads files: one after the other, since each may take all of its time and memory. */
let last = Promise.resolve();

parentPort?.on('message', ({ job, bytes }: FileJob) => {
  last = last.then(() => read(job, bytes));
});

async function read(job: number, bytes: Uint8Array): Promise<void> {
  let done: FileDone;
  try {
    done = { job, text: await extractText(bytes) };
  } catch (error) {
    // The message of a library may quote the file, so only our own messages are passed on.
    done = { job, reason: error instanceof UnreadableFile ? error.message : 'cannot be read' };
  }
  parentPort?.postMessage(done);
}
