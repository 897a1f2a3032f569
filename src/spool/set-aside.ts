import { existsSync } from 'node:fs';
import { type FileHandle, writeFile } from 'node:fs/promises';
import type { Logger } from '../core/logger.js';
import type { Damage } from './segment-reader.js';

/**
 * Copies bytes that are not an entry to a file beside their segment, for people, and logs it. False where that was already
 * done.
 */
export async function setAside(
  file: FileHandle,
  segmentPath: string,
  { start, end, torn }: Damage,
  logger: Logger,
): Promise<boolean> {
  const kept = `${segmentPath}.${start}.corrupt`;
  if (existsSync(kept)) return false;
  const bytes = Buffer.alloc(end - start);
  await file.read(bytes, 0, bytes.length, start);
  const message = torn ? 'torn end of a spool segment dropped' : 'damaged part of a spool segment left out';
  logger.error({ segment: segmentPath, start, end, kept }, message);
  try {
    await writeFile(kept, bytes, { flag: 'wx', mode: 0o600 });
  } catch (err) {
    // The copy is optional; on a full disk the entries after it matter more.
    logger.error({ err, kept }, 'the damaged part of a spool segment could not be copied to a separate file');
  }
  return true;
}
