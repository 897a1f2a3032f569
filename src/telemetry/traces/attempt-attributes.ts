import type { Attributes } from '@opentelemetry/api';
import type { Answer } from '../../core/answer.js';
import type { AttemptRecord, LogRecord, LogUsage } from '../../core/log-record.js';
import type { Provider } from '../../core/settings.js';
import { attemptError, fallbackReason, type Lookup, validationOutcome } from '../metrics/outcomes.js';
import { ATTRIBUTES, type Operation, OUTPUT_TYPE_JSON, OWN_ATTRIBUTES, PROVIDER_NAMES } from '../names.js';
import { finishReasonName } from './content.js';
import type { ExchangeDetails, RequestSettings } from './details.js';

/** What is known when a try begins; samplers see it. */
export function attemptStartAttributes(
  number: number,
  api: string,
  model: string,
  operation: Operation,
): Attributes {
  return {
    [ATTRIBUTES.operation]: operation,
    [ATTRIBUTES.provider]: PROVIDER_NAMES[api as keyof typeof PROVIDER_NAMES] ?? api,
    [ATTRIBUTES.requestModel]: model,
    [OWN_ATTRIBUTES.attemptNumber]: number,
  };
}

/** What is known once the exchange is over. Attributes that are undefined are left out by the SDK. */
export function attemptEndAttributes(
  record: LogRecord,
  index: number,
  details: ExchangeDetails,
  lookup: Lookup,
): Attributes {
  const attempt = record.attempts[index]!;
  const last = index === record.attempts.length - 1;
  return {
    [ATTRIBUTES.errorType]: attemptError(attempt),
    [ATTRIBUTES.httpStatusCode]: attempt.http_status ?? undefined,
    [ATTRIBUTES.stream]: record.stream,
    [OWN_ATTRIBUTES.logId]: record._id,
    [OWN_ATTRIBUTES.fallbackReason]: index === 0 ? undefined : fallbackReason(record, index - 1),
    [OWN_ATTRIBUTES.validationOutcome]: validationOutcome(attempt, details.validated === true),
    ...serverAttributes(attempt, lookup),
    ...(attempt.usage === null || attempt.usage.estimated ? {} : usageAttributes(attempt.usage)),
    ...(details.settings === undefined ? {} : requestAttributes(details.settings)),
    ...(last && details.answer !== undefined ? answerAttributes(details.answer) : {}),
  };
}

/** Parsing a URL takes as long as the rest of a span. */
const servers = new WeakMap<Provider, Attributes>();

function serverAttributes({ provider: name }: AttemptRecord, lookup: Lookup): Attributes {
  const provider = lookup.provider(name);
  if (provider === undefined) return {};
  let attributes = servers.get(provider);
  if (attributes === undefined) {
    attributes = readServer(provider.base_url);
    servers.set(provider, attributes);
  }
  return attributes;
}

function readServer(url: string): Attributes {
  if (!URL.canParse(url)) return {};
  const { hostname, port, protocol } = new URL(url);
  return {
    [ATTRIBUTES.serverAddress]: hostname,
    [ATTRIBUTES.serverPort]: Number(port) || (protocol === 'http:' ? 80 : 443),
  };
}

function usageAttributes(usage: LogUsage): Attributes {
  return {
    [ATTRIBUTES.inputTokens]: usage.input_tokens,
    [ATTRIBUTES.outputTokens]: usage.output_tokens,
    [ATTRIBUTES.cacheReadTokens]: usage.cached_input_tokens,
    [ATTRIBUTES.cacheCreationTokens]: usage.cache_creation_input_tokens,
    [ATTRIBUTES.reasoningTokens]: usage.reasoning_tokens,
  };
}

function requestAttributes({ choiceCount, json, parameters }: RequestSettings): Attributes {
  return {
    [ATTRIBUTES.choiceCount]: choiceCount === 1 ? undefined : choiceCount,
    [ATTRIBUTES.outputType]: json ? OUTPUT_TYPE_JSON : undefined,
    [ATTRIBUTES.temperature]: parameters.temperature,
    [ATTRIBUTES.topP]: parameters.top_p,
    [ATTRIBUTES.maxTokens]: parameters.max_tokens,
    [ATTRIBUTES.frequencyPenalty]: parameters.frequency_penalty,
    [ATTRIBUTES.presencePenalty]: parameters.presence_penalty,
    [ATTRIBUTES.stopSequences]: parameters.stop_sequences,
    [ATTRIBUTES.seed]: parameters.seed,
  };
}

function answerAttributes({ id, model, choices }: Answer): Attributes {
  return {
    [ATTRIBUTES.responseId]: id,
    [ATTRIBUTES.responseModel]: model,
    [ATTRIBUTES.finishReasons]: choices.map(({ finishReason }) => finishReasonName(finishReason)),
  };
}
