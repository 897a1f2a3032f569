import type { PluginRun } from '../../../core/log-record.js';
import type { Phase } from '../../../core/settings.js';
import type { PreparedPlugin } from '../prepare/prepared-plugin.js';

/**
 * Runs with the outcome `skipped` for plugins that should have run in a phase but did not. `reason` is for operators.
 */
export function skippedRuns(plugins: readonly PreparedPlugin[], phase: Phase, reason: string): PluginRun[] {
  return plugins
    .filter((prepared) => prepared.phases.includes(phase))
    .map((prepared) => skippedRun(prepared, phase, reason));
}

export function skippedRun(prepared: PreparedPlugin, phase: Phase, reason: string): PluginRun {
  return { plugin: prepared.entry.plugin, phase, outcome: 'skipped', duration_ms: 0, findings: [], reason };
}
