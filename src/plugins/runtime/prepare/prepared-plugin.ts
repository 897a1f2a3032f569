import type { JsonObject } from '../../../core/json.js';
import type { PluginEntry } from '../../../core/settings.js';
import type { Phase, Plugin } from '../../contract/plugin.js';
import type { StandIns } from '../../stand-ins/stand-ins.js';

/** One entry of an endpoint's list, checked, with what its plugin made of its configuration. */
export interface PreparedPlugin {
  readonly entry: PluginEntry;
  // The host hands a plugin only what its own `prepare` gave, so its configuration's type is the plugin's affair.
  readonly plugin: Plugin<unknown>;
  readonly config: unknown;
  /** Where it runs: what the entry names, or all that the plugin has a function for. */
  readonly phases: readonly Phase[];
}

/** What a plugin learns of the exchange. What costs something to make may be a getter. */
export interface HostContext {
  /** The log id. */
  requestId: string;
  endpoint: string;
  metadata: JsonObject;
  /** The client's headers; plugins get those of an allow list. */
  headers: Readonly<Record<string, string>>;
  /** Aborted when the client has gone. */
  readonly signal: AbortSignal;
  /** Whether it has, where that is known without the signal. */
  readonly gone?: boolean;
  /** The same object in all phases of an exchange. */
  exchange?: object;
  /** What stands for which value in this exchange: read, and added to. */
  standIns?: StandIns;
}
