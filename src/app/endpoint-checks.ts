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
 * What is wrong with an endpoint that the API sets, beyond its schema: references, plugins, URLs of webhooks. Paths
 * are written as those of the schema's mistakes.
 */
export function endpointChecks(endpoint: Endpoint, config: Config, plugins: PluginHost): ErrorDetail[] {
  // An endpoint is JSON: it was read as such.
  const details = checkEndpoint(endpoint as unknown as JsonObject, [...config.providers.keys()]).map(
    ({ path, message }) => ({ path: path.join('.'), message }),
  );
  const prepared = plugins.prepare(endpoint.plugins);
  if ('mistakes' in prepared) {
    for (const { path, message } of prepared.mistakes) {
      details.push({ path: pathOfPointer(path, endpoint).join('.'), message });
    }
  }
  const schemas = new Map(plugins.list().map(({ name, configSchema }) => [name, configSchema]));
  return [...details, ...addressMistakes(endpoint, schemas, config.webhooks.allowed_urls)];
}

/** What is wrong with limits that the API sets, beyond their schema. */
export function limitChecks(
  limits: readonly TrafficLimit[],
  project: Project | undefined,
  { providers }: Config,
): ErrorDetail[] {
  const hasPrice = (provider: string, model: string) => {
    const known = providers.get(provider);
    return known === undefined || Object.hasOwn(known.prices, model);
  };
  return [
    // A limit is JSON: it was read as such.
    ...limits.flatMap((limit, index) => under(['limits', index], checkLimit(limit as unknown as JsonObject))),
    ...checkPrices(limits, [...(project?.endpoints.values() ?? [])], hasPrice),
  ].map(({ path, message }) => ({ path: path.join('.'), message }));
}

/** An API that could name any URL would let its caller reach what only we can reach. */
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

/** A prefix without a slash at its end names what it says and what is below it, not what only begins so. */
function isBelow(href: string, prefix: string): boolean {
  if (!href.startsWith(prefix)) return false;
  return prefix.endsWith('/') || /^([/?#]|$)/.test(href.slice(prefix.length));
}

/** Dots between slashes that are encoded stay in a URL, and many a server reads them as the parent all the same. */
function leadsUpwards(path: string): boolean {
  return path
    .replaceAll(/%2e/gi, '.')
    .split(/[/\\]|%2f|%5c/i)
    .includes('..');
}
