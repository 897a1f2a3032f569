import type { Ajv2020, ValidateFunction } from 'ajv/dist/2020.js';
import type { ErrorDetail } from '../../../core/errors.js';
import { OWN_SCHEMAS } from '../../../core/own-schemas.js';
import type { PluginEntry } from '../../../core/settings.js';
import { didYouMean } from '../../../core/texts/did-you-mean.js';
import { addFormats, createAjv2020 } from '../../../json-schema/load-ajv.js';
import { reasonOf } from '../../contract/fault.js';
import type { Plugin } from '../../contract/plugin.js';
import { BUILT_IN_PLUGINS } from '../../index.js';
import { schemas } from './built-in-schemas.js';
import { CONFIG_CHECKS } from './config-checks.js';
import { configMistakes } from './config-mistakes.js';
import { frozenCopy } from './frozen-copy.js';
import { phasesOf, streamModeOf } from './plugin-shape.js';
import { sourceOf } from './plugin-source.js';
import type { PreparedPlugin } from './prepared-plugin.js';

/**
 * The plugins by name. Throws an Error that names the plugin, where two have the same name or a `configSchema` is not a JSON
 * Schema.
 */
export function compilePlugins(plugins: readonly Plugin<unknown>[]): Map<string, Plugin<unknown>> {
  const known = new Map<string, Plugin<unknown>>();
  for (const plugin of plugins) {
    if (known.has(plugin.name)) throw new Error(`two plugins are named '${plugin.name}'`);
    try {
      // The schema of a built-in plugin is valid, and is compiled in advance.
      if (!BUILT_IN_PLUGINS.includes(plugin)) validatorOf(plugin);
      known.set(plugin.name, plugin);
    } catch (thrown) {
      throw new Error(
        `plugin '${plugin.name}': its configSchema is no valid JSON Schema: ${reasonOf(thrown)}`,
      );
    }
  }
  return known;
}

/** Compiled schemas by plugin, because a process creates several hosts with the same plugins. */
const validators = new WeakMap<Plugin<unknown>, ValidateFunction>();

function validatorOf(plugin: Plugin<unknown>): ValidateFunction {
  if (BUILT_IN_PLUGINS.includes(plugin)) return schemas.validator(plugin.name);
  const validate = validators.get(plugin) ?? compile(plugin);
  validators.set(plugin, validate);
  return validate;
}

function compile(plugin: Plugin<unknown>): ValidateFunction {
  checkSchema(plugin);
  const ajv = createAjv2020({ ...OWN_SCHEMAS, ...CONFIG_CHECKS });
  addFormats(ajv);
  return ajv.compile(plugin.configSchema);
}

/**
 * Compiling the meta-schema takes far longer than compiling any plugin's schema, so all plugins share one instance.
 */
let metaSchemas: Ajv2020 | undefined;

function checkSchema({ configSchema }: Plugin<unknown>): void {
  if (metaSchemas === undefined) {
    metaSchemas = createAjv2020({ strict: false, allErrors: true, logger: false });
    addFormats(metaSchemas);
  }
  metaSchemas.validateSchema(configSchema, true);
}

/**
 * Checks and prepares entries. Paths of mistakes are JSON pointers into an endpoint, such as
 * `/plugins/0/config/entities/1`.
 */
export function prepareEntries(
  entries: readonly PluginEntry[],
  known: ReadonlyMap<string, Plugin<unknown>>,
): { plugins: PreparedPlugin[] } | { mistakes: ErrorDetail[] } {
  const plugins: PreparedPlugin[] = [];
  const mistakes: ErrorDetail[] = [];
  for (const [index, entry] of entries.entries()) {
    const path = `/plugins/${index}`;
    const plugin = known.get(entry.plugin);
    if (plugin === undefined) {
      const names = [...known.keys()].join(', ');
      mistakes.push({
        path: `${path}/plugin`,
        message: `'${entry.plugin}' is no plugin; there are: ${names}${didYouMean(entry.plugin, [...known.keys()])}`,
      });
      continue;
    }
    const before = mistakes.length;
    mistakes.push(...placeMistakes(entry, plugin, path));
    const config = structuredClone(entry.config);
    const validate = validatorOf(plugin);
    if (!validate(config)) mistakes.push(...configMistakes(validate.errors ?? [], `${path}/config`));
    if (mistakes.length > before) continue;
    try {
      plugins.push(prepareEntry({ ...entry, config: frozenCopy(config) }, plugin));
    } catch (thrown) {
      mistakes.push({ path: `${path}/config${pathOf(thrown)}`, message: messageOf(thrown) });
    }
  }
  return mistakes.length > 0 ? { mistakes } : { plugins };
}

function prepareEntry(entry: PluginEntry, plugin: Plugin<unknown>): PreparedPlugin {
  const config = plugin.prepare === undefined ? entry.config : plugin.prepare(entry.config);
  const phases = entry.phases.length === 0 ? phasesOf(plugin) : entry.phases;
  streamModeOf(plugin, config);
  return { entry, plugin, config, phases };
}

function placeMistakes(entry: PluginEntry, plugin: Plugin<unknown>, path: string): ErrorDetail[] {
  const mistakes: ErrorDetail[] = [];
  const supported = phasesOf(plugin);
  for (const [index, phase] of entry.phases.entries()) {
    if (!supported.includes(phase)) {
      mistakes.push({
        path: `${path}/phases/${index}`,
        message: `'${entry.plugin}' does not run in '${phase}'; it runs in: ${supported.join(', ')}`,
      });
    }
  }
  if (entry.isolate && sourceOf(plugin) === undefined) {
    mistakes.push({
      path: `${path}/isolate`,
      message: `'${entry.plugin}' cannot be isolated: it was not loaded from a module`,
    });
  }
  return mistakes;
}

function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : reasonOf(thrown);
}

/** The place of the mistake, where an error of `prepare` names one by a JSON pointer. */
function pathOf(thrown: unknown): string {
  const path = thrown instanceof Error && 'path' in thrown ? thrown.path : '';
  return typeof path === 'string' && path.startsWith('/') ? path : '';
}
