import type { PluginRun } from '../../core/log-record.js';
import { nextRoundOfLoop, Pace } from '../../core/pacing/pace.js';
import type { PreparedPlugin } from '../../plugins/runtime/host.js';
import { skippedRuns } from '../../plugins/runtime/run/skipped-runs.js';
import type { Exchange } from '../exchange/exchange.js';

/*
 * Plugins that only observe run beside the exchange. Each sees what the client sent while the request goes on, and
 * the final answer before the log is written. Their results are only in the log.
 */

export function dueObservers(exchange: Exchange, phase: 'request' | 'response'): PreparedPlugin[] {
  return (exchange.target?.observers ?? []).filter(({ phases }) => phases.includes(phase));
}

export async function runObservers(
  due: readonly PreparedPlugin[],
  phase: 'request' | 'response',
  run: (plugin: PreparedPlugin) => Promise<PluginRun[]>,
): Promise<PluginRun[]> {
  const runs: Promise<PluginRun[]>[] = [];
  const pace = new Pace();
  for (const plugin of due) {
    // Content that cannot be read is not a plugin's error, and the exchange has already reported it.
    const unread = () => skippedRuns([plugin], phase, 'the content could not be read');
    const running = run(plugin).catch(unread);
    runs.push(running);
    // Plugins that wait for something run concurrently. A plugin that only computes has finished by then.
    await Promise.race([running, nextRoundOfLoop()]);
    await pace.pause();
  }
  return (await Promise.all(runs)).flat().map(mark);
}

export function skipObservers(
  exchange: Exchange,
  phase: 'request' | 'response',
  reason: string,
): PluginRun[] {
  return skippedRuns(exchange.target?.observers ?? [], phase, reason).map(mark);
}

function mark(run: PluginRun): PluginRun {
  return Object.assign({}, run, { observed: true as const });
}
