import type { Config } from '../config/config.js';
import type { DirectorySource } from '../core/directory-source.js';
import type { Logger } from '../core/logger.js';
import { createAdminSource } from '../directory/feed/admin-source.js';
import type { UnfinishedLogs } from '../pipeline/end/log-phase.js';
import type { Role } from '../process/role.js';
import { type Deliver, deliverTo } from '../spool/deliver.js';
import { AdminDelivery } from '../spool/remote/admin-delivery.js';
import { connectStore, type Store, type StoreSettings } from '../store/store.js';

export interface StorageOptions extends StoreSettings {
  /** The role of the main process. */
  role: Role;
  config: Config;
  /** Returns the key of engines. It is read each time, because the file may change. */
  key: () => Config['directory']['key'];
  logger: Logger;
}

/** The storage that outlives a process: MongoDB, or for an engine an admin service that has it. */
export interface Storage {
  /** MongoDB; absent in an engine that gets its directory from an admin service and sends its logs there. */
  store?: Store;
  directory: DirectorySource;
  deliver: Deliver;
  /** Logs with an unfinished LOG phase; absent where the admin service resumes them. */
  unfinished?: UnfinishedLogs;
  /** Health checks by name; each rejects where its target does not answer. */
  pings: Record<string, () => Promise<void>>;
  close(): Promise<void>;
}

/**
 * Opens the storage. A process with an admin API connects to MongoDB itself, because it must see what it wrote. Its
 * workers do so too.
 */
export function openStorage({ role, config, key, ...settings }: StorageOptions): Storage {
  const from = role === 'engine' ? config.directory.from : undefined;
  const to = role === 'engine' ? config.logs.to : undefined;
  const store = from === undefined || to === undefined ? connectStore(settings) : undefined;
  const delivery = to === undefined ? undefined : new AdminDelivery({ url: to, key });
  return {
    store,
    directory: from === undefined ? store!.directory : followed(from, key, store, settings.logger),
    ...(delivery === undefined
      ? { deliver: deliverTo(store!.logs), unfinished: store!.logs }
      : { deliver: delivery.deliver }),
    pings: {
      ...(store === undefined ? {} : { mongodb: () => store.ping() }),
      ...(delivery === undefined ? {} : { logs: () => delivery.ping() }),
    },
    close: async () => {
      await Promise.all([store?.close(), delivery?.close()]);
    },
  };
}

function followed(
  from: string,
  key: StorageOptions['key'],
  store: Store | undefined,
  logger: Logger,
): DirectorySource {
  // The admin service itself stores which projects the file has.
  const remember = store?.directory.remember ?? (async () => undefined);
  return createAdminSource({ from, key, remember, logger });
}
