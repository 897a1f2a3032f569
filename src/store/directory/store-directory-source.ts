import { readStoredSnapshot } from '../../config/stored/stored.js';
import type { DirectorySource } from '../../core/directory-source.js';
import type { Logger } from '../../core/logger.js';
import type { Collections } from '../mongodb/collections.js';
import { followChanges } from '../mongodb/follow-changes.js';

/**
 * Reads what the admin API has created, and watches changes with a client whose commands may go without an answer for long.
 */
export function createDirectorySource(
  collections: Collections,
  listening: Collections,
  logger: Logger,
): DirectorySource {
  const { guarded } = collections;
  return {
    load: () =>
      guarded(async () => {
        const [projects, keys, endpoints, remembered] = await Promise.all([
          collections.projects.find().toArray(),
          collections.keys.find().toArray(),
          collections.endpoints.find().toArray(),
          collections.remembered.find().toArray(),
        ]);
        const stored = {
          projects: projects.map(({ _id, name, enabled, retention_days, search, limits, cors }) => ({
            uid: _id,
            name,
            enabled,
            ...(retention_days == null ? {} : { retention_days }),
            ...(search === undefined ? {} : { search }),
            ...(limits == null ? {} : { limits: JSON.parse(limits) as unknown }),
            ...(cors == null ? {} : { cors }),
          })),
          keys: keys.map(({ _id, project_uid, name, hash, prefix, scopes, endpoints, expires_at }) => ({
            id: _id,
            project_uid,
            name,
            hash,
            prefix,
            scopes,
            ...(endpoints == null ? {} : { endpoints }),
            ...(expires_at == null ? {} : { expires_at: expires_at.toISOString() }),
          })),
          endpoints: endpoints.map(({ project_uid, settings, schema_version }) => ({
            project_uid,
            endpoint: JSON.parse(settings) as unknown,
            schema_version,
          })),
          remembered: remembered.map(({ _id, name }) => ({ uid: _id, name })),
        };
        return readStoredSnapshot(stored, (mistake) => logger.warn({}, mistake));
      }),

    remember: (projects) =>
      guarded(async () => {
        const writes = projects.map(({ uid, name }) => ({
          updateOne: { filter: { _id: uid }, update: { $set: { name } }, upsert: true },
        }));
        await collections.remembered.bulkWrite(writes, { ordered: false });
      }),

    watch(changed, signal) {
      void listen(listening, changed, signal, logger);
    },
  };
}

function listen(
  { database, projects, keys, endpoints, guarded }: Collections,
  changed: () => void,
  signal: AbortSignal,
  logger: Logger,
): Promise<void> {
  const names = [projects, keys, endpoints].map((collection) => collection.collectionName);
  let reported = false;
  const follower = {
    open: () => database.watch([{ $match: { 'ns.coll': { $in: names } } }]),
    // All earlier changes are reported as one.
    opened: () => {
      reported = false;
      changed();
    },
    changed,
    failed: (error: unknown) => {
      if (reported) return;
      reported = true;
      logger.warn({ err: error }, 'changes of projects and keys cannot be followed; trying again');
      // Changes cannot be reported now, so a ping finds out whether MongoDB is unreachable.
      changed();
    },
  };
  return followChanges(guarded, follower, signal);
}
