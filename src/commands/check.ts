import type { Config } from '../config/config.js';
import { type Mistake, renderMistake } from '../config/mistakes.js';
import { warningsOf } from '../config/read.js';
import { counted } from '../core/texts/counted.js';
import type { PluginHost } from '../plugins/runtime/host.js';
import { gapsOf } from '../plugins/runtime/prepare/gaps.js';
import { readConfiguration, readSoundConfiguration } from './configuration.js';

/**
 * Checks everything that can be checked without starting anything. Returns 0, or 1 with a list of mistakes. Guards
 * that can be bypassed, and settings that are probably a mistake, are printed as warnings.
 */
export async function check(configOption: string | undefined): Promise<number> {
  const configuration = await readConfiguration({ file: configOption });
  if (configuration === undefined) {
    const named = configOption === undefined ? {} : { SLUICE_CONFIG: configOption };
    printWarnings((await readSoundConfiguration({ ...process.env, ...named }))?.warnings ?? []);
    return 1;
  }
  const { config, options, plugins, read } = configuration;
  printWarnings(warningsOf(read, options.file));
  for (const warning of guardWarnings(config, plugins())) console.warn(warning);
  await plugins().close();
  const endpoints = config.projects.reduce((sum, project) => sum + project.endpoints.length, 0);
  const parts = [
    counted(config.providers.size, 'provider'),
    counted(config.projects.length, 'project'),
    counted(endpoints, 'endpoint'),
  ];
  console.log(`${options.file} is valid: ${parts.join(', ')}.`);
  return 0;
}

function printWarnings(warnings: Mistake[]): void {
  for (const warning of warnings) console.warn(`warning: ${renderMistake(warning)}`);
}

function guardWarnings(config: Config, plugins: PluginHost): string[] {
  return config.projects.flatMap(({ name, endpoints }) =>
    endpoints.flatMap((endpoint) => {
      const prepared = plugins.prepare(endpoint.plugins);
      if ('mistakes' in prepared) return [];
      return gapsOf(prepared.plugins).map(({ index, message }) => {
        const { plugin } = endpoint.plugins[index]!;
        return `warning: ${name}, endpoint ${endpoint.name}, plugins[${index}] (${plugin}): ${message}`;
      });
    }),
  );
}
