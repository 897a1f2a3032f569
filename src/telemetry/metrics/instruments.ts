import type { DialectId } from '../../core/dialect-ids.js';
import type { AttemptRecord, LogRecord, PluginRun } from '../../core/log-record.js';
import type { ExchangeDetails } from '../exchange-details.js';
import { ATTRIBUTES, METRICS, operationOf, TOKEN_TYPES } from '../names.js';
import type { Counts } from './counts.js';
import {
  attemptError,
  fallbackReason,
  type Lookup,
  providerName,
  timeToFirstChunkMs,
  validationOutcome,
} from './outcomes.js';

/** The label for an endpoint that is not configured: clients choose such names, so they must not become labels. */
const UNKNOWN_ENDPOINT = 'unknown';

const EXCHANGE = ['project', 'endpoint', 'api'];
const GEN_AI = [ATTRIBUTES.operation, ATTRIBUTES.provider, ATTRIBUTES.requestModel];

/** Counts finished exchanges. Each label has few values: configured names and fixed words. */
export class Instruments {
  readonly #lookup: Lookup;
  readonly #requests;
  readonly #requestDuration;
  readonly #engineDuration;
  readonly #attempts;
  readonly #fallbacks;
  readonly #cost;
  readonly #coolings;
  readonly #validations;
  readonly #limitDecisions;
  readonly #inputTokens;
  readonly #cachedInputTokens;
  readonly #cacheSaved;
  readonly #pluginRuns;
  readonly #pluginDuration;
  readonly #tokenUsage;
  readonly #operationDuration;
  readonly #timeToFirstChunk;
  readonly #timePerOutputChunk;

  constructor(counts: Counts, lookup: Lookup) {
    this.#lookup = lookup;
    this.#requests = counts.counter(METRICS.requests, [...EXCHANGE, 'status']);
    this.#requestDuration = counts.histogram(METRICS.requestDuration, EXCHANGE);
    this.#engineDuration = counts.histogram(METRICS.engineDuration, EXCHANGE);
    this.#attempts = counts.counter(METRICS.attempts, ['provider', 'model', 'outcome']);
    this.#fallbacks = counts.counter(METRICS.fallbacks, ['endpoint', 'reason']);
    this.#cost = counts.counter(METRICS.cost, ['project', 'endpoint', 'provider', 'model']);
    this.#coolings = counts.counter(METRICS.coolings, ['provider', 'model']);
    this.#limitDecisions = counts.counter(METRICS.limitDecisions, [
      'project',
      'per',
      'kind',
      'window',
      'outcome',
    ]);
    const byModel = ['provider', 'model', 'sticky'];
    this.#inputTokens = counts.counter(METRICS.inputTokens, byModel);
    this.#cachedInputTokens = counts.counter(METRICS.cachedInputTokens, byModel);
    this.#cacheSaved = counts.counter(METRICS.cacheSaved, byModel);
    this.#validations = counts.counter(METRICS.validations, ['endpoint', 'outcome']);
    this.#pluginRuns = counts.counter(METRICS.pluginRuns, ['plugin', 'phase', 'outcome']);
    this.#pluginDuration = counts.histogram(METRICS.pluginDuration, ['plugin', 'phase']);
    this.#tokenUsage = counts.histogram(METRICS.tokenUsage, [...GEN_AI, ATTRIBUTES.tokenType]);
    this.#operationDuration = counts.histogram(METRICS.operationDuration, [...GEN_AI, ATTRIBUTES.errorType]);
    this.#timeToFirstChunk = counts.histogram(METRICS.timeToFirstChunk, GEN_AI);
    this.#timePerOutputChunk = counts.histogram(METRICS.timePerOutputChunk, GEN_AI);
  }

  observe(record: LogRecord, details: ExchangeDetails): void {
    const { project_uid: project, api, timing } = record;
    const endpoint = this.#endpointLabel(record);
    const trace = traceOf(record);
    this.#requests.at(project, endpoint, api, record.status).add(1);
    this.#requestDuration.at(project, endpoint, api).record(timing.total_ms / 1000, trace);
    this.#engineDuration.at(project, endpoint, api).record(timing.engine_ms / 1000, trace);
    for (const [index, attempt] of record.attempts.entries()) {
      const { provider, model, cost } = attempt;
      if (cost !== undefined) this.#cost.at(project, endpoint, provider, model).add(cost);
      this.#observeAttempt(attempt, api, endpoint, details.validated === true);
      this.#observeCache(attempt, record);
      const reason = fallbackReason(record, index);
      if (reason !== undefined) this.#fallbacks.at(endpoint, reason).add(1);
    }
    for (const { per, kind, window = 'none', outcome } of record.limits ?? []) {
      this.#limitDecisions.at(project, per, kind, window, outcome).add(1);
    }
    this.#observeStream(record, details);
    this.observePluginRuns(record.plugin_runs);
  }

  /** Counts plugin runs, also those of the LOG phase, which ends after the exchange. */
  observePluginRuns(runs: readonly PluginRun[]): void {
    for (const { plugin, phase, outcome, duration_ms, observed } of runs) {
      // What an observing plugin would have done is not a rejection and must raise no alarm.
      if (!observed) this.#pluginRuns.at(plugin, phase, outcome).add(1);
      if (outcome !== 'skipped') this.#pluginDuration.at(plugin, phase).record(duration_ms / 1000);
    }
  }

  observeCooling({ provider, model }: Pick<AttemptRecord, 'provider' | 'model'>): void {
    this.#coolings.at(provider, model).add(1);
  }

  #observeAttempt(attempt: AttemptRecord, asked: DialectId, endpoint: string, validated: boolean): void {
    const { provider, model, status, duration_ms, usage } = attempt;
    this.#attempts.at(provider, model, status).add(1);
    const outcome = validationOutcome(attempt, validated);
    if (outcome !== undefined) this.#validations.at(endpoint, outcome).add(1);
    const operation = operationOf(asked);
    const name = providerName(this.#lookup, provider);
    const duration = this.#operationDuration.at(operation, name, model, attemptError(attempt));
    duration.record(duration_ms / 1000);
    // The GenAI conventions do not allow estimated numbers.
    if (usage === null || usage.estimated) return;
    this.#tokenUsage.at(operation, name, model, TOKEN_TYPES.input).record(usage.input_tokens);
    this.#tokenUsage.at(operation, name, model, TOKEN_TYPES.output).record(usage.output_tokens);
  }

  /** Counts the use of caches. `sticky` is `kept`, `moved`, or `none` where the log id was used for the draw. */
  #observeCache({ provider, model, usage, cache_saved }: AttemptRecord, { sticky }: LogRecord): void {
    if (usage === null) return;
    const labels = [provider, model, sticky === undefined ? 'none' : sticky.kept ? 'kept' : 'moved'] as const;
    this.#inputTokens.at(...labels).add(usage.input_tokens);
    if (usage.cached_input_tokens) this.#cachedInputTokens.at(...labels).add(usage.cached_input_tokens);
    if (cache_saved !== undefined && cache_saved > 0) this.#cacheSaved.at(...labels).add(cache_saved);
  }

  #observeStream(record: LogRecord, details: ExchangeDetails): void {
    const { outputChunks = 0 } = details;
    const last = record.attempts.at(-1);
    const firstMs = timeToFirstChunkMs(record, details);
    if (last === undefined || firstMs === undefined) return;
    const name = providerName(this.#lookup, last.provider);
    this.#timeToFirstChunk
      .at(operationOf(record.api), name, last.model)
      .record(firstMs / 1000, traceOf(record));
    if (outputChunks < 2) return;
    const restMs = Math.max(0, last.duration_ms - firstMs);
    const eachSeconds = restMs / 1000 / (outputChunks - 1);
    this.#timePerOutputChunk.at(operationOf(record.api), name, last.model).record(eachSeconds);
  }

  #endpointLabel({ project_uid, endpoint }: LogRecord): string {
    if (endpoint === null) return UNKNOWN_ENDPOINT;
    return this.#lookup.project(project_uid)?.endpoints.has(endpoint) ? endpoint : UNKNOWN_ENDPOINT;
  }
}

/** The trace of a record. Undefined where its spans are not recorded. */
function traceOf({ trace_id: traceId, _span_id: spanId, created_at, timing }: LogRecord) {
  if (traceId === null || spanId === undefined) return undefined;
  return { traceId, spanId, at: created_at.getTime() + timing.total_ms };
}
