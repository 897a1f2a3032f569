import { type Clock, systemClock } from '../core/clock.js';
import type { DirectorySource } from '../core/directory-source.js';
import type { Logger } from '../core/logger.js';
import { createClient, databaseName } from './client.js';
import { collectionsOf } from './collections.js';
import { createFeedbackStore, type FeedbackStore } from './feedback.js';
import { ensureIndexes } from './indexes.js';
import { createLogStore, type LogStore } from './logs.js';
import { createDirectorySource } from './store-directory-source.js';

/** All that is kept in MongoDB. */
export interface Store {
  logs: LogStore;
  feedback: FeedbackStore;
  directory: DirectorySource;
  /** Makes the indexes that are missing. Rejects with `storage_unavailable` when MongoDB is away. */
  ensureIndexes(): Promise<void>;
  /** Resolves where MongoDB answers now, and rejects with `storage_unavailable` where it does not. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

export interface StoreSettings {
  /** A replica set or a sharded cluster. The database is the one that it names, or `sluice`. */
  uri: string;
  logger: Logger;
  clock?: Clock;
}

/** What a person waits for is given up sooner than what works in the background. */
const CALL_SILENCE_MS = 5000;
const BACKGROUND_SILENCE_MS = 120_000;

/** Answers at once: MongoDB need not be there yet, and may go and come. */
export function connectStore({ uri, logger, clock = systemClock }: StoreSettings): Store {
  const client = createClient({ uri, silenceMs: CALL_SILENCE_MS });
  const backgroundClient = createClient({ uri, silenceMs: BACKGROUND_SILENCE_MS });
  const name = databaseName(uri);
  const collections = collectionsOf(client, client.db(name));
  const background = collectionsOf(backgroundClient, backgroundClient.db(name));
  return {
    logs: createLogStore(collections, logger),
    feedback: createFeedbackStore(collections, clock),
    directory: createDirectorySource(collections, background, logger),
    ensureIndexes: () => background.guarded(() => ensureIndexes(background)),
    ping: () =>
      collections.guarded(async () => {
        await collections.database.command({ ping: 1 });
      }),
    close: async () => {
      await Promise.all([client.close(), backgroundClient.close()]);
    },
  };
}
