import { App } from '../app/app.js';
import { renderMistakes } from '../config/mistakes.js';
import { watchConfig } from '../config/watch.js';
import { expectRequests } from '../process/memory.js';
import type { Role } from '../process/role.js';
import { readConfiguration } from './configuration.js';
import { createLogger } from './create-logger.js';
import { keepServing } from './keep-serving.js';

/** Runs the given role until SIGTERM or SIGINT, then drains and returns 0. */
export async function serve(configOption: string | undefined, role: Role): Promise<number> {
  const configuration = await readConfiguration({ file: configOption });
  if (configuration === undefined) return 1;
  const { config, environment, plugins, read, options } = configuration;
  const logger = await createLogger(environment.logLevel);
  const stopped = untilSignal();
  const source = { file: options.file, texts: read };
  const app = await App.start({
    ...{ role, config, source, environment, env: process.env, plugins: plugins(), logger },
  });
  const letFail = keepServing(logger);
  expectRequests();
  logger.info({ role, admin_port: environment.adminPort }, 'ready');
  const watch = watchConfig({
    ...options,
    current: read,
    logger,
    onResult: async (result, texts) => {
      if ('config' in result) return app.replaceConfig(result.config, plugins(), texts);
      app.refuseConfig(result.mistakes.length);
      logger.error(
        { mistakes: renderMistakes(result.mistakes) },
        'the changed configuration has mistakes; the previous one stays active',
      );
    },
  });
  logger.info({ signal: await stopped }, 'draining');
  try {
    await watch.stop();
    await app.stop();
  } finally {
    letFail();
  }
  logger.info({}, 'stopped');
  return 0;
}

/** A second signal does not interrupt the drain. */
export function untilSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    process.on('SIGTERM', resolve);
    process.on('SIGINT', resolve);
  });
}
