import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { link, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const FILE = 'id';
const LONGEST = 100;

/** An id of the folder that never changes. Only the process that holds the folder's lock may call this. */
export async function folderId(folder: string): Promise<string> {
  const path = join(folder, FILE);
  const known = (await readFile(path, 'utf8').catch(() => '')).trim();
  if (known !== '' && known.length <= LONGEST) return known;
  const id = randomUUID();
  const temporary = `${path}.tmp`;
  // On a full disk the id lasts only for this run.
  await writeFile(temporary, id)
    .then(() => rename(temporary, path))
    .catch(() => undefined);
  return id;
}

/** Whether the folder is the spool of one process, and not the folder of all their spools. */
export function isOneSpool(folder: string): boolean {
  return existsSync(join(folder, FILE));
}

/** The spool folder of another process, which runs now or ran before. */
export interface OtherFolder {
  /** The name of the folder. */
  name: string;
  id: string;
  path: string;
}

/** The folders next to `own` in the folder of all processes, as far as they have an id. */
export async function otherFolders(root: string, own: string): Promise<OtherFolder[]> {
  const others: OtherFolder[] = [];
  for (const entry of await readdir(root, { withFileTypes: true })) {
    const path = join(root, entry.name);
    if (!entry.isDirectory() || path === own) continue;
    const id = (await readFile(join(path, FILE), 'utf8').catch(() => '')).trim();
    if (id !== '') others.push({ name: entry.name, id, path });
  }
  return others;
}

const COMMON_FILE = 'engine-id';

/** An id of the folder that several processes share. They may ask for it at the same time. */
export async function commonFolderId(folder: string): Promise<string> {
  const path = join(folder, COMMON_FILE);
  const read = async () => (await readFile(path, 'utf8').catch(() => '')).trim();
  const known = await read();
  if (known !== '') return known;
  const id = randomUUID();
  const temporary = `${path}.${id}`;
  try {
    await writeFile(temporary, id);
    // Only the first of them makes the link.
    await link(temporary, path).catch(() => undefined);
    return (await read()) || id;
  } catch {
    // On a full disk each process counts on its own.
    return id;
  } finally {
    await rm(temporary, { force: true }).catch(() => undefined);
  }
}
