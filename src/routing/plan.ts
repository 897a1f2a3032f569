import type { JsonObject } from '../core/json.js';
import type { ModelChoice } from '../core/settings.js';
import { matches } from './match.js';
import { drawAll, drawFirst, fractionOf } from './weights.js';

export interface PlanInput {
  models: readonly ModelChoice[];
  tags: readonly string[];
  metadata: JsonObject;
  logId: string;
  /** The value for the draw, in place of the log id. */
  stickyValue?: string;
  /** Whether the provider of a model exists: an endpoint of the API can outlive its provider. */
  isConfigured: (choice: ModelChoice) => boolean;
  /** Whether a model is cooling down after failures. Such models are left out as long as there is another. */
  isCooling: (choice: ModelChoice) => boolean;
}

export interface Plan {
  /** The models to try, in order. */
  models: ModelChoice[];
  /** For drawn models: the probability with which each got its position, given those before it. */
  propensities: ReadonlyMap<ModelChoice, number>;
  /** The model that was drawn first, even where it cannot serve now. Undefined where nothing was drawn by `stickyValue`. */
  first?: ModelChoice;
}

const NO_DRAWS: ReadonlyMap<ModelChoice, number> = new Map();

/**
 * The models to try, in order; empty where no `when` holds. A model without a provider, or one that is cooling down,
 * is only included where no other is left.
 */
export function planAttempts(input: PlanInput): Plan {
  const { models, tags, metadata } = input;
  const [only] = models;
  if (only !== undefined && models.length === 1) {
    return { models: matches(only.when, tags, metadata) ? [only] : [], propensities: NO_DRAWS };
  }
  const fitting = withoutRepeats(models.filter((choice) => matches(choice.when, tags, metadata)));
  const ranks = ranksOf(fitting);
  const ordered = ranks.flatMap((rank) => (rank.drawn ? order(rank, input) : rank.models));
  const configured = preferring(ordered, input.isConfigured);
  const left = preferring(configured, (choice) => !input.isCooling(choice));
  const propensities = new Map<ModelChoice, number>();
  for (const rank of ranks) if (rank.drawn) notePropensities(rank.models, left, input, propensities);
  if (input.stickyValue === undefined) return { models: left, propensities };
  const isWhole = fitting.length === models.length;
  const first = isWhole ? ordered[ranks.find(({ drawn }) => drawn)?.at ?? -1] : firstOfDraw(models, input);
  return { models: left, propensities, ...(first === undefined ? {} : { first }) };
}

/** Neighbouring models with weights form one rank. Each rank is drawn separately. */
interface Rank {
  /** The models in the order of the list. */
  models: ModelChoice[];
  /** The position in the chain at which it begins. */
  at: number;
  drawn: boolean;
}

function ranksOf(models: readonly ModelChoice[]): Rank[] {
  const ranks: Rank[] = [];
  for (let at = 0; at < models.length; ) {
    let end = at;
    while (end < models.length && models[end]!.weight !== undefined) end++;
    const drawn = end - at > 1;
    if (!drawn) end = at + 1;
    ranks.push({ models: models.slice(at, end), at, drawn });
    at = end;
  }
  return ranks;
}

function order({ models, at }: Rank, { stickyValue, logId }: PlanInput): ModelChoice[] {
  if (stickyValue !== undefined) return drawAll(models, stickyValue, modelKey);
  return drawFirst(models, fractionOf(`${logId}/${at}`));
}

/** The model that would be drawn first without any `when`, cooling or missing provider. */
function firstOfDraw(models: readonly ModelChoice[], input: PlanInput): ModelChoice | undefined {
  const rank = ranksOf(withoutRepeats([...models])).find(({ drawn }) => drawn);
  return rank && order(rank, input)[0];
}

/** Records the probabilities. `left` are the models of the rank that are in the chain, in order. */
function notePropensities(
  rank: readonly ModelChoice[],
  left: readonly ModelChoice[],
  { stickyValue }: PlanInput,
  propensities: Map<ModelChoice, number>,
): void {
  const served = left.filter((choice) => rank.includes(choice));
  const weightOf = (choices: readonly ModelChoice[]) =>
    choices.reduce((sum, { weight }) => sum + (weight ?? 0), 0);
  if (stickyValue !== undefined) {
    // Each position is drawn among the models that are left.
    for (const [index, choice] of served.entries()) {
      propensities.set(choice, (choice.weight ?? 0) / weightOf(served.slice(index)));
    }
    return;
  }
  const [first, ...rest] = served;
  if (first === undefined) return;
  // Where the drawn model cannot serve, the first one in the list that can takes its place.
  const inList = rank.filter((choice) => served.includes(choice));
  const missing = weightOf(rank) - weightOf(inList);
  const chance = (first.weight ?? 0) + (first === inList[0] ? missing : 0);
  propensities.set(first, chance / weightOf(rank));
  for (const choice of rest) propensities.set(choice, 1);
}

/** The models that match, or all of them where none does. */
function preferring(models: ModelChoice[], fits: (choice: ModelChoice) => boolean): ModelChoice[] {
  const fitting = models.filter(fits);
  return fitting.length > 0 ? fitting : models;
}

export function modelKey(choice: { provider: string; model: string }): string {
  return `${choice.provider}/${choice.model}`;
}

function withoutRepeats(models: ModelChoice[]): ModelChoice[] {
  const seen = new Set<string>();
  return models.filter((choice) => {
    const key = modelKey(choice);
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}
