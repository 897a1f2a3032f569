import { describe, expect, it } from 'vitest';
import type { Config } from '../config/config.js';
import { systemClock } from '../core/clock.js';
import type { Endpoint, PluginEntry, TrafficLimit } from '../core/settings.js';
import { BUILT_IN_PLUGINS } from '../plugins/index.js';
import { createPluginHost } from '../plugins/runtime/host.js';
import { endpointChecks } from './endpoint-checks.js';

const host = createPluginHost({ plugins: BUILT_IN_PLUGINS, clock: systemClock });
const config = {
  providers: new Map([['local', {}]]),
  webhooks: {
    allowed_urls: ['https://hooks.example.com/ok/', 'https://bare.example.com/', 'https://c.example/hooks'],
  },
} as unknown as Config;

const entry = (plugin: string, settings: PluginEntry['config'] = {}): PluginEntry => ({
  plugin,
  phases: [],
  config: settings,
  timeout_ms: 1000,
  on_error: 'allow',
  isolate: false,
  mode: 'enforce' as const,
  sample: 1,
});

/** The paths of what is wrong with an endpoint of one model. */
function mistakesOf(plugins: PluginEntry[], provider = 'local'): string[] {
  const endpoint = { name: 'e', models: [{ provider, model: 'm', structured_output: false }], plugins };
  return endpointChecks(endpoint as unknown as Endpoint, config, host).map(({ path }) => path);
}

describe('what is wrong with an endpoint that the API sets', () => {
  it('is reported with the keys that lead to it, joined by dots', () => {
    const plugins = [
      entry('nothing'),
      entry('pii_detection', { entities: ['PERSON', 'X'] }),
      entry('webhook', { url: 'https://other.example/' }),
      entry('webhook', { url: 'https://bare.example.com/a' }),
    ];
    expect(mistakesOf(plugins, 'nobody')).toEqual([
      'models.0.provider',
      'plugins.0.plugin',
      'plugins.1.config.entities.1',
      'plugins.2.config.url',
    ]);
  });

  it('includes a model without a price in a project that limits costs, which would not be counted there', () => {
    const models = ['priced', 'free'].map((model) => ({
      provider: 'local',
      model,
      structured_output: false,
    }));
    const endpoint = { name: 'e', models, plugins: [] } as unknown as Endpoint;
    const prices = { priced: { input_per_mtok: 1, output_per_mtok: 1 } };
    const priced = { ...config, providers: new Map([['local', { prices }]]) } as unknown as Config;
    const limit: TrafficLimit = { per: 'project', window: 'day', action: 'reject', shared: false };
    const found = (kind: Partial<TrafficLimit>) =>
      endpointChecks(endpoint, priced, host, { limits: [{ ...limit, ...kind }] });
    expect(found({ cost_usd: 5 })).toEqual([
      { path: 'models.1.model', message: expect.stringContaining('the price of "local/free" is not known') },
    ]);
    expect(found({ tokens: 5 })).toEqual([]);
  });
});

describe('the URL of a webhook that the API sets', () => {
  it.each([
    'https://hooks.example.com/ok/a?b=c',
    'https://HOOKS.example.com/ok/..a/b..',
    'https://hooks.example.com/ok/a%2fb',
    'https://bare.example.com/anything',
    'https://c.example/hooks',
    'https://c.example/hooks/a',
    'https://c.example/hooks?a',
  ])('may be %s', (url) => {
    expect(mistakesOf([entry('webhook', { url })])).toEqual([]);
  });

  it.each([
    'https://c.example/hooksevil',
    'https://hooks.example.com/admin',
    'https://hooks.example.com.evil.example/ok/',
    'https://bare.example.com.evil.example/',
    'https://hooks.example.com/ok/../admin',
    'https://hooks.example.com/ok/%2e%2E/admin',
    'https://hooks.example.com/ok/..%2fadmin',
    'https://hooks.example.com/ok/%2e.%5Cadmin',
    'http://hooks.example.com/ok/',
  ])('may not be %s', (url) => {
    expect(mistakesOf([entry('webhook', { url })])).toEqual(['plugins.0.config.url']);
  });
});

describe("the URLs of an operator's own plugin", () => {
  const called = { type: 'string', format: 'uri', 'x-sluice-called': true };
  const configSchema = {
    type: 'object',
    properties: {
      scorer: called,
      mirrors: { type: 'array', items: { type: 'object', properties: { at: called } } },
      by_name: { type: 'object', additionalProperties: called },
      unmarked: { type: 'string', format: 'uri' },
      imprint: { type: 'string', format: 'uri', 'x-sluice-called': false },
    },
  };
  const plugin = { name: 'scored', configSchema, request: () => ({ action: 'pass' }) as const };
  const scored = createPluginHost({ plugins: [plugin], clock: systemClock });
  const check = (settings: PluginEntry['config']) =>
    endpointChecks(
      { name: 'e', models: [], plugins: [entry('scored', settings)] } as unknown as Endpoint,
      config,
      scored,
    )
      .map(({ path }) => path)
      .filter((path) => path.startsWith('plugins'));

  it('are found by its schema, wherever they are', () => {
    const foreign = 'https://other.example/';
    expect(
      check({ scorer: foreign, mirrors: [{ at: foreign }], by_name: { a: foreign }, unmarked: foreign }),
    ).toEqual([
      'plugins.0.config.scorer',
      'plugins.0.config.mirrors.0.at',
      'plugins.0.config.by_name.a',
      'plugins.0.config.unmarked',
    ]);
  });

  it('may be any where they are allowed, or where they are never called', () => {
    expect(check({ scorer: 'https://bare.example.com/x', imprint: 'https://other.example/' })).toEqual([]);
  });
});
