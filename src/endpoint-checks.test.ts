import { expect, it } from 'vitest';
import type { Config } from './config/config.js';
import type { Endpoint, PluginEntry } from './core/settings.js';
import { endpointChecks } from './endpoint-checks.js';
import { createPluginHost } from './plugins/host.js';
import { BUILT_IN_PLUGINS } from './plugins/index.js';

const host = createPluginHost({ plugins: BUILT_IN_PLUGINS, clock: { now: () => 0, monotonic: () => 0 } });
const config = { providers: new Map(), webhooks: { allowed_urls: ['https://hooks.example/'] } };

const entry = (plugin: string, settings: PluginEntry['config'] = {}): PluginEntry => ({
  plugin,
  phases: [],
  config: settings,
  timeout_ms: 1000,
  on_error: 'allow',
  isolate: false,
});

it('names what is wrong by the keys on the way to it, behind dots', () => {
  const endpoint = {
    name: 'e',
    models: [{ provider: 'nobody', model: 'm', structured_output: false }],
    plugins: [
      entry('nothing'),
      entry('pii_detection', { entities: ['PERSON', 'X'] }),
      entry('webhook', { url: 'https://other.example/' }),
      entry('webhook', { url: 'https://hooks.example/a' }),
    ],
  } as unknown as Endpoint;
  expect(endpointChecks(endpoint, config as unknown as Config, host).map(({ path }) => path)).toEqual([
    'models.0.provider',
    'plugins.0.plugin',
    'plugins.1.config.entities.1',
    'plugins.2.config.url',
  ]);
});
