import { isJsonObject, type JsonObject, type JsonValue } from '../core/json.js';
import { didYouMean } from '../core/texts/did-you-mean.js';
import { type Mistake, type Problem, sortMistakes } from './mistakes.js';
import { fieldsOf, itemsOf, under } from './rules.js';
import { readYaml } from './yaml-document.js';

/** The paths that calls append to `base_url`, the longest first. */
const CALL_PATH =
  /\/(chat\/completions|messages\/count_tokens|completions|responses|embeddings|moderations|messages|models\/[^/]*:\w+)\/*$/;

/** The usual path in `base_url` for servers of these APIs. The engine completes Azure's path. */
const USUAL_PATHS: Record<string, string> = { openai: '/v1', anthropic: '/v1', gemini: '/v1beta' };

/** Servers that also accept calls at the root. */
const ROOT_SERVERS: unknown[] = ['azure', 'deepseek', 'litellm'];

const UNUSED_PROVIDER =
  'no endpoint of this file uses it; remove it, unless an endpoint of the admin API uses it';

/** The warnings about a file in its order, even where other parts of it have mistakes. */
export function findWarnings(text: string, file: string): Mistake[] {
  const { value, place } = readYaml(text, file);
  return isJsonObject(value) ? sortMistakes(configWarnings(value).map(place)) : [];
}

/**
 * Settings that are allowed and are probably a mistake. `config` is the file as it is written; values of a wrong type
 * are skipped, because they are reported as mistakes.
 */
function configWarnings(config: JsonObject): Problem[] {
  const used = usedModels(config.projects);
  return [...providerWarnings(config, used), ...projectWarnings(config)];
}

function providerWarnings(config: JsonObject, used: ReturnType<typeof usedModels>): Problem[] {
  return fieldsOf(config.providers).flatMap(([name, provider]) => [
    ...baseUrlWarnings(name, provider),
    // A file without endpoints gets no such warning, because the endpoints of the admin API use what it names.
    ...(used.size === 0 ? [] : useWarnings(name, provider, used.get(name))),
  ]);
}

/** Settings of traffic policy that have no effect. */
function projectWarnings(config: JsonObject): Problem[] {
  return itemsOf(config.projects).flatMap(([index, project]) => {
    const path = ['projects', index];
    const limited = itemsOf(project.limits).some(([, limit]) => 'tokens' in limit || 'cost_usd' in limit);
    const webhook =
      project.limit_webhook !== undefined && Array.isArray(project.limits) && !limited
        ? [
            {
              path: [...path, 'limit_webhook'],
              atKey: true,
              message: 'it is never called, because the project limits neither tokens nor costs',
            },
          ]
        : [];
    const endpoints = itemsOf(project.endpoints).flatMap(([position, endpoint]) =>
      under([...path, 'endpoints', position], endpointWarnings(endpoint)),
    );
    return [...webhook, ...endpoints];
  });
}

function endpointWarnings({
  sticky,
  models,
  first_token_timeout_ms,
  json_validation,
}: JsonObject): Problem[] {
  const problems: Problem[] = [];
  const weighted = itemsOf(models).map(([, model]) => model.weight !== undefined);
  const draws = weighted.some((has, index) => has && weighted[index + 1] === true);
  if (isJsonObject(sticky) && Array.isArray(models) && !draws) {
    const message = 'it has no effect, because no two models next to each other have a `weight` to draw by';
    problems.push({ path: ['sticky'], atKey: true, message });
  }
  if (first_token_timeout_ms !== undefined && json_validation === true) {
    const message =
      'it has no effect on requests with a schema: a validated stream is held until it is complete, within `timeout_ms`';
    problems.push({ path: ['first_token_timeout_ms'], atKey: true, message });
  }
  return problems;
}

/** Of a URL, the warning shows only the path of a call, because the rest may contain credentials. */
function baseUrlWarnings(name: string, { base_url, api, compatible }: JsonObject): Problem[] {
  if (typeof base_url !== 'string' || !URL.canParse(base_url)) return [];
  const path = ['providers', name, 'base_url'];
  const { pathname } = new URL(base_url);
  const call = CALL_PATH.exec(pathname);
  if (call) {
    const message = `it ends in the path of a call, which each request adds again; expected it without \`${call[0]}\``;
    return [{ path, message }];
  }
  const usual = Object.hasOwn(USUAL_PATHS, String(api)) ? USUAL_PATHS[String(api)] : undefined;
  if (usual === undefined || pathname !== '/' || ROOT_SERVERS.includes(compatible)) return [];
  const message = `it has no path; servers of this API have their calls below \`${usual}\``;
  return [{ path, message }];
}

function useWarnings(name: string, provider: JsonObject, models: Set<string> | undefined): Problem[] {
  if (models === undefined) return [{ path: ['providers', name], atKey: true, message: UNUSED_PROVIDER }];
  return ['models', 'prices'].flatMap((map) => {
    const priced = isJsonObject(provider[map]) ? Object.keys(provider[map]) : [];
    return priced
      .filter((model) => !models.has(model))
      .map((model) => ({
        path: ['providers', name, map, model],
        atKey: true,
        message: `no endpoint of this file calls this model of the provider, so nobody uses its price${didYouMean(model, [...models])}`,
      }));
  });
}

/** The models by provider, wherever a project names a provider: in chains, and in what plugins call. */
function usedModels(value: JsonValue | undefined, used = new Map<string, Set<string>>()) {
  if (Array.isArray(value)) for (const item of value) usedModels(item, used);
  if (!isJsonObject(value)) return used;
  const { provider, model } = value;
  if (typeof provider === 'string') {
    const models = used.get(provider) ?? new Set();
    if (typeof model === 'string') models.add(model);
    used.set(provider, models);
  }
  for (const item of Object.values(value)) usedModels(item, used);
  return used;
}
