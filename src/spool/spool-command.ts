import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { DEAD_LETTERS, readDeadLetters } from './dead-letters.js';
import type { Deliver } from './deliver.js';
import { entryLogId } from './entry.js';
import { isLocked } from './folder-lock.js';
import { readPending } from './pending.js';
import { replayDeadLetters } from './replay.js';

export type SpoolCommand = {
  /** The folder of all workers' spools. */
  folder: string;
  /** Receives one line of JSON at a time. */
  write: (line: string) => void;
} & ({ action: 'list' } | { action: 'replay'; deliver: Deliver });

/**
 * `list` writes a line for each entry that was not shipped and for each dead letter, and one for each worker with the
 * sums. `replay` offers the dead letters again and writes the results, one line for each worker. Both can run beside
 * live workers. Resolves with the number of undelivered entries.
 */
export async function runSpoolCommand(command: SpoolCommand): Promise<number> {
  let left = 0;
  for (const worker of await workerNames(command.folder)) {
    const path = join(command.folder, worker);
    if (command.action === 'list') {
      left += await listWorker(worker, path, command.write);
    } else {
      const result = await replayDeadLetters(path, command.deliver);
      command.write(JSON.stringify({ worker, ...result }));
      left += result.kept;
    }
  }
  return left;
}

/** The names of the workers' folders; none where no spool was ever opened. */
async function workerNames(folder: string): Promise<string[]> {
  if (!existsSync(folder)) return [];
  const entries = await readdir(folder, { withFileTypes: true });
  return entries
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();
}

async function listWorker(worker: string, path: string, write: (line: string) => void): Promise<number> {
  const sums = { pending: 0, bytes: 0, dead_letters: 0 };
  for await (const { entry, appendedAt, bytes } of readPending(path)) {
    sums.pending++;
    sums.bytes += bytes;
    const { kind } = entry;
    const appended_at = new Date(appendedAt).toISOString();
    write(JSON.stringify({ worker, state: 'pending', kind, log_id: entryLogId(entry), appended_at, bytes }));
  }
  for await (const { letter } of readDeadLetters(join(path, DEAD_LETTERS))) {
    sums.dead_letters++;
    const { log_id = null, at = null, reason = 'unreadable line' } = letter ?? {};
    write(JSON.stringify({ worker, state: 'dead', kind: letter?.entry.kind ?? null, log_id, at, reason }));
  }
  write(JSON.stringify({ worker, live: await isLocked(path), ...sums }));
  return sums.pending + sums.dead_letters;
}
