import type { CheckImprovement, Mismatch } from '../../logs/improvement.js';
import type { Collections } from '../mongodb/collections.js';
import { ASKED_OF_LOG, readWhole } from './read-whole.js';

/**
 * Checks an improvement against the JSON Schema of its log's request. Undefined where it matches, or where the log has not
 * arrived.
 */
export async function findMismatch(
  collections: Collections,
  checkImprovement: CheckImprovement,
  log: { project_uid: string; _id: string },
  improvement: string,
): Promise<Mismatch | undefined> {
  const document = await collections.logs.findOne(log, { projection: { ...ASKED_OF_LOG, plugin_runs: 1 } });
  return document === null
    ? undefined
    : checkImprovement(await readWhole(collections, document), improvement);
}
