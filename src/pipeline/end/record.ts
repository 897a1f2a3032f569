import { loggedMs } from '../../core/clock.js';
import type { LogRecord, LogUsage } from '../../core/log-record.js';
import { ownProperty } from '../../core/own-property.js';
import { atOnce } from '../../core/pacing/steps.js';
import { previewOf } from '../../dialects/log-preview.js';
import { MOST_TAGS, tagsLeftOut } from '../../logs/tags.js';
import { boundedRun } from '../../plugins/runtime/run/run-record.js';
import { cacheSavings, costOf } from '../../policy/prices/cost.js';
import { modelKey } from '../../routing/plan.js';
import { OPTIONAL_COUNTS } from '../attempt/log-usage.js';
import type { Attempt } from '../exchange/attempt.js';
import type { Ending } from '../exchange/ending.js';
import type { Exchange } from '../exchange/exchange.js';
import type { Services } from '../exchange/ports.js';
import { keptMetadata, type RecordContent, recordContent } from './kept-content.js';

/** Creates the only record of an exchange. */
export function makeRecord(
  exchange: Exchange,
  ending: Ending,
  services: Services,
  content: RecordContent = atOnce(recordContent(exchange, ending)),
): LogRecord {
  const answered = ending.status === 'success' || exchange.released.invalid !== undefined;
  const answering = answered ? exchange.currentAttempt : undefined;
  // After a cache hit no model was asked, so nothing was used and nothing was paid.
  const cached = exchange.cache?.state === 'hit' ? exchange.cache.from : undefined;
  const attempts = cached === undefined ? exchange.attempts : [];
  const usage = totalUsage(attempts);
  const cost = cached === undefined ? totalCost(exchange) : 0;
  const tier = attempts.at(-1)?.record.service_tier;
  const now = services.clock.monotonic();
  const { firstTokenMs } = exchange.released;
  return {
    _id: exchange.id,
    project_uid: exchange.project.uid,
    created_at: new Date(exchange.startedAt),
    endpoint: exchange.endpoint?.name ?? null,
    api: exchange.dialect.id,
    status: ending.status,
    http_status: ending.httpStatus,
    client_request_id: exchange.clientRequestId,
    caller: `key:${exchange.key.name}`,
    key_id: exchange.key.id,
    ...contentFields(exchange, content),
    ...keptMetadata(exchange),
    quality_rating: null,
    attempts: attempts.map((attempt) => attempt.record),
    plugin_runs: exchange.pluginRuns.map(boundedRun),
    model: answering === undefined ? null : modelKey(answering.choice),
    usage,
    ...(tier === undefined ? {} : { service_tier: tier }),
    cost,
    ...savedOf(attempts),
    ...(cached === undefined ? {} : { cached_from: cached }),
    timing: {
      total_ms: loggedMs(now - exchange.startedMonotonic),
      time_to_first_token_ms: firstTokenMs === undefined ? null : loggedMs(firstTokenMs),
      engine_ms: loggedMs(exchange.engineMs(now)),
    },
    ...stickyOf(exchange, answering),
    ...limitsOf(exchange, services),
    trace_id: exchange.trace.traceId,
    error: ending.error ?? null,
    ...warningsOf(exchange),
    stream: exchange.view?.stream ?? false,
    feedback_count: 0,
    score: null,
    ...(exchange.project.search === 'words' ? { _search: 'words' as const } : {}),
  };
}

function stickyOf({ sticky, plan }: Exchange, answering: Attempt | undefined): Pick<LogRecord, 'sticky'> {
  if (sticky === undefined) return {};
  const kept = answering !== undefined && answering.choice === (plan?.first ?? plan?.models[0]);
  return { sticky: { by: sticky.by, kept } };
}

/**
 * The limits that counted the exchange. They are stored with the log, so that a restarted engine finds what it had counted.
 */
function limitsOf({ admission }: Exchange, { traffic }: Services): Pick<LogRecord, 'limits' | '_engine'> {
  if (admission === undefined || admission.decision.met.length === 0) return {};
  return { limits: admission.records(), _engine: traffic.engine };
}

/** The most warnings that a log lists. The rest is counted. */
const MOST_WARNINGS = 20;

/** Warnings about what was left out: tags of the request in the log, and parts of the request at the last model. */
function warningsOf(exchange: Exchange): Pick<LogRecord, 'warnings'> {
  const warnings = [...tagWarnings(exchange), ...leftOutWarnings(exchange.currentAttempt)];
  return warnings.length === 0 ? {} : { warnings };
}

function tagWarnings({ received }: Exchange): string[] {
  if (received === undefined || received.tags.length < MOST_TAGS) return [];
  const more = tagsLeftOut(received.metadata);
  return more === 0
    ? []
    : [`Only the first ${MOST_TAGS} tags were kept; ${more} more of the metadata were left out.`];
}

function leftOutWarnings(attempt: Attempt | undefined): string[] {
  const leftOut = attempt?.leftOut ?? [];
  const shown = leftOut.slice(0, MOST_WARNINGS).map(({ path, what, why }) => {
    const kind = path === what ? '' : ` (${what})`;
    return `${path}${kind} was left out: ${why}.`;
  });
  const more = leftOut.length - shown.length;
  return more === 0 ? shown : [...shown, `${more} more parts of the request were left out.`];
}

function contentFields(exchange: Exchange, content: RecordContent) {
  const { requestBody: request, response, request_kept, response_kept } = content;
  const { client_response, client_response_kept } = content;
  const isKept = exchange.endpoint !== undefined && exchange.endpoint.log_content !== 'none';
  // The line was read before where the value of the request was dropped.
  const knownLine = request === null ? exchange.inputLine : undefined;
  return {
    request,
    ...(request_kept === undefined ? {} : { request_kept }),
    response,
    ...(response_kept === undefined ? {} : { response_kept }),
    ...(client_response === undefined ? {} : { client_response }),
    ...(client_response_kept === undefined ? {} : { client_response_kept }),
    // What the client asked and what it got, so that both lines are in one form.
    ...(isKept
      ? { preview: previewOf({ api: exchange.dialect.id, request, response, client_response }, knownLine) }
      : {}),
  };
}

/** The tokens of all attempts together, because the operator pays for failed ones too. */
function totalUsage(attempts: readonly Attempt[]): LogUsage | null {
  let total: LogUsage | null = null;
  for (const { record } of attempts) {
    if (record.usage === null) continue;
    total = total === null ? record.usage : addUsage(total, record.usage);
  }
  return total;
}

function addUsage(one: LogUsage, other: LogUsage): LogUsage {
  const sum: LogUsage = {
    input_tokens: one.input_tokens + other.input_tokens,
    output_tokens: one.output_tokens + other.output_tokens,
  };
  for (const key of OPTIONAL_COUNTS) {
    if (one[key] !== undefined || other[key] !== undefined) sum[key] = (one[key] ?? 0) + (other[key] ?? 0);
  }
  if (one.estimated || other.estimated) sum.estimated = true;
  return sum;
}

function savedOf(attempts: readonly Attempt[]): Pick<LogRecord, 'cache_saved'> {
  const saved = attempts.reduce((sum, { record }) => sum + (record.cache_saved ?? 0), 0);
  return saved === 0 ? {} : { cache_saved: saved };
}

/**
 * Sets the cost of each attempt that has a price, and returns their sum: null where an attempt used tokens and has no
 * price.
 */
function totalCost({ attempts, chain }: Exchange): number | null {
  const costs: (number | null)[] = [];
  for (const { choice, record } of attempts) {
    if (record.usage === null) continue;
    const price = ownProperty(chain.providers.get(choice.provider)?.prices ?? {}, choice.model);
    const cost = costOf(record.usage, price, record.service_tier);
    costs.push(cost);
    if (cost === null) continue;
    record.cost = cost;
    const saved = cacheSavings(record.usage, price, record.service_tier);
    if (saved) record.cache_saved = saved;
  }
  if (costs.length === 0) return null;
  return costs.reduce((sum, cost) => (sum === null || cost === null ? null : sum + cost), 0);
}
