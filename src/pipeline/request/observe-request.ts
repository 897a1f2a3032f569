import { onlyLastKeys } from '../../core/pacing/heavy-json.js';
import { nextRoundOfLoop } from '../../core/pacing/pace.js';
import { runSteps } from '../../core/pacing/steps.js';
import type { PreparedPlugin } from '../../plugins/runtime/host.js';
import { StandIns } from '../../plugins/stand-ins/stand-ins.js';
import type { Exchange } from '../exchange/exchange.js';
import { dueObservers, runObservers, skipObservers } from '../exchange/observers.js';
import { hostContext, MOST_SHOWN_TEXTS } from '../exchange/plugin-context.js';
import type { Services } from '../exchange/ports.js';

/** Starts the observers of the request. Nobody waits for them before the exchange ends. */
export function observeRequest(exchange: Exchange, services: Services): void {
  const due = dueObservers(exchange, 'request');
  if (due.length === 0 || exchange.call !== 'answer') return;
  const { received, dialect } = exchange;
  if ((received?.document.texts ?? 0) > MOST_SHOWN_TEXTS) {
    const reason = `the request has more than ${MOST_SHOWN_TEXTS} strings and member names`;
    exchange.observedRequest = Promise.resolve(skipObservers(exchange, 'request', reason));
    return;
  }
  const look = async (plugin: PreparedPlugin) => {
    const document = await onlyLastKeys(received!.document);
    const messages = await runSteps(dialect.readMessages(document));
    const context = hostContext(exchange, new StandIns());
    return (await services.plugins.runRequest([plugin], context, messages, document.value)).runs;
  };
  // Requests that were read together with this one are forwarded first.
  exchange.observedRequest = nextRoundOfLoop().then(() => runObservers(due, 'request', look));
}
