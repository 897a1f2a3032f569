import type { JsonDocument } from '../../core/json.js';
import type { Steps } from '../../core/pacing/steps.js';
import { runSteps } from '../../core/pacing/steps.js';
import type { RequestView, TokenCounting } from '../../dialects/dialect.js';
import { countsTokens } from '../../dialects/providers.js';
import type { Exchange } from '../exchange/exchange.js';
import type { Reply } from '../exchange/http.js';
import type { Services } from '../exchange/ports.js';
import { jsonReply } from '../exchange/replies.js';
import { estimateInput } from './token-estimate.js';

/** The request whose tokens are to be counted. */
export function openCounted(exchange: Exchange, body: JsonDocument): JsonDocument {
  return countingOf(exchange).openRequest?.(body) ?? body;
}

/** Reads a request to count tokens. */
export function* readCountTokensView(exchange: Exchange, document: JsonDocument): Steps<RequestView> {
  return {
    ...(yield* countingOf(exchange).readRequest(document, exchange.address)),
    stream: false,
    store: false,
    streamUsage: false,
    choiceCount: 1,
    parameters: {},
  };
}

/** Keeps only the first model whose provider can count; false where none can. */
export function chooseCounter(exchange: Exchange, services: Services): boolean {
  const counter = exchange.plan!.models.find(({ provider: name }) => {
    const provider = services.directory.provider(name);
    return provider !== undefined && countsTokens(provider, exchange.dialect.id);
  });
  if (counter === undefined) return false;
  exchange.plan = { models: [counter] };
  return true;
}

/** Our own estimate, marked as such, where no provider of the chain can count tokens. */
export async function estimateTokens(exchange: Exchange): Promise<Reply> {
  const tokens = await runSteps(estimateInput(exchange.dialect, exchange.document!));
  const reply = jsonReply(200, countingOf(exchange).writeCount(tokens), exchange.id);
  reply.headers['x-sluice-estimated'] = 'true';
  return reply;
}

/** How the client's API counts tokens. The API has such a call, because this exchange is one. */
export function countingOf({ dialect }: Exchange): TokenCounting {
  if (dialect.counting === undefined) throw new Error(`${dialect.id} has no call that counts tokens`);
  return dialect.counting;
}
