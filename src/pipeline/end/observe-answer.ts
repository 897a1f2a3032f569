import type { Answer } from '../../core/answer.js';
import type { PluginRun } from '../../core/log-record.js';
import type { Exchange } from '../exchange/exchange.js';
import { dueObservers, runObservers, skipObservers } from '../exchange/observers.js';
import { hostContext } from '../exchange/plugin-context.js';
import type { Services } from '../exchange/ports.js';
import { requestMessages } from '../exchange/request-messages.js';

/** The runs of all observers. Where there was no answer, the runs for it are skipped with the reason `why`. */
export async function observedRuns(
  exchange: Exchange,
  answer: Answer | undefined,
  why: string,
  services: Services,
): Promise<PluginRun[]> {
  if ((exchange.target?.observers ?? []).length === 0) return [];
  const ofRequest = (await exchange.observedRequest) ?? skipObservers(exchange, 'request', why);
  const due = dueObservers(exchange, 'response');
  if (due.length === 0) return ofRequest;
  if (answer === undefined) return [...ofRequest, ...skipObservers(exchange, 'response', why)];
  const ofAnswer = await runObservers(due, 'response', async (plugin) => {
    const document = exchange.document!;
    const messages = await requestMessages(exchange);
    const context = hostContext(exchange, exchange.standIns.copy());
    const { plugins } = services;
    return (await plugins.runResponse([plugin], context, answer.choices, messages, document.value)).runs;
  });
  return [...ofRequest, ...ofAnswer];
}
