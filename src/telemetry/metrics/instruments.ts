import type { Attributes, Counter, Histogram, Meter } from '@opentelemetry/api';
import type { AttemptRecord, DialectId, LogRecord, PluginRun } from '../../core/log-record.js';
import { ATTRIBUTES, METRICS, type MetricName, operationOf, TOKEN_TYPES } from '../names.js';
import type { ExchangeDetails } from '../traces/details.js';
import {
  attemptError,
  fallbackReason,
  type Lookup,
  providerName,
  timeToFirstChunkMs,
  validationOutcome,
} from './outcomes.js';

/** Stands for an endpoint that is not configured: clients choose that name, and labels are no place for it. */
const UNKNOWN_ENDPOINT = 'unknown';

/** Counts finished exchanges. Each label has few values: what operators configure, and fixed words. */
export class Instruments {
  readonly #lookup: Lookup;
  readonly #requests: Counter;
  readonly #requestDuration: Histogram;
  readonly #engineDuration: Histogram;
  readonly #attempts: Counter;
  readonly #fallbacks: Counter;
  readonly #coolings: Counter;
  readonly #validations: Counter;
  readonly #pluginRuns: Counter;
  readonly #pluginDuration: Histogram;
  readonly #tokenUsage: Histogram;
  readonly #operationDuration: Histogram;
  readonly #timeToFirstChunk: Histogram;
  readonly #timePerOutputChunk: Histogram;

  constructor(meter: Meter, lookup: Lookup) {
    const counter = ({ name, unit, description }: MetricName) =>
      meter.createCounter(name, { unit, description });
    const histogram = ({ name, unit, description, buckets }: MetricName) =>
      meter.createHistogram(name, { unit, description, advice: { explicitBucketBoundaries: buckets } });
    this.#lookup = lookup;
    this.#requests = counter(METRICS.requests);
    this.#requestDuration = histogram(METRICS.requestDuration);
    this.#engineDuration = histogram(METRICS.engineDuration);
    this.#attempts = counter(METRICS.attempts);
    this.#fallbacks = counter(METRICS.fallbacks);
    this.#coolings = counter(METRICS.coolings);
    this.#validations = counter(METRICS.validations);
    this.#pluginRuns = counter(METRICS.pluginRuns);
    this.#pluginDuration = histogram(METRICS.pluginDuration);
    this.#tokenUsage = histogram(METRICS.tokenUsage);
    this.#operationDuration = histogram(METRICS.operationDuration);
    this.#timeToFirstChunk = histogram(METRICS.timeToFirstChunk);
    this.#timePerOutputChunk = histogram(METRICS.timePerOutputChunk);
  }

  observe(record: LogRecord, details: ExchangeDetails): void {
    const endpoint = this.#endpointLabel(record);
    const labels = { project: record.project_uid, endpoint, api: record.api };
    this.#requests.add(1, { ...labels, status: record.status });
    this.#requestDuration.record(record.timing.total_ms / 1000, labels);
    this.#engineDuration.record(record.timing.engine_ms / 1000, labels);
    for (const [index, attempt] of record.attempts.entries()) {
      this.#observeAttempt(attempt, record.api, endpoint, details.validated === true);
      const reason = fallbackReason(record, index);
      if (reason !== undefined) this.#fallbacks.add(1, { endpoint, reason });
    }
    this.#observeStream(record, details);
    this.observePluginRuns(record.plugin_runs);
  }

  /** Also for those of the LOG phase, which come when the exchange is over. */
  observePluginRuns(runs: readonly PluginRun[]): void {
    for (const { plugin, phase, outcome, duration_ms, observed } of runs) {
      // What a plugin only would have done is no rejection, and raises no alarm.
      if (!observed) this.#pluginRuns.add(1, { plugin, phase, outcome });
      if (outcome !== 'skipped') this.#pluginDuration.record(duration_ms / 1000, { plugin, phase });
    }
  }

  observeCooling({ provider, model }: Pick<AttemptRecord, 'provider' | 'model'>): void {
    this.#coolings.add(1, { provider, model });
  }

  #observeAttempt(attempt: AttemptRecord, asked: DialectId, endpoint: string, validated: boolean): void {
    const { provider, model, status, duration_ms, usage } = attempt;
    this.#attempts.add(1, { provider, model, outcome: status });
    const outcome = validationOutcome(attempt, validated);
    if (outcome !== undefined) this.#validations.add(1, { endpoint, outcome });
    const labels = this.#genAiLabels(attempt, asked);
    const error = attemptError(attempt);
    const ended = error === undefined ? labels : { ...labels, [ATTRIBUTES.errorType]: error };
    this.#operationDuration.record(duration_ms / 1000, ended);
    // The conventions want no numbers that nobody counted.
    if (usage === null || usage.estimated) return;
    this.#tokenUsage.record(usage.input_tokens, { ...labels, [ATTRIBUTES.tokenType]: TOKEN_TYPES.input });
    this.#tokenUsage.record(usage.output_tokens, { ...labels, [ATTRIBUTES.tokenType]: TOKEN_TYPES.output });
  }

  #observeStream(record: LogRecord, { outputChunks = 0 }: ExchangeDetails): void {
    const last = record.attempts.at(-1);
    const firstMs = timeToFirstChunkMs(record);
    if (!record.stream || last === undefined || firstMs === undefined) return;
    const labels = this.#genAiLabels(last, record.api);
    this.#timeToFirstChunk.record(firstMs / 1000, labels);
    if (outputChunks < 2) return;
    const restMs = Math.max(0, last.duration_ms - firstMs);
    this.#timePerOutputChunk.record(restMs / 1000 / (outputChunks - 1), labels);
  }

  #endpointLabel({ project_uid, endpoint }: LogRecord): string {
    if (endpoint === null) return UNKNOWN_ENDPOINT;
    return this.#lookup.project(project_uid)?.endpoints.has(endpoint) ? endpoint : UNKNOWN_ENDPOINT;
  }

  #genAiLabels({ provider, model }: AttemptRecord, asked: DialectId): Attributes {
    return {
      [ATTRIBUTES.operation]: operationOf(asked),
      [ATTRIBUTES.provider]: providerName(this.#lookup, provider),
      [ATTRIBUTES.requestModel]: model,
    };
  }
}
