import type { PluginRun } from '../../core/log-record.js';
import { nextRoundOfLoop, Pace } from '../../core/pacing/pace.js';
import type { PreparedPlugin } from '../../plugins/runtime/host.js';
import { skippedRuns } from '../../plugins/runtime/run/skipped-runs.js';
import type { Exchange } from '../exchange/exchange.js';

/*
 * Plugins that only observe stand beside the way of an exchange. Each sees by itself what the client sent, while
 * the request goes on, and the answer that went on, before its log is written. What they come to is in the log.
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
    // What cannot be read is no plugin's error; the way of the exchange has told it.
    const unread = () => skippedRuns([plugin], phase, 'there was nothing that it could read');
    const running = run(plugin).catch(unread);
    runs.push(running);
    // Those that wait for something do so together; one that works has worked by then.
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
  return { ...run, observed: true };
}
