import { randomUUID } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const FILE = 'id';
const LONGEST = 100;

/** An id that belongs to this folder alone and does not change. Only the holder of the folder's lock may ask for it. */
export async function folderId(folder: string): Promise<string> {
  const path = join(folder, FILE);
  const known = (await readFile(path, 'utf8').catch(() => '')).trim();
  if (known !== '' && known.length <= LONGEST) return known;
  const id = randomUUID();
  const temporary = `${path}.tmp`;
  // On a full disk the id lasts for this run only.
  await writeFile(temporary, id)
    .then(() => rename(temporary, path))
    .catch(() => undefined);
  return id;
}
