import { loggedMs } from '../../../core/clock.js';
import type { SluiceError } from '../../../core/errors.js';
import type { PluginOutcome, PluginRun } from '../../../core/log-record.js';
import type { Phase } from '../../../core/settings.js';
import type { Called } from '../call/call-with-deadline.js';
import type { PreparedPlugin } from '../prepare/prepared-plugin.js';
import { pluginFailed, tooMuchText } from './plugin-errors.js';
import type { Notes } from './read-result.js';

export interface RunEnd {
  outcome: PluginOutcome;
  durationMs: number;
  notes?: Notes;
  reason?: string;
}

/** Creates one entry of `plugin_runs`. */
export function runRecord(prepared: PreparedPlugin, phase: Phase, end: RunEnd): PluginRun {
  const { outcome, durationMs, notes, reason } = end;
  const run: PluginRun = {
    plugin: prepared.entry.plugin,
    phase,
    outcome,
    duration_ms: loggedMs(durationMs),
    findings: notes?.findings ?? [],
  };
  if (reason !== undefined) run.reason = reason;
  if (notes?.debug !== undefined) run.debug = notes.debug;
  if (notes?.annotations !== undefined) run.annotations = notes.annotations;
  return run;
}

const MOST_FINDINGS = 1_000;
const LONGEST_PLACE = 500;

/**
 * The run in the form that a log keeps. Until then it has all findings, because all of them must be masked in the
 * log.
 */
export function boundedRun(run: PluginRun): PluginRun {
  const { length } = run.findings;
  if (length <= MOST_FINDINGS && run.findings.every(({ place }) => place.length <= LONGEST_PLACE)) return run;
  const findings = run.findings
    .slice(0, MOST_FINDINGS)
    .map((finding) => ({ ...finding, place: finding.place.slice(0, LONGEST_PLACE) }));
  return { ...run, findings };
}

/** Describes how a run failed. */
export interface Failure {
  outcome: 'error' | 'timeout';
  reason: string;
  tooLarge?: boolean;
}

export function failureOf(called: Exclude<Called, { end: 'returned' | 'disconnected' }>): Failure {
  const { end, ...rest } = called;
  return { outcome: end, ...rest };
}

/**
 * What a plugin's failure means for the exchange. By default an error is ignored. A guard that keeps its own time and
 * is late refuses the exchange, because otherwise size or load could bypass it.
 */
export function failureRejection(
  { entry, plugin }: PreparedPlugin,
  phase: Phase,
  { outcome, tooLarge }: Failure,
): SluiceError | undefined {
  const refuses = entry.on_error ?? (outcome === 'timeout' && plugin.keepsTime ? 'reject' : 'allow');
  if (refuses === 'allow') return undefined;
  return tooLarge && phase === 'request' ? tooMuchText() : pluginFailed();
}
