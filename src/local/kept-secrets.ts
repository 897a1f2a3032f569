import { randomBytes } from 'node:crypto';
import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/*
 * The secrets of a data directory. They are created once, only their owner can read them, and later starts use them
 * again.
 */

export function keepAdminKey(dataFolder: string): Promise<string> {
  return keep(join(dataFolder, 'admin-key'), () => `sk-admin-${randomBytes(24).toString('base64url')}`);
}

/** Returns the path of a key file for MongoDB (base64). Its content is also the password of MongoDB's only user. */
export async function keepMongodKey(dataFolder: string): Promise<{ path: string; password: string }> {
  const path = join(dataFolder, 'mongod-key');
  return { path, password: await keep(path, () => randomBytes(48).toString('base64')) };
}

async function keep(path: string, make: () => string): Promise<string> {
  try {
    const kept = (await readFile(path, 'utf8')).trim();
    if (kept !== '') return kept;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  const secret = make();
  await writeFile(path, `${secret}\n`, { mode: 0o600 });
  await chmod(path, 0o600);
  return secret;
}

/** Writes MONGODB_URI to a file, for `sluice` commands that need it. */
export async function writeMongodbUri(dataFolder: string, uri: string): Promise<void> {
  const path = join(dataFolder, 'mongodb-uri');
  await writeFile(path, `${uri}\n`, { mode: 0o600 });
  await chmod(path, 0o600);
}
