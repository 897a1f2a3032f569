import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { pluginEntry } from '../../../../test/support/plugin-host.js';
import { systemClock } from '../../../core/clock.js';
import type { Plugin } from '../../contract/plugin.js';
import { BUILT_IN_PLUGINS } from '../../index.js';
import { createPluginHost, type PreparedPlugin, skippedRuns } from '../host.js';

describe('checking an endpoint', () => {
  const known: Plugin<unknown> = {
    name: 'known',
    configSchema: {
      type: 'object',
      additionalProperties: false,
      properties: { level: { type: 'integer', maximum: 5 }, kind: { enum: ['a', 'b'] } },
    },
    request: () => ({ action: 'pass' }),
    prepare: (config) => {
      if (config.level === 4) throw new Error('4 is taken');
      return config;
    },
  };
  const host = createPluginHost({ plugins: [known], clock: systemClock });

  it.each([
    [
      'an unknown plugin',
      pluginEntry('other'),
      '/plugins/0/plugin',
      /'other' is no plugin; there are: known$/,
    ],
    [
      'a plugin whose name is written wrongly',
      pluginEntry('knwn'),
      '/plugins/0/plugin',
      /there are: known; did you mean "known"\?$/,
    ],
    [
      'a phase that it does not run in',
      pluginEntry('known', { phases: ['request', 'log'] }),
      '/plugins/0/phases/1',
      /does not run in 'log'/,
    ],
    ['a wrong value', pluginEntry('known', { config: { level: 9 } }), '/plugins/0/config/level', /<= 5/],
    [
      'a value that is not allowed',
      pluginEntry('known', { config: { kind: 'c' } }),
      '/plugins/0/config/kind',
      /a, b/,
    ],
    ['an unknown key', pluginEntry('known', { config: { 'a/b': 1 } }), '/plugins/0/config/a~1b', /not known/],
    [
      'what prepare refuses',
      pluginEntry('known', { config: { level: 4 } }),
      '/plugins/0/config',
      /4 is taken/,
    ],
    [
      'a thread for a plugin of no module',
      pluginEntry('known', { isolate: true }),
      '/plugins/0/isolate',
      /not loaded from a module/,
    ],
  ])('reports %s with its place', (_, entry, path, message) => {
    expect(host.prepare([entry])).toEqual({ mistakes: [{ path, message: expect.stringMatching(message) }] });
  });

  it('gives a plugin all phases that it has a function for where none are named', () => {
    const result = host.prepare([pluginEntry('known')]) as { plugins: PreparedPlugin[] };
    expect(result.plugins[0]?.phases).toEqual(['request']);
    expect(skippedRuns(result.plugins, 'request', 'why')).toMatchObject([
      { outcome: 'skipped', reason: 'why' },
    ]);
    expect(skippedRuns(result.plugins, 'log', 'why')).toEqual([]);
  });

  it('refuses two plugins of one name, and an invalid schema', () => {
    expect(() => createPluginHost({ plugins: [known, known], clock: systemClock })).toThrow(/two plugins/);
    const odd = { ...known, configSchema: { type: 'nonsense' } };
    expect(() => createPluginHost({ plugins: [odd], clock: systemClock })).toThrow(
      /'known'.*no valid JSON Schema/,
    );
  });

  it.each(BUILT_IN_PLUGINS)(
    'has a JSON Schema for $name, which is not loaded when the engine starts',
    ({ configSchema }) => {
      expect(new Ajv2020({ strict: false }).validateSchema(configSchema)).toBe(true);
    },
  );

  it('lists plugins for people', () => {
    expect(host.list()).toEqual([
      { name: 'known', description: '', phases: ['request'], configSchema: known.configSchema },
    ]);
  });
});
