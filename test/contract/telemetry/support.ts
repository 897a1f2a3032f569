import type { Endpoint, Provider } from '../../../src/core/settings.js';
import type { Lookup } from '../../../src/telemetry/metrics/outcomes.js';

export const PROJECT = '00000000-0000-4000-8000-000000000001';

const PROVIDERS: Record<string, Pick<Provider, 'api' | 'base_url'>> = {
  local: { api: 'openai', base_url: 'http://127.0.0.1:9101/v1' },
  claude: { api: 'anthropic', base_url: 'https://api.anthropic.com/v1' },
};

/** One project with one endpoint, `support`. */
export const directory: Lookup = {
  provider: (name) => PROVIDERS[name] as Provider | undefined,
  project: (uid) =>
    uid === PROJECT
      ? {
          uid,
          name: 'demo',
          enabled: true,
          managed_by: 'file',
          endpoints: new Map([['support', {} as Endpoint]]),
        }
      : undefined,
};
