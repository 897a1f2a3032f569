import type { Answer } from '../../core/answer.js';
import type { PluginRun } from '../../core/log-record.js';
import { onlyLastKeys } from '../../core/pacing/heavy-json.js';
import { whereLongInTurns } from '../../core/pacing/long-work.js';
import { nextRoundOfLoop, Pace } from '../../core/pacing/pace.js';
import type { PreparedPlugin } from '../../plugins/host/host.js';
import { skippedRuns } from '../../plugins/run/skipped-runs.js';
import { StandIns } from '../../plugins/stand-ins/stand-ins.js';
import type { Exchange } from '../exchange.js';
import type { Services } from '../ports.js';
import { hostContext, MOST_SHOWN_TEXTS } from '../request/plugin-context.js';

/*
 * Plugins that only observe stand beside the way of an exchange. Each sees by itself what the client sent, while
 * the request goes on, and the answer that went on, before its log is written. What they come to is in the log.
 */

/** Lets them look at the request; nobody waits for it before the exchange ends. */
export function observeRequest(exchange: Exchange, services: Services): void {
  const due = dueIn(exchange, 'request');
  if (due.length === 0 || exchange.call !== 'answer') return;
  const { original, dialect } = exchange;
  if ((original?.texts ?? 0) > MOST_SHOWN_TEXTS) {
    const reason = `the request has more than ${MOST_SHOWN_TEXTS} strings and names of members`;
    exchange.observedRequest = Promise.resolve(skip(exchange, 'request', reason));
    return;
  }
  const look = async (plugin: PreparedPlugin) => {
    const document = await onlyLastKeys(original!);
    const messages = await whereLongInTurns(dialect.readMessages(document));
    const context = hostContext(exchange, new StandIns());
    return (await services.plugins.runRequest([plugin], context, messages, document.value)).runs;
  };
  // Requests that were read with this one are on their way first.
  exchange.observedRequest = nextRoundOfLoop().then(() => observed(due, 'request', look));
}

/** All that they came to, and what of it is skipped since there was no answer. `why` says why there was none. */
export async function observedRuns(
  exchange: Exchange,
  answer: Answer | undefined,
  why: string,
  services: Services,
): Promise<PluginRun[]> {
  if (exchange.observers.length === 0) return [];
  const ofRequest = (await exchange.observedRequest) ?? skip(exchange, 'request', why);
  const due = dueIn(exchange, 'response');
  if (due.length === 0) return ofRequest;
  if (answer === undefined) return [...ofRequest, ...skip(exchange, 'response', why)];
  const ofAnswer = await observed(due, 'response', async (plugin) => {
    const document = exchange.document!;
    const messages = exchange.messages ?? (await whereLongInTurns(exchange.dialect.readMessages(document)));
    const context = hostContext(exchange, exchange.standIns.copy());
    const { plugins } = services;
    return (await plugins.runResponse([plugin], context, answer.choices, messages, document.value)).runs;
  });
  return [...ofRequest, ...ofAnswer];
}

function dueIn(exchange: Exchange, phase: 'request' | 'response'): PreparedPlugin[] {
  return exchange.observers.filter(({ phases }) => phases.includes(phase));
}

async function observed(
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

function skip(exchange: Exchange, phase: 'request' | 'response', reason: string): PluginRun[] {
  return skippedRuns(exchange.observers, phase, reason).map(mark);
}

function mark(run: PluginRun): PluginRun {
  return { ...run, observed: true };
}
