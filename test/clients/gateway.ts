import type { JsonObject } from '../../src/core/json.js';
import { borrowGateway, type Gateway } from '../support/gateway.js';
import { jsonReply } from '../support/replies.js';
import { scriptedModel } from '../support/scripted-model.js';

/** Kinds of provider that stand behind the clients: with the Responses API, without it, and the other makers'. */
export const KINDS = {
  openai: { api: 'openai', responses: true },
  'chat only': { api: 'openai' },
  anthropic: { api: 'anthropic' },
  gemini: { api: 'gemini' },
} as const;
export type Kind = keyof typeof KINDS;

/**
 * Names of endpoints in sets: by kind, first one whose model does well, then one whose first model breaks every schema
 * and whose second keeps to it. Some clients ask otherwise, or not at all, where they do not know the name.
 */
export const NAMES: Record<string, Record<Kind, [good: string, fallback: string]>> = {
  plain: byKind((kind) => [kind, `${kind}-fallback`]),
  // Also the arguments of tools that the model need not call.
  checked: byKind((kind) => [`${kind}-checked`, `${kind}-checked-fallback`]),
  gpt: {
    openai: ['gpt-4o', 'gpt-4o-2024-08-06'],
    'chat only': ['gpt-4o-mini', 'gpt-4o-mini-2024-07-18'],
    anthropic: ['gpt-4.1', 'gpt-4.1-2025-04-14'],
    gemini: ['gpt-4.1-mini', 'gpt-4.1-mini-2025-04-14'],
  },
  claude: {
    openai: ['claude-opus-5', 'claude-opus-5-5'],
    'chat only': ['claude-opus-4-7', 'claude-opus-4-8'],
    anthropic: ['claude-sonnet-5', 'claude-sonnet-5-5'],
    gemini: ['claude-haiku-5-5', 'claude-fable-5'],
  },
  gemini: {
    openai: ['gemini-2.5-pro', 'gemini-2.5-flash'],
    'chat only': ['gemini-2.5-flash-lite', 'gemini-2.0-flash'],
    anthropic: ['gemini-3-pro-preview', 'gemini-3-flash-preview'],
    gemini: ['gemini-2.0-flash-lite', 'gemini-2.0-flash-001'],
  },
};

function byKind(names: (slug: string) => [string, string]): Record<Kind, [string, string]> {
  const named = Object.keys(KINDS).map((kind) => [kind, names(kind.replace(' ', '-'))]);
  return Object.fromEntries(named) as Record<Kind, [string, string]>;
}

/** As the checks of clients are told of them; errors by the status that a request ends with. */
export const ENDPOINTS = {
  ...NAMES,
  errors: { 400: 'guarded', 401: 'openai', 404: 'nobody', 422: 'invalid', 429: 'limited', 502: 'gone' },
  busy: 'busy',
};

const GUARD: JsonObject = {
  plugin: 'text_rules',
  phases: ['request'],
  config: { rules: [{ words: ['sky', 'degrees'], deny: true }] },
};

/** A system whose endpoints are those of `ENDPOINTS`, before scripted models. */
export async function startClientsGateway(): Promise<Gateway> {
  const gateway = await borrowGateway({
    providers: (base_url) => ({
      ...Object.fromEntries(
        Object.entries(KINDS).map(([kind, provider]) => [
          kind.replace(' ', '-'),
          { ...provider, base_url, api_key_env: 'FAKE_KEY' },
        ]),
      ),
      // Nobody listens on the port for discarded bytes.
      gone: { api: 'openai', base_url: 'http://127.0.0.1:9/v1' },
    }),
    endpoints: [
      ...Object.entries(NAMES).flatMap(([set, names]) =>
        Object.entries(names).flatMap(([kind, [good, fallback]]) => {
          const provider = kind.replace(' ', '-');
          const checks = set === 'checked' ? { tools: 'all' } : true;
          return [
            endpoint(good, provider, ['good'], { json_validation: checks }),
            endpoint(fallback, provider, ['bad', 'good'], { json_validation: checks }),
          ];
        }),
      ),
      endpoint('guarded', 'openai', ['good'], { plugins: [GUARD] }),
      endpoint('invalid', 'openai', ['bad']),
      endpoint('limited', 'openai', ['status-429']),
      endpoint('busy', 'openai', ['status-503']),
      endpoint('gone', 'gone', ['good']),
    ],
  });
  const { provider } = gateway;
  provider.always((response, request) => {
    // Asked by the checks, not through the gateway: how often the busy model was.
    if (request.method !== 'GET') return scriptedModel(response, request);
    const tries = provider.requests.filter(({ text }) => text.includes('status-503')).length;
    return jsonReply({ tries })(response, request);
  });
  return gateway;
}

function endpoint(name: string, provider: string, models: string[], more: JsonObject = {}): JsonObject {
  return {
    name,
    json_validation: true,
    unwrap_fences: true,
    models: models.map((model) => ({ provider, model, structured_output: true })),
    ...more,
  };
}
