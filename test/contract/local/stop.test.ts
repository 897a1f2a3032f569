import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { App } from '../../../src/app/app.js';
import { readConfiguration } from '../../../src/commands/configuration.js';
import { acceptsConnections, reservePort } from '../../../src/local/ports.js';
import { missingMongod, openTestDatabase } from '../../support/mongod.js';
import { silentLogger } from '../../support/silent-logger.js';

it.skipIf(missingMongod !== null)(
  'a service that stops closes its port before the plugins that answer there',
  async () => {
    const test = await openTestDatabase();
    const folder = await mkdtemp(join(tmpdir(), 'sluice-stop-'));
    const file = join(folder, 'sluice.yaml');
    await writeFile(file, 'providers: {}\nprojects: []\n');
    const { port, release } = await reservePort();
    const env = { SLUICE_ADMIN_PORT: String(port), SLUICE_DATA_DIR: folder, MONGODB_URI: test.uri };
    const configuration = await readConfiguration({ file, env });
    const { config, environment, read: texts } = configuration!;
    const plugins = configuration!.plugins();
    let listened: boolean | undefined;
    const close = plugins.close.bind(plugins);
    plugins.close = async () => {
      listened = await acceptsConnections(port);
      await close();
    };
    const source = { file, texts };
    const app = await App.start({
      role: 'admin',
      config,
      source,
      environment,
      env,
      plugins,
      logger: silentLogger,
    });
    expect(await acceptsConnections(port)).toBe(true);
    await app.stop();
    expect(listened).toBe(false);
    await release();
    await rm(folder, { recursive: true });
    await test.drop();
  },
);
