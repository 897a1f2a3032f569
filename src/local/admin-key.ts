import { randomBytes } from 'node:crypto';
import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The admin key of this data directory: made once, readable by its owner only, the same at every later start. */
export async function keepAdminKey(dataDirectory: string): Promise<string> {
  const path = join(dataDirectory, 'admin-key');
  try {
    const kept = (await readFile(path, 'utf8')).trim();
    if (kept !== '') return kept;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  const key = `sk-admin-${randomBytes(24).toString('base64url')}`;
  await writeFile(path, `${key}\n`, { mode: 0o600 });
  await chmod(path, 0o600);
  return key;
}
