import { isIP } from 'node:net';
import { isJsonObject, type JsonObject, type JsonValue } from '../core/json.js';
import { didYouMean } from '../core/texts/did-you-mean.js';
import { checkLimit, checkPrices, pricedModels } from './limit-schema.js';
import { formatPath, type Path, type Problem } from './mistakes.js';
import { PATTERNS } from './schema-parts.js';
import {
  checkEnvironmentKey,
  checkWrittenKey,
  EXPECTED_KEY,
  type KeySources,
  keyFieldOf,
  keyTextOf,
} from './written-keys.js';

/** Headers that Envoy writes itself: those that frame a message or determine its destination. */
const ENVOY_HEADERS = ['connection', 'content-length', 'host', 'te', 'transfer-encoding', 'upgrade'];

/**
 * The rules that a schema cannot express: references, duplicate names, numbers that depend on each other. Values of a
 * wrong type are skipped, because the schema reported them already. So all mistakes are found in one run.
 */
export function checkRules(config: JsonObject, sources: KeySources, providers: readonly string[]): Problem[] {
  return [
    ...fieldsOf(config.providers).flatMap(([name, provider]) =>
      under(['providers', name], checkProvider(provider, sources)),
    ),
    ...checkProjects(config, sources, providers),
    ...checkKeys(config.admin_keys, ['admin_keys'], sources),
    ...checkAdminKeyTexts(config, sources),
    ...checkListen(config),
    ...checkEngines(config, sources),
    ...checkUrls(config),
  ];
}

/** A hint for a file without providers that names the mock model, for example a copy of the demo's file. */
const NO_PROVIDERS = ', since `providers` names none; only `npm start` adds a mock model to such a file';

/** The rules for one endpoint, in the file or in the API. Paths start at the endpoint. */
export function checkEndpoint(endpoint: JsonObject, providers: readonly string[]): Problem[] {
  const problems: Problem[] = [];
  for (const [index, model] of itemsOf(endpoint.models)) {
    const { provider } = model;
    if (typeof provider !== 'string' || provider === '' || providers.includes(provider)) continue;
    const hint = providers.length === 0 ? NO_PROVIDERS : didYouMean(provider, providers);
    const message = `no provider ${JSON.stringify(provider)}${hint}`;
    problems.push({ path: ['models', index, 'provider'], message });
  }
  problems.push(...checkVectors(endpoint));
  const { timeout_ms: one, total_timeout_ms: all } = endpoint;
  if (typeof one === 'number' && typeof all === 'number' && one > all) {
    const message = `one try may take longer (${one}) than all tries together (total_timeout_ms: ${all})`;
    problems.push({ path: ['timeout_ms'], message });
  }
  if (isJsonObject(endpoint.cache) && endpoint.cache.shared === true) {
    problems.push({
      path: ['cache', 'shared'],
      message: 'each engine has a cache of its own; expected false',
    });
  }
  const { first_token_timeout_ms: first } = endpoint;
  if (typeof one === 'number' && typeof first === 'number' && first > one) {
    const message = `the first text may take longer (${first}) than one try (timeout_ms: ${one})`;
    problems.push({ path: ['first_token_timeout_ms'], message });
  }
  return problems;
}

/** The usual names of embedding models. A model with another name is noticed with its first request. */
const EMBEDDING_MODEL = /embed|(^|[/_-])(bge|gte|e5|voyage|minilm|mpnet)([._-]|$)/i;

/** Vectors of two models cannot be compared, so none may replace another. */
function checkVectors({ models, same_vectors }: JsonObject): Problem[] {
  const named = itemsOf(models).filter(([, { model }]) => typeof model === 'string');
  if (same_vectors === true || !named.some(([, { model }]) => EMBEDDING_MODEL.test(model as string)))
    return [];
  const first = named[0]![1].model as string;
  const other = named.find(([, { model }]) => model !== first);
  if (other === undefined) return [];
  const message = `its vectors cannot be compared with those of ${JSON.stringify(first)}; expected one model, or \`same_vectors: true\` where both names mean the same model`;
  return [{ path: ['models', other[0], 'model'], message }];
}

function checkProvider(provider: JsonObject, { variable, keyOf }: KeySources): Problem[] {
  const problems: Problem[] = [];
  const report = (path: Path, message: string) => problems.push({ path, message });
  const urlProblem = checkUrl(provider.base_url);
  if (urlProblem) report(['base_url'], urlProblem);
  const keyProblem = checkEnvironmentKey(provider.api_key_env, variable);
  if (keyProblem) report(['api_key_env'], keyProblem);
  if (typeof provider.api_key_file === 'string') {
    const found = keyOf(provider.api_key_file);
    if ('mistake' in found) report(['api_key_file'], found.mistake);
    if (provider.api_key_env !== undefined) {
      report(['api_key_file'], 'expected `api_key_env` or `api_key_file`, found both');
    }
  }
  if (provider.responses === true && provider.api === 'anthropic') {
    report(['responses'], 'Anthropic has no Responses API; expected false');
  }
  if (
    typeof provider.queue_ms === 'number' &&
    provider.queue_ms > 0 &&
    provider.max_concurrent === undefined
  ) {
    report(['queue_ms'], '`queue_ms` has no effect without `max_concurrent`');
  }
  if (provider.compatible !== undefined && provider.api !== 'openai') {
    report(['compatible'], '`compatible` needs `api: openai`');
  }
  if (provider.api_version !== undefined && provider.api !== 'azure_openai') {
    report(['api_version'], '`api_version` needs `api: azure_openai`');
  }
  const headers = isJsonObject(provider.headers) ? Object.keys(provider.headers) : [];
  for (const name of headers.filter((header) => ENVOY_HEADERS.includes(header.toLowerCase()))) {
    problems.push({ path: ['headers', name], atKey: true, message: 'Envoy writes this header itself' });
  }
  return problems;
}

function checkProjects(config: JsonObject, sources: KeySources, providers: readonly string[]) {
  const items = itemsOf(config.projects);
  return [
    ...checkDistinct(items, 'uid', ['projects'], (uid) => uid.toLowerCase()),
    ...items.flatMap(([index, project]) =>
      under(
        ['projects', index],
        [
          ...checkKeys(project.api_keys, ['api_keys'], sources),
          ...checkKeyEndpoints(project),
          ...checkLimits(project, config),
          ...checkLimitWebhook(project, sources),
          ...checkDistinct(itemsOf(project.endpoints), 'name', ['endpoints']),
          ...itemsOf(project.endpoints).flatMap(([position, endpoint]) =>
            under(['endpoints', position], checkEndpoint(endpoint, providers)),
          ),
        ],
      ),
    ),
  ];
}

function checkLimitWebhook({ limit_webhook: webhook }: JsonObject, { variable }: KeySources): Problem[] {
  if (!isJsonObject(webhook)) return [];
  const wrongUrl = checkUrl(webhook.url);
  const wrongKey = checkEnvironmentKey(webhook.hmac_key_env, variable);
  return [
    ...(wrongUrl ? [{ path: ['limit_webhook', 'url'], message: wrongUrl }] : []),
    ...(wrongKey ? [{ path: ['limit_webhook', 'hmac_key_env'], message: wrongKey }] : []),
  ];
}

function checkLimits({ limits, endpoints }: JsonObject, { providers }: JsonObject): Problem[] {
  const items = itemsOf(limits);
  if (items.length === 0) return [];
  const named = itemsOf(endpoints).map(([, { name, models }]) => ({
    name: String(name),
    models: itemsOf(models).map(([, { provider, model }]) => ({
      provider: String(provider),
      model: String(model),
    })),
  }));
  const known = new Map(fieldsOf(providers).map(([name, provider]) => [name, pricedModels(provider)]));
  const hasPrice = (provider: string, model: string) => known.get(provider)?.includes(model) ?? true;
  return [
    ...items.flatMap(([index, limit]) => under(['limits', index], checkLimit(limit))),
    ...checkPrices(
      items.map(([, { cost_usd }]) => ({ cost_usd: cost_usd as number | undefined })),
      named,
      hasPrice,
    ),
  ];
}

/** An endpoint that is created by the admin API is not in the file, so keys for it must be created by the API too. */
function checkKeyEndpoints({ api_keys, endpoints }: JsonObject): Problem[] {
  const known = itemsOf(endpoints).flatMap(([, { name }]) => (typeof name === 'string' ? [name] : []));
  return itemsOf(api_keys).flatMap(([index, key]) => {
    const named = Array.isArray(key.endpoints) ? key.endpoints : [];
    return [...named.entries()].flatMap(([at, name]) =>
      typeof name !== 'string' || known.includes(name)
        ? []
        : [
            {
              path: ['api_keys', index, 'endpoints', at],
              message: `no endpoint ${JSON.stringify(name)} in this project${didYouMean(name, known)}`,
            },
          ],
    );
  });
}

function checkKeys(keys: JsonValue | undefined, path: Path, sources: KeySources): Problem[] {
  const problems = checkDistinct(itemsOf(keys), 'name', path);
  const places = new Map<string, Path>();
  for (const [index, key] of itemsOf(keys)) {
    const place = [...path, index];
    const field = keyFieldOf(key);
    if (field === undefined) {
      problems.push({ path: [...place, 'key'], message: `missing; ${EXPECTED_KEY}` });
      continue;
    }
    const wrong = checkWrittenKey(key, sources);
    if (wrong) problems.push({ path: [...place, wrong.field], message: wrong.message });
    const secret = keyTextOf(key, sources);
    const first = secret === undefined ? undefined : places.get(secret);
    if (first) {
      problems.push({ path: [...place, field], message: `the same key as ${formatPath(first)}` });
    } else if (secret !== undefined) {
      places.set(secret, place);
    }
  }
  return problems;
}

/** A client's key must not give access to the administration. */
function checkAdminKeyTexts(config: JsonObject, sources: KeySources): Problem[] {
  const adminTexts = new Set(itemsOf(config.admin_keys).map(([, key]) => keyTextOf(key, sources)));
  adminTexts.add(sources.variable('SLUICE_ADMIN_KEY'));
  return itemsOf(config.projects).flatMap(([project, { api_keys }]) =>
    itemsOf(api_keys).flatMap(([index, key]) => {
      const secret = keyTextOf(key, sources);
      if (secret === undefined || !adminTexts.has(secret)) return [];
      const path = ['projects', project, 'api_keys', index, keyFieldOf(key)!];
      return [{ path, message: 'this key is also an admin key; expected another one' }];
    }),
  );
}

const LOOPBACK = /^(127\.|\[::1\])/;

/** Whoever reaches this port can send requests as any client, so its TLS must be configured explicitly. */
function checkListen({ engine }: JsonObject): Problem[] {
  const listen = isJsonObject(engine) ? engine.listen : undefined;
  if (!isJsonObject(listen) || typeof listen.address !== 'string') return [];
  const { workers = 1 } = engine as JsonObject;
  if (workers === 'auto' || (typeof workers === 'number' && workers > 1)) {
    const message = 'with `listen` an engine is one process; run more engines behind the address instead';
    return [{ path: ['engine', 'workers'], message }];
  }
  const { address, tls } = listen;
  const path: Path = ['engine', 'listen'];
  const port = Number(/:(\d+)$/.exec(address)?.[1]);
  const host = address.slice(0, address.lastIndexOf(':')).replace(/^\[|\]$/g, '');
  // The schema already reported an address of another form.
  if (!new RegExp(PATTERNS.address.pattern).test(address)) return [];
  if (isIP(host) === 0 || port > 65_535) {
    return [{ path: [...path, 'address'], message: `expected ${PATTERNS.address.expected}` }];
  }
  if (LOOPBACK.test(address) || tls === 'none') return [];
  const needed =
    'an address that other machines reach needs `client_ca_file`, the authority of the Envoys that may call; `tls: none` serves whoever reaches it';
  if (!isJsonObject(tls))
    return tls === undefined ? [{ path: [...path, 'tls'], message: `missing; ${needed}` }] : [];
  if (tls.client_ca_file !== undefined) return [];
  return [{ path: [...path, 'tls', 'client_ca_file'], message: `missing; ${needed}` }];
}

/** The key of engines can read all hashes of keys and the configurations of guards, so no other use of it is allowed. */
function checkEngines(config: JsonObject, sources: KeySources): Problem[] {
  const directory = isJsonObject(config.directory) ? config.directory : {};
  const { to } = isJsonObject(config.logs) ? config.logs : {};
  const { from } = directory;
  const field = keyFieldOf(directory);
  const problems: Problem[] = [];
  const report = (field: string, message: string | undefined) => {
    if (message) problems.push({ path: ['directory', field], message });
  };
  report('from', checkUrl(from));
  const wrongTarget = checkUrl(to);
  if (wrongTarget) problems.push({ path: ['logs', 'to'], message: wrongTarget });
  if ((from ?? to) !== undefined && field === undefined) {
    report('key', `missing; ${EXPECTED_KEY}, as the admin service has it`);
  }
  const wrong = checkWrittenKey(directory, sources);
  if (wrong) report(wrong.field, wrong.message);
  const others = [
    ...itemsOf(config.admin_keys),
    ...itemsOf(config.projects).flatMap(([, project]) => itemsOf(project.api_keys)),
  ].map(([, other]) => keyTextOf(other, sources));
  const text = keyTextOf(directory, sources);
  if (text !== undefined && [...others, sources.variable('SLUICE_ADMIN_KEY')].includes(text)) {
    report(field!, 'this key is also used in another place; expected one of its own');
  }
  return problems;
}

function checkDistinct(
  items: [number, JsonObject][],
  field: string,
  path: Path,
  normal: (text: string) => string = (text) => text,
): Problem[] {
  const first = new Map<string, number>();
  return items.flatMap(([index, item]) => {
    const value = item[field];
    if (typeof value !== 'string') return [];
    const earlier = first.get(normal(value));
    if (earlier === undefined) {
      first.set(normal(value), index);
      return [];
    }
    const place = formatPath([...path.slice(-1), earlier]);
    return [{ path: [...path, index, field], message: `the same ${field} as ${place}` }];
  });
}

function checkUrls(config: JsonObject): Problem[] {
  const problems: Problem[] = [];
  const { webhooks, dashboard } = config;
  const allowed = isJsonObject(webhooks) && Array.isArray(webhooks.allowed_urls) ? webhooks.allowed_urls : [];
  for (const [index, value] of allowed.entries()) {
    const message = checkUrl(value);
    if (message) problems.push({ path: ['webhooks', 'allowed_urls', index], message });
  }
  const link = isJsonObject(dashboard) ? dashboard.trace_url : undefined;
  if (typeof link === 'string' && !(/^https?:\/\//i.test(link) && link.includes('{trace_id}'))) {
    const message = 'expected an http or https URL with `{trace_id}` in it';
    problems.push({ path: ['dashboard', 'trace_url'], message });
  }
  return problems;
}

/** The message contains no part of the URL, because it may contain credentials. */
function checkUrl(value: JsonValue | undefined): string | undefined {
  if (typeof value !== 'string') return undefined;
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (!url || !/^https?:\/\//i.test(value)) return 'expected an http or https URL';
  if (url.username !== '' || url.password !== '') return 'expected a URL without credentials';
  if (/[?#]/.test(value)) return 'expected a URL without query and fragment';
  return undefined;
}

export function itemsOf(value: JsonValue | undefined): [number, JsonObject][] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((item, index): [number, JsonObject][] => (isJsonObject(item) ? [[index, item]] : []));
}

export function fieldsOf(value: JsonValue | undefined): [string, JsonObject][] {
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([key, item]): [string, JsonObject][] =>
    isJsonObject(item) ? [[key, item]] : [],
  );
}

export function under(prefix: Path, problems: readonly Problem[]): Problem[] {
  return problems.map((problem) => ({ ...problem, path: [...prefix, ...problem.path] }));
}
