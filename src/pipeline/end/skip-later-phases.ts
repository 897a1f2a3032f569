import { skippedRuns } from '../../plugins/runtime/run/skipped-runs.js';
import type { Exchange } from '../exchange/exchange.js';

/** Runs of the phases that will not come, so that the log says of each plugin that was due what became of it. */
export function skipLaterPhases(exchange: Exchange, reason: string): void {
  for (const phase of ['request', 'response'] as const) {
    const ran = exchange.pluginRuns.some((run) => run.phase === phase);
    if (!ran) exchange.pluginRuns.push(...skippedRuns(exchange.plugins, phase, reason));
  }
}
