import type { Config } from '../config/config.js';
import { checkLimit, checkPrices } from '../config/limit-schema.js';
import { pathOfPointer } from '../config/mistakes.js';
import { checkEndpoint, under } from '../config/rules.js';
import type { Project } from '../core/directory.js';
import type { ErrorDetail } from '../core/errors.js';
import type { JsonObject } from '../core/json.js';
import type { Endpoint, TrafficLimit } from '../core/settings.js';
import type { PluginHost } from '../plugins/runtime/host.js';
import { calledAddresses } from '../plugins/runtime/prepare/called-addresses.js';

/**
 * Mistakes of an endpoint from the API that its schema cannot find: references, plugins, URLs of webhooks. Paths have
 * the form of the schema's mistakes.
 */
export function endpointChecks(
  endpoint: Endpoint,
  config: Config,
  plugins: PluginHost,
  project?: Pick<Project, 'limits'>,
): ErrorDetail[] {
  // An endpoint is JSON, because it was parsed from JSON.
  const details = checkEndpoint(endpoint as unknown as JsonObject, [...config.providers.keys()]).map(
    ({ path, message }) => ({ path: path.join('.'), message }),
  );
  const prepared = plugins.prepare(endpoint.plugins);
  if ('mistakes' in prepared) {
    for (const { path, message } of prepared.mistakes) {
      details.push({ path: pathOfPointer(path, endpoint).join('.'), message });
    }
  }
  details.push(...unpricedModels(endpoint, config, project?.limits ?? []));
  const schemas = new Map(plugins.list().map(({ name, configSchema }) => [name, configSchema]));
  return [...details, ...addressMistakes(endpoint, schemas, config.webhooks.allowed_urls)];
}

/** Mistakes of limits from the API that their schema cannot find. */
export function limitChecks(
  limits: readonly TrafficLimit[],
  project: Project | undefined,
  { providers }: Config,
): ErrorDetail[] {
  const hasPrice = (provider: string, model: string) => isPriced(providers, provider, model);
  return [
    // A limit is JSON, because it was parsed from JSON.
    ...limits.flatMap((limit, index) => under(['limits', index], checkLimit(limit as unknown as JsonObject))),
    ...checkPrices(limits, [...(project?.endpoints.values() ?? [])], hasPrice),
  ].map(({ path, message }) => ({ path: path.join('.'), message }));
}

/** Models whose costs a limit of the project would not count. */
function unpricedModels(
  { models }: Endpoint,
  { providers }: Config,
  limits: readonly TrafficLimit[],
): ErrorDetail[] {
  if (!limits.some(({ cost_usd }) => cost_usd !== undefined)) return [];
  return models.flatMap(({ provider, model }, index) =>
    isPriced(providers, provider, model)
      ? []
      : [
          {
            path: `models.${index}.model`,
            message: `the price of ${JSON.stringify(`${provider}/${model}`)} is not known, and a limit of the project on costs would not count it; give it in \`prices\` or \`models\` of the provider in sluice.yaml`,
          },
        ],
  );
}

/** A provider that does not exist is reported as another mistake. */
function isPriced(providers: Config['providers'], provider: string, model: string): boolean {
  const known = providers.get(provider);
  return known === undefined || Object.hasOwn(known.prices, model);
}

/** Mistakes in addresses. If the API accepted any URL, its caller could reach hosts that only this process can reach. */
function addressMistakes(
  { plugins }: Endpoint,
  schemas: ReadonlyMap<string, JsonObject>,
  allowed: readonly string[],
): ErrorDetail[] {
  return plugins.flatMap(({ plugin, config }, index) =>
    calledAddresses(config, schemas.get(plugin) ?? {})
      .filter(({ url }) => !isAllowed(url, allowed))
      .map(({ path }) => ({
        path: ['plugins', index, 'config', ...path].join('.'),
        message: 'the URL starts with none of webhooks.allowed_urls in sluice.yaml',
      })),
  );
}

function isAllowed(text: string, allowed: readonly string[]): boolean {
  if (!URL.canParse(text)) return false;
  const url = new URL(text);
  return !leadsUpwards(url.pathname) && allowed.some((prefix) => isBelow(url.href, prefix));
}

/**
 * Whether a URL is at or below a prefix. A prefix without a slash at its end does not match longer names that begin with it.
 */
function isBelow(href: string, prefix: string): boolean {
  if (!href.startsWith(prefix)) return false;
  return prefix.endsWith('/') || /^([/?#]|$)/.test(href.slice(prefix.length));
}

/**
 * Whether a path leads to a parent folder. URL parsers keep encoded dots between slashes, but many servers read them
 * as a parent folder.
 */
function leadsUpwards(path: string): boolean {
  return path
    .replaceAll(/%2e/gi, '.')
    .split(/[/\\]|%2f|%5c/i)
    .includes('..');
}
