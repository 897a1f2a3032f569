import { isJsonObject, type JsonObject, type JsonValue } from '../core/json.js';
import { Type } from '../core/schema-type.js';
import { LIMIT_WINDOWS, LIMITED, type TrafficLimit } from '../core/settings.js';
import { whenSchema } from './endpoint-schema.js';
import type { Problem } from './mistakes.js';
import { choice, flag, optional, PATTERNS, section } from './schema-parts.js';

const whole = (description: string) =>
  optional(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, description }));

/** A limit as it is written in sluice.yaml and in the admin API. Its static type is the filled `TrafficLimit`. */
export const limitSchema = section({
  per: Type.String({
    pattern: PATTERNS.limitSubject.pattern,
    description:
      'What has a count of its own: the `project`, each `key`, each `endpoint`, each `tag`, or each value of a metadata key (`metadata.KEY`).',
  }),
  requests: whole('How many requests, in a window.'),
  tokens: whole('How many tokens of input and output, in a window.'),
  cost_usd: optional(Type.Number({ exclusiveMinimum: 0, description: 'The most US dollars in a window.' })),
  concurrent: whole('The most requests at a time.'),
  window: optional(
    choice(LIMIT_WINDOWS, { description: 'The window of time, in UTC. Required for all but `concurrent`.' }),
  ),
  when: optional(whenSchema('The limit counts only requests for which all that stands here holds.')),
  action: choice(['reject', 'fallback', 'warn'], {
    default: 'reject',
    description:
      'What happens to a request over the limit. `reject`: it gets 429. `fallback`: it skips the first model of the chain. `warn`: only its log says so.',
  }),
  shared: flag({ description: 'Whether all engines on one MongoDB count together.' }),
});

/** The rules for a limit that a schema cannot express. Paths start at the limit. */
export function checkLimit(limit: JsonObject): Problem[] {
  const given = LIMITED.filter((kind) => limit[kind] !== undefined);
  if (given.length !== 1) {
    const found = given.length === 0 ? 'none' : given.map((kind) => `\`${kind}\``).join(' and ');
    const message = `expected one of ${LIMITED.map((kind) => `\`${kind}\``).join(', ')}, found ${found}`;
    return [{ path: given.length === 0 ? [] : [given[1]!], message }];
  }
  if (limit.concurrent !== undefined && limit.window !== undefined) {
    return [{ path: ['window'], message: '`concurrent` counts requests at a time, and has no window' }];
  }
  if (limit.concurrent === undefined && limit.window === undefined) {
    return [{ path: ['window'], message: `missing; expected one of ${LIMIT_WINDOWS.join(', ')}` }];
  }
  return [];
}

/** Reports models without a price, because a limit on costs would count them as free. */
export function checkPrices(
  limits: readonly Pick<TrafficLimit, 'cost_usd'>[],
  endpoints: readonly { name: string; models: readonly { provider: string; model: string }[] }[],
  hasPrice: (provider: string, model: string) => boolean,
): Problem[] {
  const index = limits.findIndex(({ cost_usd }) => cost_usd !== undefined);
  if (index === -1) return [];
  const unpriced = new Map<string, string>();
  for (const { name, models } of endpoints) {
    for (const { provider, model } of models) {
      if (!hasPrice(provider, model)) unpriced.set(`${provider}/${model}`, name);
    }
  }
  return [...unpriced].map(([model, endpoint]) => ({
    path: ['limits', index, 'cost_usd'],
    message: `the price of ${JSON.stringify(model)} is not known, which the endpoint ${JSON.stringify(endpoint)} uses: its costs would not count; give it in \`prices\` or \`models\` of the provider`,
  }));
}

/** The models that a provider, as written in the file, has prices for. */
export function pricedModels(provider: JsonValue | undefined): string[] {
  if (!isJsonObject(provider)) return [];
  const named = (map: JsonValue | undefined) => (isJsonObject(map) ? Object.keys(map) : []);
  return [...named(provider.prices), ...named(provider.models)];
}
