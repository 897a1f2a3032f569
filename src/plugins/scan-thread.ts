import { setImmediate as nextTurn } from 'node:timers/promises';
import { parentPort } from 'node:worker_threads';
import { assertNever } from '../core/assert-never.js';
import { systemThreadId, ThreadClock } from '../threads/thread-clock.js';
import { reasonOf } from './contract/fault.js';
import { createScanner } from './scanners.js';
import type { TextScanner } from './text-guard/found.js';
import { pack } from './text-guard/packed-found.js';
import { ScanJobs } from './text-guard/scan-jobs.js';
import type { FromScanThread, ToScanThread } from './text-guard/scan-protocol.js';

/** The code of a scanning thread: jobs take turns, so that a short one never waits for the end of a long one. */
const ALIVE_EVERY_MS = 1_000;

const scanners = new Map<number, TextScanner>();
const jobs = new ScanJobs(new ThreadClock(systemThreadId()));
let isWorking = false;

parentPort?.on('message', (message: ToScanThread) => {
  switch (message.kind) {
    case 'learn':
      scanners.set(message.scanner, createScanner(message.spec));
      break;
    case 'forget':
      scanners.delete(message.scanner);
      break;
    case 'texts':
      jobs.take(message.job, message.texts, message.joined);
      break;
    case 'drop':
      jobs.drop(message.job);
      break;
    case 'start':
      start(message.job, message.scanner, message.budgetMs);
      break;
    default:
      return assertNever(message);
  }
});

function start(job: number, scanner: number, budgetMs: number): void {
  const known = scanners.get(scanner);
  if (known === undefined) {
    post({ kind: 'threw', job, reason: 'its scanner is not known here' });
  } else {
    jobs.start(job, known, budgetMs);
    if (!isWorking) void work();
  }
}

async function work(): Promise<void> {
  isWorking = true;
  let saidAt = performance.now();
  while (jobs.size > 0) {
    const end = jobs.turn(reasonOf);
    if (end !== undefined) post(end.kind === 'found' ? { ...end, found: pack(end.found) } : end);
    if (performance.now() - saidAt > ALIVE_EVERY_MS) {
      post({ kind: 'alive' });
      saidAt = performance.now();
    }
    await nextTurn();
  }
  isWorking = false;
}

function post(message: FromScanThread): void {
  parentPort?.postMessage(message);
}
