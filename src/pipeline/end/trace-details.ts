import type { NeutralRequest } from '../../core/answer.js';
import type { Steps } from '../../core/pacing/steps.js';
import type { ExchangeDetails, RequestSettings } from '../../telemetry/exchange-details.js';
import type { Ending } from '../exchange/ending.js';
import type { Exchange } from '../exchange/exchange.js';

/** What telemetry needs besides the record. Expensive details are created only where they are used. In steps. */
export function* traceDetails(exchange: Exchange, ending: Ending): Steps<ExchangeDetails> {
  const validated = exchange.plan?.contract !== undefined;
  const { outputChunks } = ending;
  const last = exchange.attempts.at(-1);
  if (last === undefined) return { validated, outputChunks };
  const lastAttemptStartMs = last.startedAt - exchange.startedMonotonic;
  if (exchange.trace.spanId === undefined) return { validated, outputChunks, lastAttemptStartMs };
  return {
    validated,
    outputChunks,
    lastAttemptStartMs,
    contentKept: exchange.endpoint?.log_content !== 'none',
    settings: settingsOf(exchange),
    request: exchange.trace.showsRequest === true ? yield* requestOf(exchange) : undefined,
    answer: ending.answer,
  };
}

function settingsOf({ view }: Exchange): RequestSettings | undefined {
  if (view === undefined) return undefined;
  const { choiceCount, parameters } = view;
  return { choiceCount, json: view.outputSchema !== undefined || view.outputJson !== undefined, parameters };
}

/** The request that was sent. Where only its own API can express it, the part that all APIs have. */
function* requestOf({ chain, dialect, document, view }: Exchange): Steps<NeutralRequest | undefined> {
  if (chain.neutral !== undefined) return chain.neutral;
  if (document === undefined || view === undefined) return undefined;
  try {
    return yield* dialect.toNeutral(document, view);
  } catch {
    const { stream, streamUsage, outputSchema } = view;
    return { messages: yield* dialect.readMessages(document), stream, streamUsage, outputSchema };
  }
}
