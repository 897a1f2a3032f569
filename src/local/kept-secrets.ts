import { randomBytes } from 'node:crypto';
import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/*
 * Secrets of one data directory: created once, readable by its owner only, the same at every later start.
 */

export function keepAdminKey(dataFolder: string): Promise<string> {
  return keep(join(dataFolder, 'admin-key'), () => `sk-admin-${randomBytes(24).toString('base64url')}`);
}

/** The path of a key file for MongoDB (base64). Its text is also the password of its only user. */
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

/** For `sluice` commands that ask for MONGODB_URI. */
export async function writeMongodbUri(dataFolder: string, uri: string): Promise<void> {
  const path = join(dataFolder, 'mongodb-uri');
  await writeFile(path, `${uri}\n`, { mode: 0o600 });
  await chmod(path, 0o600);
}
