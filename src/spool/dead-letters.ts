import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { type Entry, entryFromJson, entryLogId, entryToJson } from './entry.js';
import type { EntryKind } from './segment-record.js';

export const DEAD_LETTERS = 'dead-letters.jsonl';

/** An entry that the store does not accept. It is kept for people, as one line of JSON. */
export interface DeadLetter {
  /** When the entry was given up, in ISO 8601. */
  at: string;
  log_id: string;
  reason: string;
  entry: Entry;
}

/** A line of the file, with its entry where it can be read. A crash can leave an incomplete line. */
export interface DeadLetterLine {
  line: string;
  letter: DeadLetter | undefined;
}

/**
 * Appends a dead letter. Resolves once the line is on disk. Fails where the disk is full; the entry then stays in its
 * segment.
 */
export async function appendDeadLetter(folder: string, letter: DeadLetter): Promise<void> {
  const { entry, ...head } = letter;
  const start = JSON.stringify({ ...head, kind: entry.kind }).slice(0, -1);
  const json = await entryToJson(entry);
  // A payload that is not JSON becomes a JSON string.
  return appendDeadLetterLine(
    folder,
    `${start},"entry":${letter.log_id === '' ? JSON.stringify(json) : json}}`,
  );
}

export async function appendDeadLetterLine(folder: string, line: string): Promise<void> {
  const file = await open(join(folder, DEAD_LETTERS), 'a+', 0o600);
  try {
    const { size } = await file.stat();
    const { buffer } = await file.read(Buffer.alloc(1), 0, 1, Math.max(0, size - 1));
    // A crash can leave an incomplete line, to which the new one must not be added.
    const cut = size > 0 && buffer[0] !== 0x0a;
    try {
      await file.writeFile(`${cut ? '\n' : ''}${line}\n`);
      await file.sync();
    } catch (error) {
      // An incomplete line would corrupt the next one.
      await file.truncate(size).catch(() => undefined);
      throw error;
    }
  } finally {
    await file.close();
  }
}

export function deadLetterOf(entry: Entry, reason: string, now: number): DeadLetter {
  return { at: new Date(now).toISOString(), log_id: logIdOf(entry), reason, entry };
}

/** The log id of an entry; empty where it cannot be read. */
function logIdOf(entry: Entry): string {
  try {
    return entryLogId(entry);
  } catch {
    return '';
  }
}

/** The lines of a dead-letter file; none where there is no file. */
export async function* readDeadLetters(path: string): AsyncGenerator<DeadLetterLine> {
  let pieces: string[] = [];
  try {
    for await (const chunk of createReadStream(path, 'utf8') as AsyncIterable<string>) {
      const lines = chunk.split('\n');
      for (const end of lines.slice(0, -1)) {
        const line = pieces.join('') + end;
        yield { line, letter: parseDeadLetter(line) };
        pieces = [];
      }
      pieces.push(lines.at(-1)!);
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  const last = pieces.join('');
  if (last !== '') yield { line: last, letter: parseDeadLetter(last) };
}

function parseDeadLetter(line: string): DeadLetter | undefined {
  try {
    const { at, log_id, reason, kind, entry } = JSON.parse(line) as {
      at: string;
      log_id: string;
      reason: string;
      kind: EntryKind;
      entry: object;
    };
    return { at, log_id, reason, entry: entryFromJson(kind, JSON.stringify(entry)) };
  } catch {
    return undefined;
  }
}
