import { loggedMs } from '../../core/clock.js';
import { SluiceError } from '../../core/errors.js';
import type { AttemptRecord } from '../../core/log-record.js';
import { type MaybePromise, settle } from '../../core/pacing/maybe-promise.js';
import { runSteps, type Steps } from '../../core/pacing/steps.js';
import type { ModelChoice, Provider } from '../../core/settings.js';
import { boundsOf, chatTraits } from '../../dialects/compatible.js';
import type { Dialect, RenderTarget } from '../../dialects/dialect.js';
import { dialectById } from '../../dialects/index.js';
import { chooseProviderDialect, providerCall } from '../../dialects/providers.js';
import { fitRequest } from '../../dialects/translate/bounds.js';
import { metadataForProvider } from '../../dialects/translate/metadata.js';
import { outputToolName } from '../../dialects/translate/output-tool.js';
import { outputToolDialect } from '../../dialects/translate/output-tool-dialect.js';
import { type RenamedTools, renamedToolsDialect } from '../../dialects/translate/renamed-tools.js';
import { modelKey } from '../../routing/plan.js';
import type { Attempt } from '../exchange/attempt.js';
import type { Exchange } from '../exchange/exchange.js';
import type { Services } from '../exchange/ports.js';
import { countingOf } from '../request/count-tokens.js';
import { forwardedHeaders } from './forward-headers.js';
import { keepBytesOnly } from './keep-bytes-only.js';
import { secretsOf } from './read/provider-secrets.js';

/** An attempt in the form in which it is sent to its provider. */
export interface PreparedAttempt {
  attempt: Attempt;
  provider: Provider;
  /** The path with the query. */
  path: string;
  /** Headers that replace those of the client. */
  headers: Record<string, string>;
  /**
   * The body. That of a long request is written in turns; the promise then rejects with the errors that
   * `prepareAttempt` throws for a short one.
   */
  body: MaybePromise<Buffer>;
}

/**
 * Writes the next attempt. Each attempt starts from the client's request, whatever the previous one did. Throws
 * `invalid_request` where the request cannot be expressed in the provider's dialect.
 */
export function prepareAttempt(exchange: Exchange, services: Services): PreparedAttempt {
  const choice = exchange.plan!.models[exchange.attempts.length]!;
  const provider = providerOf(exchange, choice, services);
  if (provider === undefined) {
    throw new SluiceError('upstream_unavailable', `The provider "${choice.provider}" is not configured.`);
  }
  const dialect = dialectById(chooseProviderDialect(provider, exchange.dialect.id));
  const outputSchema = schemaFor(choice, exchange);
  const renamed: RenamedTools = new Map();
  const translated = dialect === exchange.dialect ? dialect : renamedToolsDialect(dialect, renamed);
  const spoken =
    typeof outputSchema === 'object' ? outputToolDialect(translated, outputSchema.tool) : translated;
  const attempt = openAttempt(exchange, choice, provider, spoken, services);
  const call = providerCall(provider, dialect.id, choice.model, {
    kind: exchange.call,
    stream: exchange.view?.stream === true,
  });
  const headers = forwardedHeaders(exchange.headers, provider, {
    client: exchange.dialect.id,
    provider: dialect.id,
  });
  for (const name of Object.keys(call.defaultHeaders)) {
    headers[name] ??= call.defaultHeaders[name]!;
  }
  const rendering = renderBody(exchange, { attempt, provider, dialect, outputSchema, renamed });
  return {
    attempt,
    provider,
    path: call.path,
    headers: {
      'content-type': 'application/json',
      ...headers,
      ...call.headers,
      traceparent: attempt.traceparent,
    },
    body: settle(rendering, (text) => {
      keepBytesOnly(exchange, attempt);
      return Buffer.from(text);
    }),
  };
}

/** The provider of a model. It stays the same for the whole exchange. */
export function providerOf(
  exchange: Exchange,
  choice: ModelChoice,
  services: Pick<Services, 'directory'>,
): Provider | undefined {
  const provider =
    exchange.chain.providers.get(choice.provider) ?? services.directory.provider(choice.provider);
  if (provider !== undefined) exchange.chain.providers.set(choice.provider, provider);
  return provider;
}

function openAttempt(
  exchange: Exchange,
  choice: ModelChoice,
  provider: Provider,
  dialect: Dialect,
  services: Services,
): Attempt {
  const number = exchange.attempts.length + 1;
  const record: AttemptRecord = {
    provider: choice.provider,
    model: choice.model,
    status: 'aborted',
    http_status: null,
    error: null,
    duration_ms: 0,
    usage: null,
  };
  const propensity = exchange.plan?.propensities?.get(choice);
  if (propensity !== undefined) record.propensity = propensity;
  const attempt: Attempt = {
    number,
    choice,
    dialect,
    startedAt: services.clock.monotonic(),
    traceparent: exchange.trace.attempt(number, provider.api, choice.model, exchange.dialect.id).traceparent,
    record,
    secrets: secretsOf(provider),
    closed: false,
    answered: false,
  };
  if (exchange.place !== undefined) {
    attempt.release = exchange.place;
    exchange.place = undefined;
  }
  services.cooling.began(choice);
  exchange.attempts.push(attempt);
  services.logger.debug(
    () => ({ log_id: exchange.id, attempt: number, model: modelKey(choice) }),
    'an attempt begins',
  );
  return attempt;
}

interface Rendering {
  attempt: Attempt;
  provider: Provider;
  dialect: Dialect;
  outputSchema: RenderTarget['outputSchema'];
  renamed: RenamedTools;
}

function renderBody(exchange: Exchange, rendering: Rendering): MaybePromise<string> {
  const { attempt, provider, dialect, outputSchema } = rendering;
  const { choice } = attempt;
  const [document, view] = [exchange.document!, exchange.view!];
  if (exchange.call === 'count_tokens')
    return countingOf(exchange).adaptRequest(document, choice.model, view);
  const target: RenderTarget = {
    model: choice.model,
    outputSchema,
    askForUsage: view.stream && !view.streamUsage,
    correction: exchange.chain.correction,
    traits: chatTraits(provider),
    metadata: metadataForProvider(view, dialect.id),
  };
  if (dialect === exchange.dialect) return dialect.adaptRequest(document, view, target);
  return runSteps(translate(exchange, rendering, target));
}

/** The body for a provider of another dialect. */
function* translate(exchange: Exchange, rendering: Rendering, target: RenderTarget): Steps<string> {
  const { attempt, provider, dialect, renamed } = rendering;
  exchange.chain.neutral ??= yield* exchange.dialect.toNeutral(exchange.document!, exchange.view!);
  const bounds = boundsOf(provider, dialect.id);
  if (bounds === undefined) return yield* dialect.fromNeutral(exchange.chain.neutral, target);
  const { request, names } = yield* fitRequest(exchange.chain.neutral, bounds);
  for (const [short, name] of names) renamed.set(short, name);
  attempt.leftOut = request.leftOut;
  return yield* dialect.fromNeutral(request, target);
}

/** How the model gets the client's schema. */
function schemaFor(
  choice: ModelChoice,
  { view, document, endpoint }: Exchange,
): RenderTarget['outputSchema'] {
  if (view?.outputSchema === undefined || choice.structured_output === true) return 'native';
  if (choice.structured_output === 'tool') return { tool: outputToolName(document?.value.tools) };
  return endpoint?.schema_in_prompt ? 'prompt' : 'omit';
}

type Result = Partial<AttemptRecord> & Pick<AttemptRecord, 'status'>;

/** Ends an attempt: its result and duration. A second call does nothing. */
export function closeAttempt(attempt: Attempt, result: Result, services: Services): void {
  if (attempt.closed) return;
  attempt.closed = true;
  attempt.endHold?.();
  attempt.release?.();
  Object.assign(attempt.record, result);
  attempt.record.duration_ms = loggedMs(services.clock.monotonic() - attempt.startedAt);
  if (!attempt.replayed) reportToCooling(attempt, result.status, services.cooling);
  const { status, http_status, duration_ms } = attempt.record;
  services.logger.debug(
    () => ({
      traceparent: attempt.traceparent,
      attempt: attempt.number,
      model: modelKey(attempt.choice),
      status,
      http_status,
      duration_ms,
    }),
    'an attempt ended',
  );
}

/**
 * Reports the result to the cooling of models. Invalid output is not a failure here, because the model has answered.
 * A client error says nothing about the model.
 */
function reportToCooling(
  attempt: Attempt,
  status: AttemptRecord['status'],
  cooling: Services['cooling'],
): void {
  if (status === 'client_error' || status === 'aborted') {
    cooling.saidNothing(attempt.choice);
    return;
  }
  if (status === 'success' || status === 'invalid_output') cooling.succeeded(attempt.choice);
  else
    cooling.failed(attempt.choice, status, {
      lostMs: attempt.record.duration_ms,
      retryAfterMs: attempt.retryAfterMs,
    });
}
