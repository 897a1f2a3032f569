import { existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import {
  appendDeadLetter,
  appendDeadLetterLine,
  DEAD_LETTERS,
  type DeadLetter,
  readDeadLetters,
} from './dead-letters.js';
import type { Deliver } from './deliver.js';

/** After this many failures in a row the store counts as unreachable, and the rest is not tried. */
const FAILURES_TO_STOP = 3;

export interface ReplayResult {
  stored: number;
  /** Entries that were refused again, are unreadable, or were not tried because the store is unreachable. */
  kept: number;
}

/**
 * Offers a folder's dead letters to the store again; what it refuses goes back into the file. The file is renamed
 * first, so that a worker can write a new one meanwhile. A crash in between leaves the renamed file, and the next
 * replay starts with it.
 */
export async function replayDeadLetters(folder: string, deliver: Deliver): Promise<ReplayResult> {
  const aside = join(folder, `replaying-${DEAD_LETTERS}`);
  const result: ReplayResult = { stored: 0, kept: 0 };
  if (existsSync(aside)) await replayFile(aside, folder, deliver, result);
  const path = join(folder, DEAD_LETTERS);
  if (!existsSync(path)) return result;
  await rename(path, aside);
  await replayFile(aside, folder, deliver, result);
  return result;
}

async function replayFile(
  path: string,
  folder: string,
  deliver: Deliver,
  result: ReplayResult,
): Promise<void> {
  let failures = 0;
  for await (const { line, letter } of readDeadLetters(path)) {
    if (letter === undefined || failures >= FAILURES_TO_STOP) {
      await appendDeadLetterLine(folder, line);
      result.kept++;
      continue;
    }
    const { reason, failed } = await offer(letter, deliver);
    failures = failed ? failures + 1 : 0;
    if (reason === undefined) {
      result.stored++;
    } else {
      await appendDeadLetter(folder, { ...letter, reason });
      result.kept++;
    }
  }
  await rm(path);
}

async function offer({ entry }: DeadLetter, deliver: Deliver): Promise<{ reason?: string; failed: boolean }> {
  try {
    const { refused } = await deliver([entry]);
    return { reason: refused[0]?.reason, failed: false };
  } catch (error) {
    return { reason: error instanceof Error ? error.message : String(error), failed: true };
  }
}
