import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * The path of a Unix socket has at most 107 bytes (103 on macOS). What remains of that is for the name of the socket.
 */
const MAX_FOLDER_BYTES = 80;

export interface ShortPath {
  path: string;
  remove(): Promise<void>;
}

/**
 * A path for the same folder that is short enough for sockets in it. Where needed, it is a link in the temporary
 * folder.
 */
export async function shortenPath(folder: string): Promise<ShortPath> {
  if (Buffer.byteLength(folder) <= MAX_FOLDER_BYTES) return { path: folder, remove: async () => {} };
  const parent = await mkdtemp(join(tmpdir(), 'sluice-'));
  const path = join(parent, 'data');
  await symlink(folder, path);
  return { path, remove: () => rm(parent, { recursive: true, force: true }) };
}
