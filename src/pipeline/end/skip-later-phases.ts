import { skippedRuns } from '../../plugins/runtime/run/skipped-runs.js';
import type { Exchange } from '../exchange/exchange.js';

/** Adds runs for phases that will not happen, so that the log says what became of each plugin that was due. */
export function skipLaterPhases(exchange: Exchange, reason: string): void {
  for (const phase of ['request', 'response'] as const) {
    const ran = exchange.pluginRuns.some((run) => run.phase === phase);
    if (!ran) exchange.pluginRuns.push(...skippedRuns(exchange.plugins, phase, reason));
  }
}
