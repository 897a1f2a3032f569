import type { LogRecord } from '../core/log-record.js';
import type { Exchange } from './exchange.js';
import { hostContext } from './plugin-context.js';
import type { Services } from './ports.js';
import type { Ending } from './record.js';
import { makeRecord } from './record.js';
import { skipLaterPhases } from './request.js';

/**
 * Ends the exchange and appends its record; the last bytes of the answer may go once this resolves. A second
 * call does nothing. Rejects with `spool_full` where the operator rather refuses than loses a log.
 */
export async function finish(exchange: Exchange, ending: Ending, services: Services): Promise<void> {
  if (exchange.ended) return;
  exchange.move('ended');
  // Counting tokens is no inference.
  if (exchange.call === 'count_tokens') return;
  skipLaterPhases(exchange, ending.error?.message ?? `the exchange ended with ${ending.status}`);
  const record = makeRecord(exchange, ending, services);
  const details = { validated: exchange.schema !== undefined };
  exchange.trace.end(record, details);
  services.telemetry.observe(record, details);
  await services.sink.append(record);
  if (exchange.plugins.some((plugin) => plugin.phases.includes('log')))
    runLogPlugins(exchange, record, services);
}

/** After the answer and never in its way: what goes wrong here is for the operator alone. */
function runLogPlugins(exchange: Exchange, record: LogRecord, services: Services): void {
  const context = { ...hostContext(exchange), signal: new AbortController().signal };
  setImmediate(async () => {
    try {
      const { runs, addTags } = await services.plugins.runLog(exchange.plugins, context, record);
      services.telemetry.observePluginRuns(runs);
      await services.sink.amend({ log_id: record._id, plugin_runs: runs, add_tags: addTags });
    } catch (err) {
      services.logger.error({ err, log_id: record._id }, 'the log phase failed');
    }
  });
}
