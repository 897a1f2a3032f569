import { randomUUID } from 'node:crypto';
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { readStoredSnapshot, SCHEMA_VERSION, type StoredSnapshot } from '../config/stored/stored.js';
import type { DirectorySnapshot } from '../core/directory-source.js';
import { isJsonObject } from '../core/json.js';
import type { Logger } from '../core/logger.js';

const VERSION = 1;

/**
 * The last copy of what the API has created, for a start without MongoDB. It contains hashes of keys but never their text.
 */
export interface SnapshotFile {
  /** Reads the copy. Undefined where there is none; throws where it cannot be read. */
  read(): Promise<DirectorySnapshot | undefined>;
  /** Writes the copy atomically; does nothing where it has not changed. */
  write(snapshot: DirectorySnapshot): Promise<void>;
}

/** Only the owner can read the file, because plugin configurations can contain secrets. */
export function snapshotFile(path: string, logger?: Pick<Logger, 'warn'>): SnapshotFile {
  let written: string | undefined;
  return {
    async read() {
      const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return undefined;
        throw error;
      });
      return text === undefined ? undefined : parseSnapshot(text, (mistake) => logger?.warn({}, mistake));
    },
    async write(snapshot) {
      const text = JSON.stringify({ version: VERSION, schema_version: SCHEMA_VERSION, ...snapshot });
      if (text === written) return;
      await replaceFile(path, text);
      written = text;
    },
  };
}

function parseSnapshot(text: string, report: (mistake: string) => void): DirectorySnapshot {
  const value: unknown = JSON.parse(text);
  if (!isJsonObject(value) || value.version !== VERSION)
    throw new Error('the copy was written by another version');
  // A copy of an older version has no projects to remember.
  const { projects, keys, endpoints, remembered = [], schema_version } = value;
  if (![projects, keys, endpoints, remembered].every(Array.isArray))
    throw new Error('the copy is not complete');
  // The items are checked by the schema of stored entries.
  const stored = { projects, keys, endpoints, remembered } as unknown as StoredSnapshot;
  const version = typeof schema_version === 'number' ? schema_version : undefined;
  const versioned = stored.endpoints.map((endpoint) => ({ ...endpoint, schema_version: version }));
  return readStoredSnapshot({ ...stored, endpoints: versioned }, report);
}

/** Writes the text to disk before the file gets its name, so that a power failure leaves no empty file. */
async function replaceFile(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const draft = `${path}.${randomUUID()}.draft`;
  try {
    const file = await open(draft, 'wx', 0o600);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}
