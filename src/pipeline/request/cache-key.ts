import { createHash } from 'node:crypto';
import { editMembers, type JsonValue } from '../../core/json.js';
import type { AnswerCacheSettings, Endpoint } from '../../core/settings.js';
import { keptConversation } from '../../dialects/kept-conversation.js';
import { keySubject } from '../../policy/limits/limit.js';
import { modelKey } from '../../routing/plan.js';
import type { Exchange } from '../exchange/exchange.js';
import type { Services } from '../exchange/ports.js';

/** Requests with a longer text are not cached, because hashing it would delay other requests for too long. */
const LONGEST_TEXT = 262_144;
const WITHOUT_METADATA = new Map([['metadata', undefined]]);
/** Headers of clients that are forwarded to providers and may change the answer. */
const TELLING_HEADERS = ['anthropic-beta', 'anthropic-version', 'openai-beta'];

/**
 * The settings of an endpoint that its answers depend on, as text. Plugins are left out: they run again on each hit.
 */
const endpointTexts = new WeakMap<Endpoint, string>();

/**
 * A digest of everything that the answer depends on: the forwarded request, who may see the answer, the endpoint and
 * its models, and the headers and metadata that count. Undefined where the answer may be neither kept nor looked up.
 */
export function cacheKey(
  exchange: Exchange,
  settings: AnswerCacheSettings,
  services: Pick<Services, 'directory'>,
): string | undefined {
  const { document, view, headers, project, key } = exchange;
  if (exchange.call !== 'answer' || document === undefined || view === undefined) return undefined;
  if (document.text.length > LONGEST_TEXT || exchange.standIns.size > 0 || view.store) return undefined;
  if (/no-(store|cache)/i.test(headers['cache-control'] ?? '')) return undefined;
  if (keptConversation(document.value) !== undefined) return undefined;
  const choices = exchange.plan!.models;
  const known = new Map(choices.map(({ provider }) => [provider, services.directory.provider(provider)]));
  const models = [...new Set(choices.map(modelKey))].sort();
  const servers = [...known].map(([name, provider]) => [
    name,
    provider?.api ?? null,
    provider?.base_url ?? null,
  ]);
  const forwarded = [...known.values()].flatMap((provider) => provider?.forward_headers ?? []);
  const { metadata } = exchange.received!;
  const parts: JsonValue[] = [
    project.uid,
    settings.scope === 'key' ? keySubject(key) : null,
    endpointText(exchange.endpoint!),
    exchange.dialect.id,
    exchange.address === undefined ? null : [exchange.address.model, exchange.address.stream],
    models,
    servers.sort(),
    [...TELLING_HEADERS, ...new Set(forwarded)].map((name) => [name, headers[name] ?? null]),
    settings.vary_by.map((name) => (Object.hasOwn(metadata, name) ? [metadata[name]!] : null)),
  ];
  const text = Object.hasOwn(document.value, 'metadata')
    ? editMembers(document.text, WITHOUT_METADATA)
    : document.text;
  return createHash('sha256').update(JSON.stringify(parts)).update('\n').update(text).digest('base64url');
}

function endpointText(endpoint: Endpoint): string {
  let text = endpointTexts.get(endpoint);
  if (text === undefined) {
    const { plugins: _guards, cache: _cache, sticky: _sticky, log_content: _kept, ...rest } = endpoint;
    text = JSON.stringify(rest);
    endpointTexts.set(endpoint, text);
  }
  return text;
}
