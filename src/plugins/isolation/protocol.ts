import { isJsonObject, type JsonObject } from '../../core/json.js';
import type { PluginFunction } from '../run/call-with-deadline.js';

/** Where a thread finds its plugin: a module with a default export, or our own list. */
export type PluginSource = { kind: 'module'; url: string } | { kind: 'built-in' };

export interface ThreadData {
  source: PluginSource;
  plugin: string;
  /** As the operator wrote it, defaults filled in; `prepare` runs again in the thread. */
  config: JsonObject;
}

/** To the thread. Everything in it can be cloned. */
export type ToThread =
  | { kind: 'call'; id: number; name: PluginFunction; input: object }
  | { kind: 'abort'; id: number };

/** From the thread. `ready` comes once, before anything else. */
export type FromThread =
  | { kind: 'ready' }
  | { kind: 'unusable'; reason: string }
  | { kind: 'returned'; id: number; value: unknown }
  | { kind: 'threw'; id: number; reason: string };

const KINDS = ['ready', 'unusable', 'returned', 'threw'] as const satisfies FromThread['kind'][];

export function isFromThread(message: unknown): message is FromThread {
  return isJsonObject(message) && (KINDS as readonly unknown[]).includes(message.kind);
}
