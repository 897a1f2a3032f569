import { SluiceError } from '../../core/errors.js';
import { ownProperty } from '../../core/own-property.js';
import { runSteps } from '../../core/pacing/steps.js';
import type { Endpoint, ModelChoice, TrafficLimit } from '../../core/settings.js';
import { maxOutputTokens } from '../../dialects/translate/parameters.js';
import type { CountedLimit } from '../../policy/limits/ledger.js';
import type { ExpectedUse } from '../../policy/limits/traffic-limits.js';
import { costOf } from '../../policy/prices/cost.js';
import type { Exchange } from '../exchange/exchange.js';
import type { Services } from '../exchange/ports.js';
import { makePlan } from './make-plan.js';
import { estimateInput } from './token-estimate.js';

/** The number of characters that count as one token in a small body, in which there is little JSON around the texts. */
const CHARACTERS_PER_TOKEN = 4;
/** Larger bodies are counted by their texts, because they may contain pictures and files. */
const SMALL_BODY = 8_192;

/**
 * Asks the limits of the project whether the request may continue, before any guard works on it. Rejects with
 * `rate_limited` or `budget_exceeded`.
 */
export async function admit(exchange: Exchange, endpoint: Endpoint, services: Services): Promise<void> {
  const { project, key } = exchange;
  const { tags, metadata } = exchange.received!;
  const { limits } = project;
  // Counting tokens is not limited, because no model answers.
  if (limits === undefined || limits.length === 0 || exchange.call !== 'answer') return;
  const facts = { projectUid: project.uid, key, endpoint: endpoint.name, tags, metadata };
  const expected = await expectedUse(exchange, endpoint, services, limits);
  // The client disconnected while its tokens were counted, so nobody would release what it reserves now.
  if (exchange.ended) return;
  exchange.admission = services.traffic.admit(limits, facts, expected, services.clock.now());
  const { refusal } = exchange.admission.decision;
  if (refusal !== undefined) throw refusalError(refusal);
}

async function expectedUse(
  exchange: Exchange,
  endpoint: Endpoint,
  services: Services,
  limits: readonly TrafficLimit[],
): Promise<ExpectedUse> {
  const countsTokens = limits.some(({ tokens, cost_usd }) => tokens !== undefined || cost_usd !== undefined);
  const needsPlan = countsTokens || limits.some(({ action }) => action === 'fallback');
  const plan = needsPlan ? likelyPlan(exchange, endpoint, services) : [];
  const [first] = plan;
  const hasNext = plan.length > 1;
  if (!countsTokens) return { hasNext };
  const price = first && ownProperty(services.directory.provider(first.provider)?.prices ?? {}, first.model);
  const asked = exchange.view && maxOutputTokens(exchange.view);
  return {
    hasNext,
    tokens: {
      input: await inputTokens(exchange),
      ...(asked === undefined ? {} : { maxOutput: asked }),
      // Vectors and verdicts are not tokens, so such answers count none.
      choices: exchange.dialect.answers === undefined ? (exchange.view?.choiceCount ?? 1) : 0,
      costOf: (input_tokens, output_tokens) => costOf({ input_tokens, output_tokens }, price),
    },
  };
}

/** A request without a plan is refused later, so that mistakes are reported in the usual order. */
function likelyPlan(exchange: Exchange, endpoint: Endpoint, services: Services): readonly ModelChoice[] {
  try {
    return makePlan(exchange, endpoint, services).models;
  } catch (error) {
    if (error instanceof SluiceError) return [];
    throw error;
  }
}

async function inputTokens({ received, dialect }: Exchange): Promise<number> {
  const { document } = received!;
  const characters = document.text.length;
  if (characters <= SMALL_BODY) return Math.ceil(characters / CHARACTERS_PER_TOKEN);
  return runSteps(estimateInput(dialect, document));
}

const WHAT = {
  requests: (amount: number) => `${amount} requests`,
  tokens: (amount: number) => `${amount} tokens`,
  cost_usd: (amount: number) => `${amount} US dollars`,
  concurrent: (amount: number) => `${amount} requests at a time`,
} as const;

function refusalError({ limit, retryAfterMs }: CountedLimit & { retryAfterMs: number }): SluiceError {
  const { per, window } = limit.limit;
  const each = window === undefined ? '' : ` a ${window}`;
  const retryAfterSeconds = Math.max(1, Math.ceil(retryAfterMs / 1_000));
  return new SluiceError(
    limit.kind === 'cost_usd' ? 'budget_exceeded' : 'rate_limited',
    `The limit of ${WHAT[limit.kind](limit.amount)}${each} per ${per} is reached. Try again in ${retryAfterSeconds} s.`,
    { retryAfterSeconds },
  );
}
