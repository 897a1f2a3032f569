import type { JsonObject } from '../core/json.js';
import type { ModelChoice } from '../core/settings.js';
import { matches } from './match.js';
import { drawFirst, fractionOf } from './weights.js';

export interface PlanInput {
  models: readonly ModelChoice[];
  tags: readonly string[];
  metadata: JsonObject;
  logId: string;
  /** Whether the provider of a model is there: an endpoint of the API can outlive it. */
  isConfigured: (choice: ModelChoice) => boolean;
  /** Whether a model is cooling down after failures; such models are left out as long as another is there. */
  isCooling: (choice: ModelChoice) => boolean;
}

/**
 * The models to try, in order; empty where no `when` holds. A model without its provider, or one that is cooling down,
 * is in it only where no other is left.
 */
export function planAttempts(input: PlanInput): ModelChoice[] {
  const chain = rankByWeight(
    withoutRepeats(input.models.filter((choice) => matches(choice.when, input.tags, input.metadata))),
    input.logId,
  );
  const configured = preferring(chain, input.isConfigured);
  return preferring(configured, (choice) => !input.isCooling(choice));
}

/** The models that fit, or all of them where none does. */
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

/** Neighbours with a weight are one rank; each rank draws on its own. */
function rankByWeight(models: ModelChoice[], logId: string): ModelChoice[] {
  const chain: ModelChoice[] = [];
  for (let at = 0; at < models.length; ) {
    let end = at;
    while (end < models.length && models[end]!.weight !== undefined) end++;
    if (end - at > 1) {
      chain.push(...drawFirst(models.slice(at, end), fractionOf(`${logId}/${at}`)));
      at = end;
    } else {
      chain.push(models[at]!);
      at++;
    }
  }
  return chain;
}
