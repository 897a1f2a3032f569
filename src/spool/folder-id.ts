import { randomUUID } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const FILE = 'id';
const LONGEST = 100;

/** A name that this folder alone has and keeps. Asked by who holds its lock. */
export async function folderId(folder: string): Promise<string> {
  const path = join(folder, FILE);
  const known = (await readFile(path, 'utf8').catch(() => '')).trim();
  if (known !== '' && known.length <= LONGEST) return known;
  const id = randomUUID();
  const temporary = `${path}.tmp`;
  // On a full disk it holds for this run: whoever asks after the next start has another name.
  await writeFile(temporary, id)
    .then(() => rename(temporary, path))
    .catch(() => undefined);
  return id;
}
