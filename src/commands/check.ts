import { readConfiguration } from './configuration.js';

/** Validates everything that can be validated without starting anything: 0, or 1 with the list of mistakes. */
export async function check(configOption: string | undefined): Promise<number> {
  const configuration = await readConfiguration(configOption);
  if (configuration === undefined) return 1;
  const { config, options, plugins } = configuration;
  await plugins().close();
  const endpoints = config.projects.reduce((sum, project) => sum + project.endpoints.length, 0);
  console.log(
    `${options.file} is valid: ${config.providers.size} providers, ${config.projects.length} projects, ${endpoints} endpoints.`,
  );
  return 0;
}
