import { SluiceError } from '../../core/errors.js';
import { lengthOf } from '../../core/json.js';
import type { LogRecord } from '../../core/log-record.js';
import type { Logger } from '../../core/logger.js';
import { heavyWork, isHeavy } from '../../core/pacing/heavy-work.js';
import { isLater, type MaybePromise, recover, settle } from '../../core/pacing/maybe-promise.js';
import { runSteps } from '../../core/pacing/steps.js';
import type { LogPhaseOutcome } from '../../plugins/runtime/host.js';
import type { Ending } from '../exchange/ending.js';
import type { Exchange } from '../exchange/exchange.js';
import type { Services } from '../exchange/ports.js';
import { estimateUsage } from '../request/token-estimate.js';
import { recordContent } from './kept-content.js';
import { largeBodies, writtenRequest } from './large-bodies.js';
import { observedRuns } from './observe-answer.js';
import { makeRecord } from './record.js';
import { skipLaterPhases } from './skip-later-phases.js';
import { traceDetails } from './trace-details.js';

const WITHOUT_CONTENT = { request: null, response: null };
const NO_CONTENT = { ...WITHOUT_CONTENT, requestBody: null };

/**
 * Ends the exchange and appends its record. The last bytes of the answer may be sent once this resolves. A second
 * call does nothing. Rejects with `spool_full` where the operator prefers refusing requests to losing logs.
 */
export async function finish(exchange: Exchange, ending: Ending, services: Services): Promise<void> {
  if (exchange.ended) return;
  exchange.move('ended');
  try {
    await end(exchange, ending, services);
  } finally {
    // Whatever went wrong before, the exchange's reservation is released.
    exchange.admission?.release();
    exchange.place?.();
    if (exchange.cache?.state === 'miss') exchange.cache.over();
    for (const { release } of exchange.attempts) release?.();
  }
}

async function end(exchange: Exchange, ending: Ending, services: Services): Promise<void> {
  // Counting tokens is not logged, because no model answered.
  if (exchange.call === 'count_tokens') return;
  const why = ending.error?.message ?? withoutAnswer(exchange, ending);
  skipLaterPhases(exchange, why);
  const observers = exchange.target?.observers ?? [];
  if (observers.length > 0) {
    exchange.pluginRuns.push(...(await observedRuns(exchange, ending.answer, why, services)));
  }
  const isLarge = exchange.received !== undefined && isHeavy(lengthOf(exchange.received.document));
  if (isLarge) await heavyWork.next();
  const record = await recordOf(exchange, ending, services);
  const plugins = [...exchange.plugins, ...observers];
  const logPhaseDue = services.logPhase.isDue(plugins);
  const known = logPhaseDue
    ? services.logPhase.atOnce(record, plugins, exchange.headers, exchange.token)
    : undefined;
  if (logPhaseDue && known === undefined) services.logPhase.mark(record, plugins);
  if (exchange.trace.spanId !== undefined) record._span_id = exchange.trace.spanId;
  if (isLarge) await heavyWork.next();
  try {
    await append(known === undefined ? record : withLogPhase(record, known), services);
    // This comes after the append, so that engines that share a limit never count what no log contains.
    exchange.admission?.settle(record.usage, record.cost, record.status === 'success');
  } finally {
    const reporting = reportToTelemetry(exchange, ending, record, known, services);
    if (reporting !== undefined) await reporting;
  }
  logFailure(record, services.logger);
  logEnd(record, services.logger);
  if (logPhaseDue && known === undefined) {
    services.logPhase.run(record, plugins, exchange.headers, exchange.token);
  }
}

function withLogPhase(record: LogRecord, { runs, addTags }: LogPhaseOutcome): LogRecord {
  const tags = addTags.length === 0 ? record.tags : [...new Set([...record.tags, ...addTags])];
  return { ...record, tags, plugin_runs: [...record.plugin_runs, ...runs] };
}

/** The reason why no response plugin had to run. */
function withoutAnswer({ dialect }: Exchange, { status }: Ending): string {
  return dialect.answers === undefined || status !== 'success'
    ? `the exchange ended with ${status}`
    : `the answer holds ${dialect.answers} and no text`;
}

/** The record. Where it cannot be made, a log without content is better than none. */
async function recordOf(exchange: Exchange, ending: Ending, services: Services): Promise<LogRecord> {
  try {
    const estimating = runSteps(estimateUsage(exchange, ending.answer));
    if (isLater(estimating)) await estimating;
    const reading = runSteps(recordContent(exchange, ending));
    const content = isLater(reading) ? await reading : reading;
    const record = makeRecord(exchange, ending, services, content);
    const finding = largeBodies(content);
    const large = isLater(finding) ? await finding : finding;
    if (large !== undefined) record._large = large;
    const written = writtenRequest(content);
    if (written !== undefined) record._written = written;
    return record;
  } catch (err) {
    services.logger.error(
      { err, log_id: exchange.id },
      'a log was written without content, which could not be prepared',
    );
    return makeRecord(exchange, ending, services, NO_CONTENT);
  }
}

async function append(record: LogRecord, services: Services): Promise<void> {
  try {
    await services.sink.append(record);
  } catch (err) {
    if (err instanceof SluiceError) throw err;
    services.logger.error(
      { err, log_id: record._id },
      'a log was written without content, which could not be appended',
    );
    const { client_response: _gone, preview: _preview, _large: _text, _written: _pieces, ...rest } = record;
    await services.sink.append({ ...rest, ...WITHOUT_CONTENT });
  }
}

/** Reports to telemetry. This comes after the append, so that its failure neither loses a log nor ends an answer. */
function reportToTelemetry(
  exchange: Exchange,
  ending: Ending,
  record: LogRecord,
  logPhase: LogPhaseOutcome | undefined,
  services: Services,
): MaybePromise<void> {
  return recover(
    () =>
      settle(runSteps(traceDetails(exchange, ending)), (details) => {
        exchange.trace.end(record, details);
        services.telemetry.observe(record, details);
        if (logPhase !== undefined) services.telemetry.observeLogPhase(record, logPhase.runs);
      }),
    (err) =>
      services.logger.error(
        { err, log_id: exchange.id },
        'an exchange could not be recorded in traces and metrics',
      ),
  );
}

function logEnd(
  { _id, status, http_status, error, attempts, plugin_runs, timing }: LogRecord,
  logger: Logger,
) {
  logger.debug(
    () => ({
      log_id: _id,
      status,
      http_status,
      code: error?.code,
      attempts: attempts.length,
      plugins: plugin_runs.map(({ plugin, phase, outcome }) => `${plugin} ${phase} ${outcome}`),
      ...timing,
    }),
    'an exchange ended',
  );
}

/** One line for each failed exchange, without its content. An end by a client or a guard is not logged as a warning. */
function logFailure(record: LogRecord, logger: Logger): void {
  const { status, attempts } = record;
  if (status === 'success') return;
  const last = attempts.at(-1);
  const fields = {
    log_id: record._id,
    project_uid: record.project_uid,
    endpoint: record.endpoint,
    status,
    http_status: record.http_status,
    code: record.error?.code,
    model: last === undefined ? undefined : `${last.provider}/${last.model}`,
    duration_ms: Math.round(record.timing.total_ms),
  };
  if (status === 'rejected' || status === 'aborted') logger.info(fields, 'an exchange was ended early');
  else logger.warn(fields, 'an exchange failed');
}
