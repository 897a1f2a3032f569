import { describe, expect, it } from 'vitest';
import type { PluginEntry } from '../../core/settings.js';
import type { PreparedPlugin } from '../../plugins/runtime/host.js';
import { duePlugins } from './due-plugins.js';

function prepared(plugin: string, more: Partial<PluginEntry> = {}): PreparedPlugin {
  const entry = {
    plugin,
    phases: [],
    config: {},
    timeout_ms: 1_000,
    isolate: false,
    mode: 'enforce' as const,
    sample: 1,
    ...more,
  };
  return { entry, plugin: { name: plugin, configSchema: {} }, config: {}, phases: ['request'] };
}

const namesOf = (plugins: readonly PreparedPlugin[]) => plugins.map(({ entry }) => entry.plugin);

describe('the plugins that are due in an exchange', () => {
  it('are grouped by their mode', () => {
    const { enforced, observing } = duePlugins(
      [
        prepared('a'),
        prepared('b', { mode: 'observe' }),
        prepared('c', { mode: 'off' }),
        prepared('d', { mode: 'enforce' }),
      ],
      'id',
    );
    expect([namesOf(enforced), namesOf(observing)]).toEqual([['a', 'd'], ['b']]);
  });

  it('run on a share of exchanges, the same ones for all plugins', () => {
    const plugins = [
      prepared('all'),
      prepared('half', { sample: 0.5 }),
      prepared('tenth', { sample: 0.1, mode: 'observe' }),
      prepared('none', { sample: 0 }),
    ];
    const seen = Array.from({ length: 2_000 }, (_, index) => {
      const { enforced, observing } = duePlugins(plugins, `id-${index}`);
      return [...namesOf(enforced), ...namesOf(observing)];
    });
    const share = (name: string) => seen.filter((names) => names.includes(name)).length / seen.length;
    expect([share('all'), share('none')]).toEqual([1, 0]);
    expect(share('half')).toBeCloseTo(0.5, 1);
    expect(share('tenth')).toBeCloseTo(0.1, 1);
    expect(seen.every((names) => !names.includes('tenth') || names.includes('half'))).toBe(true);
  });
});
