import { isJsonObject } from '../../../core/json.js';
import { PHASES, type Phase } from '../../../core/settings.js';
import { PluginFault } from '../../contract/fault.js';
import type { Plugin, StreamMode } from '../../contract/plugin.js';

const NAME = /^[a-z0-9_-]{1,64}$/;
const FUNCTIONS = [
  'request',
  'response',
  'responseWindow',
  'log',
  'logAtOnce',
  'prepare',
  'streamFor',
] as const;
const WIDEST_WINDOW = 1_048_576;

/** Checks a module's default export. Throws a `PluginFault` that says what is wrong with it. */
export function readPlugin(value: unknown): Plugin<unknown> {
  if (typeof value !== 'object' || value === null)
    throw new PluginFault('has no default export that is a plugin');
  const plugin = value as Partial<Record<keyof Plugin, unknown>>;
  if (typeof plugin.name !== 'string' || !NAME.test(plugin.name)) {
    throw new PluginFault("has no 'name' of 1 to 64 lower-case letters, digits, '_' and '-'");
  }
  if (!isJsonObject(plugin.configSchema))
    throw new PluginFault("has no 'configSchema', which is a JSON Schema");
  for (const name of FUNCTIONS) {
    if (plugin[name] !== undefined && typeof plugin[name] !== 'function') {
      throw new PluginFault(`has '${name}', which is not a function`);
    }
  }
  if (plugin.stream !== undefined) readStreamMode(plugin.stream);
  const checked = value as Plugin<unknown>;
  if (phasesOf(checked).length === 0) throw new PluginFault("has no function 'request', 'response' or 'log'");
  if (isWindow(checked.stream) && checked.responseWindow === undefined) {
    throw new PluginFault("has a stream window but no function 'responseWindow'");
  }
  return checked;
}

/** The phases that the plugin has a function for. */
export function phasesOf(plugin: Plugin<unknown>): Phase[] {
  return PHASES.filter((phase) =>
    phase === 'response'
      ? plugin.response !== undefined || plugin.responseWindow !== undefined
      : plugin[phase] !== undefined,
  );
}

/** How the plugin handles a stream with this configuration. */
export function streamModeOf(plugin: Plugin<unknown>, config: unknown): StreamMode {
  if (plugin.responseWindow === undefined) return 'whole';
  return readStreamMode(
    plugin.streamFor === undefined ? (plugin.stream ?? 'whole') : plugin.streamFor(config),
  );
}

function readStreamMode(value: unknown): StreamMode {
  if (value === 'whole') return value;
  if (
    !isWindow(value) ||
    !Number.isInteger(value.window) ||
    value.window < 1 ||
    value.window > WIDEST_WINDOW
  ) {
    throw new PluginFault(`has a 'stream' that is neither 'whole' nor a window of 1 to ${WIDEST_WINDOW}`);
  }
  return value;
}

function isWindow(value: unknown): value is { window: number } {
  return isJsonObject(value) && typeof value.window === 'number';
}
