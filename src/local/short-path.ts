import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A Unix socket's path has at most 107 bytes (103 on macOS); the rest is for the file name. */
const MAX_FOLDER_BYTES = 80;

export interface ShortPath {
  path: string;
  remove(): Promise<void>;
}

/**
 * The same folder under a path that leaves room for a socket's name, through a link in the temp folder if
 * needed.
 */
export async function shortenPath(folder: string): Promise<ShortPath> {
  if (Buffer.byteLength(folder) <= MAX_FOLDER_BYTES) return { path: folder, remove: async () => {} };
  const parent = await mkdtemp(join(tmpdir(), 'sluice-'));
  const path = join(parent, 'data');
  await symlink(folder, path);
  return { path, remove: () => rm(parent, { recursive: true, force: true }) };
}
