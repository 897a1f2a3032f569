import { mongodbUriOf } from '../config/addresses.js';
import type { Environment } from '../config/environment.js';
import type { Logger } from '../core/logger.js';
import { type Deliver, deliverTo } from '../spool/deliver.js';
import { AdminDelivery } from '../spool/remote/admin-delivery.js';
import { connectStore } from '../store/store.js';
import { readConfiguration } from './configuration.js';

export interface Destination {
  deliver: Deliver;
  close(): Promise<void>;
}

/**
 * Where a command delivers logs: MongoDB, or the admin service of `logs.to` where `MONGODB_URI` is not set. Prints
 * the mistakes of the file and returns undefined where there are any.
 */
export async function openDestination(
  environment: Environment,
  configOption: string | undefined,
  logger: Logger,
): Promise<Destination | undefined> {
  if (environment.mongodbUri === undefined && (configOption ?? environment.configFile) !== undefined) {
    const configuration = await readConfiguration({ file: configOption });
    if (configuration === undefined) return undefined;
    await configuration.plugins().close();
    const { logs, directory } = configuration.config;
    if (logs.to !== undefined) return new AdminDelivery({ url: logs.to, key: () => directory.key });
  }
  const store = connectStore({ uri: mongodbUriOf(environment), logger });
  return { deliver: deliverTo(store.logs), close: () => store.close() };
}
