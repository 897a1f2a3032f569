import type { JsonDocument, JsonObject, JsonValue } from '../../core/json.js';
import type { LogRecord, LogUsage } from '../../core/log-record.js';
import { ownProperty } from '../../core/own-property.js';
import { copyMembers } from '../../core/pacing/copy-members.js';
import { isHeavy } from '../../core/pacing/heavy-work.js';
import type { Steps } from '../../core/pacing/steps.js';
import { atOnce } from '../../core/pacing/steps.js';
import { blankTextsInSteps, maskTextsInSteps } from '../../plugins/helpers/texts-in-steps.js';
import { boundedRun } from '../../plugins/runtime/run/run-record.js';
import { cacheSavings, costOf } from '../../policy/prices/cost.js';
import { modelKey } from '../../routing/plan.js';
import { OPTIONAL_COUNTS } from '../attempt/log-usage.js';
import type { Attempt } from '../exchange/attempt.js';
import type { Ending } from '../exchange/ending.js';
import type { Exchange } from '../exchange/exchange.js';
import type { Services } from '../exchange/ports.js';

/** What client and model said, as the log may have it. */
export interface RecordContent {
  /** Null where the log may have none of it. */
  request: JsonDocument | null;
  /** Without its metadata. */
  requestBody: JsonObject | null;
  response: JsonValue;
  /** The same as text, where it was at hand. */
  responseText?: string;
  client_response?: JsonValue;
}

/** The one record of an exchange. */
export function makeRecord(
  exchange: Exchange,
  ending: Ending,
  services: Services,
  { requestBody, response, client_response }: RecordContent = atOnce(recordContent(exchange, ending)),
): LogRecord {
  const answered = ending.status === 'success' || exchange.released.invalid !== undefined;
  const answering = answered ? exchange.currentAttempt : undefined;
  const usage = totalUsage(exchange.attempts);
  const cost = totalCost(exchange);
  const tier = exchange.currentAttempt?.record.service_tier;
  const now = services.clock.monotonic();
  return {
    _id: exchange.id,
    project_uid: exchange.project.uid,
    created_at: new Date(exchange.startedAt),
    endpoint: exchange.endpoint?.name ?? null,
    api: exchange.dialect.id,
    status: ending.status,
    http_status: ending.httpStatus,
    client_request_id: exchange.clientRequestId,
    request: requestBody,
    response,
    ...(client_response === undefined ? {} : { client_response }),
    metadata: exchange.received?.metadata ?? {},
    tags: exchange.received?.tags ?? [],
    quality_rating: null,
    attempts: exchange.attempts.map((attempt) => attempt.record),
    plugin_runs: exchange.pluginRuns.map(boundedRun),
    model: answering === undefined ? null : modelKey(answering.choice),
    usage,
    ...(tier === undefined ? {} : { service_tier: tier }),
    cost,
    ...savedOf(exchange.attempts),
    timing: {
      total_ms: now - exchange.startedMonotonic,
      time_to_first_token_ms: exchange.released.firstTokenMs ?? null,
      engine_ms: exchange.engineMs(now),
    },
    ...stickyOf(exchange, answering),
    ...limitsOf(exchange, services),
    trace_id: exchange.trace.traceId,
    error: ending.error ?? null,
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

/** So that the engine finds what it counted after a crash. */
function limitsOf({ admission }: Exchange, { traffic }: Services): Pick<LogRecord, 'limits' | '_engine'> {
  if (admission === undefined || admission.decision.met.length === 0) return {};
  return { limits: admission.records(), _engine: traffic.engine };
}

/** In steps, as texts are written. */
export function* recordContent(exchange: Exchange, ending: Ending): Steps<RecordContent> {
  const request = yield* requestContent(exchange);
  const requestBody = request === null ? null : yield* withoutMetadata(request);
  const { response, responseText, responseAsCame } = ending;
  const kept = exchange.endpoint?.log_content;
  if (kept === 'none') return { request, requestBody, response: null };
  if (kept !== 'full' || responseAsCame === undefined)
    return { request, requestBody, response, responseText };
  return { request, requestBody, response: responseAsCame, client_response: response };
}

/** Null where no endpoint was found: which content may be kept is the endpoint's to say. */
function* requestContent(exchange: Exchange): Steps<JsonDocument | null> {
  const { endpoint, received, guarded } = exchange;
  if (endpoint === undefined || received === undefined || endpoint.log_content === 'none') return null;
  if (endpoint.log_content === 'full') return received.document;
  if (isUnseen(exchange)) return null;
  const rejecting = exchange.pluginRuns.find(
    (run) => run.phase === 'request' && run.outcome === 'rejected' && !run.observed,
  );
  if (rejecting === undefined || guarded === undefined) return exchange.document!;
  const masked =
    rejecting.findings.length > 0
      ? yield* maskTextsInSteps(guarded.messages, rejecting.findings)
      : yield* blankTextsInSteps(guarded.messages);
  return yield* exchange.dialect.writeMessages(guarded.before, masked);
}

function* withoutMetadata({ text, value }: JsonDocument): Steps<JsonObject> {
  if (!Object.hasOwn(value, 'metadata')) return value;
  if (isHeavy(text.length)) return yield* copyMembers(value, ['metadata']);
  const { metadata: _metadata, ...rest } = value;
  return rest;
}

/** Plugins were due on the request, and it ended before they had looked. */
function isUnseen({ plugins, guarded }: Exchange): boolean {
  return guarded === undefined && plugins.some(({ phases }) => phases.includes('request'));
}

/** What all tries used together: the operator pays for the failed ones too. */
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

/** What all tries cost together; null where one that used tokens has no price. Each has its own cost then. */
function totalCost({ attempts, chain }: Exchange): number | null {
  let total: number | null = null;
  for (const { choice, record } of attempts) {
    if (record.usage === null) continue;
    const price = ownProperty(chain.providers.get(choice.provider)?.prices ?? {}, choice.model);
    const cost = costOf(record.usage, price, record.service_tier);
    if (cost === null) return null;
    record.cost = cost;
    const saved = cacheSavings(record.usage, price, record.service_tier);
    if (saved) record.cache_saved = saved;
    total = (total ?? 0) + cost;
  }
  return total;
}
