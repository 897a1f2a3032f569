import type { Answer } from '../../core/answer.js';
import type { AttemptRecord, LogRecord, LogUsage } from '../../core/log-record.js';
import type { Provider } from '../../core/settings.js';
import type { ExchangeDetails, RequestSettings } from '../exchange-details.js';
import { attemptError, fallbackReason, type Lookup, validationOutcome } from '../metrics/outcomes.js';
import { ATTRIBUTES, type Operation, OUTPUT_TYPE_JSON, OWN_ATTRIBUTES, PROVIDER_NAMES } from '../names.js';
import { finishReasonName } from './content.js';
import type { RecordedSpan } from './recorded-span.js';

/** The attributes that are known when an attempt begins. */
export function startAttempt(
  span: RecordedSpan,
  number: number,
  api: string,
  model: string,
  operation: Operation,
): void {
  span.set(ATTRIBUTES.operation, operation);
  span.set(ATTRIBUTES.provider, PROVIDER_NAMES[api as keyof typeof PROVIDER_NAMES] ?? api);
  span.set(ATTRIBUTES.requestModel, model);
  span.set(OWN_ATTRIBUTES.attemptNumber, number);
}

/** The attributes that are known once the exchange is over. */
export function describeAttempt(
  span: RecordedSpan,
  record: LogRecord,
  index: number,
  details: ExchangeDetails,
  lookup: Lookup,
): void {
  const attempt = record.attempts[index]!;
  span.set(ATTRIBUTES.errorType, attemptError(attempt));
  span.set(ATTRIBUTES.httpStatusCode, attempt.http_status);
  span.set(ATTRIBUTES.stream, record.stream);
  span.set(OWN_ATTRIBUTES.logId, record._id);
  if (index > 0) span.set(OWN_ATTRIBUTES.fallbackReason, fallbackReason(record, index - 1));
  span.set(OWN_ATTRIBUTES.validationOutcome, validationOutcome(attempt, details.validated === true));
  setServer(span, attempt, lookup);
  if (attempt.usage !== null && attempt.usage.estimated !== true) setUsage(span, attempt.usage);
  if (details.settings !== undefined) setSettings(span, details.settings);
  const isLast = index === record.attempts.length - 1;
  if (isLast && details.answer !== undefined) setAnswer(span, details.answer);
}

/** The server of each provider, because parsing a URL takes as long as the rest of a span. */
const servers = new WeakMap<Provider, { address?: string; port?: number }>();

function setServer(span: RecordedSpan, { provider: name }: AttemptRecord, lookup: Lookup): void {
  const provider = lookup.provider(name);
  if (provider === undefined) return;
  let server = servers.get(provider);
  if (server === undefined) {
    server = readServer(provider.base_url);
    servers.set(provider, server);
  }
  span.set(ATTRIBUTES.serverAddress, server.address);
  span.set(ATTRIBUTES.serverPort, server.port);
}

function readServer(url: string): { address?: string; port?: number } {
  if (!URL.canParse(url)) return {};
  const { hostname, port, protocol } = new URL(url);
  // In a URL, an IPv6 address stands in brackets, which are not part of it.
  const address = hostname.replace(/^\[|\]$/g, '');
  return { address, port: Number(port) || (protocol === 'http:' ? 80 : 443) };
}

function setUsage(span: RecordedSpan, usage: LogUsage): void {
  span.set(ATTRIBUTES.inputTokens, usage.input_tokens);
  span.set(ATTRIBUTES.outputTokens, usage.output_tokens);
  span.set(ATTRIBUTES.cacheReadTokens, usage.cached_input_tokens);
  span.set(ATTRIBUTES.cacheCreationTokens, usage.cache_creation_input_tokens);
  span.set(ATTRIBUTES.reasoningTokens, usage.reasoning_tokens);
}

function setSettings(span: RecordedSpan, { choiceCount, json, parameters }: RequestSettings): void {
  if (choiceCount !== 1) span.set(ATTRIBUTES.choiceCount, choiceCount);
  if (json) span.set(ATTRIBUTES.outputType, OUTPUT_TYPE_JSON);
  span.set(ATTRIBUTES.temperature, parameters.temperature);
  span.set(ATTRIBUTES.topP, parameters.top_p);
  span.set(ATTRIBUTES.maxTokens, parameters.max_tokens);
  span.set(ATTRIBUTES.frequencyPenalty, parameters.frequency_penalty);
  span.set(ATTRIBUTES.presencePenalty, parameters.presence_penalty);
  span.set(ATTRIBUTES.stopSequences, parameters.stop_sequences);
  span.set(ATTRIBUTES.seed, parameters.seed);
}

function setAnswer(span: RecordedSpan, { id, model, choices }: Answer): void {
  span.set(ATTRIBUTES.responseId, id);
  span.set(ATTRIBUTES.responseModel, model);
  span.set(
    ATTRIBUTES.finishReasons,
    choices.map(({ finishReason }) => finishReasonName(finishReason)),
  );
}
