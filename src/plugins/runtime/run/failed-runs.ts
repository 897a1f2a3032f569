import type { SluiceError } from '../../../core/errors.js';
import type { PluginRun } from '../../../core/log-record.js';
import type { Phase } from '../../../core/settings.js';
import type { PreparedPlugin } from '../prepare/prepared-plugin.js';
import { failureRejection, runRecord } from './run-record.js';

/**
 * Runs with an error for plugins that had to run in a phase but could not get their content, so that their `on_error`
 * decides. `reason` is for operators.
 */
export function failedRuns(
  plugins: readonly PreparedPlugin[],
  phase: Phase,
  reason: string,
): { runs: PluginRun[]; rejection?: SluiceError } {
  const due = plugins.filter((prepared) => prepared.phases.includes(phase));
  const runs = due.map((prepared) => runRecord(prepared, phase, { outcome: 'error', durationMs: 0, reason }));
  const failure = { outcome: 'error', reason } as const;
  const [rejection] = due.flatMap((prepared) => failureRejection(prepared, phase, failure) ?? []);
  return rejection === undefined ? { runs } : { runs, rejection };
}
