import { isJsonObject, type JsonObject } from '../../../core/json.js';
import type { PluginSource } from '../prepare/plugin-source.js';
import type { PluginFunction } from './call-with-deadline.js';

export interface ThreadData {
  source: PluginSource;
  plugin: string;
  /** The operator's configuration with defaults filled in; `prepare` runs again in the thread. */
  config: JsonObject;
}

/** A message to the thread. Everything in it can be cloned. */
export type ToThread =
  | { kind: 'call'; id: number; name: PluginFunction; input: object }
  | { kind: 'abort'; id: number };

/** A message from the thread. `ready` is sent once, before anything else. */
export type FromThread =
  | { kind: 'ready' }
  | { kind: 'unusable'; reason: string }
  | { kind: 'returned'; id: number; value: unknown }
  | { kind: 'threw'; id: number; reason: string };

const KINDS = ['ready', 'unusable', 'returned', 'threw'] as const satisfies FromThread['kind'][];

export function isFromThread(message: unknown): message is FromThread {
  return isJsonObject(message) && (KINDS as readonly unknown[]).includes(message.kind);
}
