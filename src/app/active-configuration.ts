import type { Config } from '../config/config.js';
import type { Services } from '../pipeline/exchange/ports.js';
import type { PluginHost } from '../plugins/runtime/host.js';

/** The configuration that a process uses. A changed file replaces all of it at once. */
export interface ActiveConfiguration {
  readonly config: Config;
  readonly plugins: PluginHost;
  /** Returns the prepared plugins of an endpoint. */
  readonly pluginsOf: Services['pluginsOf'];
}
