import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A Unix socket's path has at most 107 bytes (103 on macOS); the rest is for the file name. */
const MAX_DIRECTORY_BYTES = 80;

export interface ShortPath {
  path: string;
  remove(): Promise<void>;
}

/**
 * The same directory under a path that leaves room for a socket's name, through a link in the temp directory if
 * needed.
 */
export async function shortenPath(directory: string): Promise<ShortPath> {
  if (Buffer.byteLength(directory) <= MAX_DIRECTORY_BYTES) return { path: directory, remove: async () => {} };
  const parent = await mkdtemp(join(tmpdir(), 'sluice-'));
  const path = join(parent, 'data');
  await symlink(directory, path);
  return { path, remove: () => rm(parent, { recursive: true, force: true }) };
}
