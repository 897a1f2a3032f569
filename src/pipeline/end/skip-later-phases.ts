import { skippedRuns } from '../../plugins/runtime/run/skipped-runs.js';
import type { Exchange } from '../exchange/exchange.js';

/** Adds runs for phases that will not happen, so that the log has an entry for each plugin of the exchange. */
export function skipLaterPhases(exchange: Exchange, reason: string): void {
  for (const phase of ['request', 'response'] as const) {
    const ran = exchange.pluginRuns.some((run) => run.phase === phase);
    if (!ran) exchange.pluginRuns.push(...skippedRuns(exchange.plugins, phase, reason));
  }
}
