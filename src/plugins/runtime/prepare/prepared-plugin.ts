import type { JsonObject } from '../../../core/json.js';
import type { PluginEntry } from '../../../core/settings.js';
import type { Phase, Plugin } from '../../contract/plugin.js';
import type { StandIns } from '../../stand-ins/stand-ins.js';

/** One validated entry of an endpoint's list, with its plugin's prepared configuration. */
export interface PreparedPlugin {
  readonly entry: PluginEntry;
  // The host passes a plugin only what its own `prepare` returned, so the type is the plugin's own.
  readonly plugin: Plugin<unknown>;
  readonly config: unknown;
  /** The phases that the plugin runs in: those of the entry, or all that it has a function for. */
  readonly phases: readonly Phase[];
}

/** What a plugin learns about the exchange. Expensive values may be getters. */
export interface HostContext {
  /** The log id. */
  requestId: string;
  endpoint: string;
  metadata: JsonObject;
  /** The client's headers. Plugins get only those that cannot be credentials. */
  headers: Readonly<Record<string, string>>;
  /** Aborted when the client has disconnected. */
  readonly signal: AbortSignal;
  /** Whether the client has disconnected, where that is known without the signal. */
  readonly disconnected?: boolean;
  /** An object that is the same in all phases of an exchange. */
  exchange?: object;
  /** The stand-ins of this exchange. Plugins read them, and their results add to them. */
  standIns?: StandIns;
}
