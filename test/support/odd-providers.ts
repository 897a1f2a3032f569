import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import type { ConversationId } from '../../src/core/dialect-ids.js';
import type { JsonObject, JsonValue } from '../../src/core/json.js';
import { dialectOfRequest } from './dialect-provider.js';
import { type Answer, borrowGateway, type Gateway, PROJECT } from './gateway.js';
import { jsonReply, type Reply, streamReply } from './replies.js';
import { complaints } from './strict/complaints.js';

/*
 * A gateway in front of one provider of each kind, each as strict as the real one. Tests use it for requests that clients
 * really send and answers that servers really give.
 */

const PATHS: Record<ConversationId, string> = {
  'openai.chat': 'openai/v1/chat/completions',
  'openai.responses': 'openai/v1/responses',
  'anthropic.messages': 'anthropic/v1/messages',
  'gemini.generate': 'gemini/v1beta/models',
};
const PROVIDERS = {
  chat: { api: 'openai' },
  responses: { api: 'openai', responses: true },
  mistral: { api: 'openai', compatible: 'mistral' },
  deepseek: { api: 'openai', compatible: 'deepseek' },
  openrouter: { api: 'openai', compatible: 'openrouter' },
  claude: { api: 'anthropic' },
  gemini: { api: 'gemini' },
} as const;
export type ProviderName = keyof typeof PROVIDERS;
export const PROVIDER_NAMES = Object.keys(PROVIDERS) as ProviderName[];

export const SAID: Record<string, JsonObject> = {
  'openai.chat': {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1,
    model: 'm',
    choices: [{ index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }],
  },
  'openai.responses': {
    id: 'resp_1',
    object: 'response',
    created_at: 1,
    model: 'm',
    status: 'completed',
    output: [
      {
        id: 'msg_1',
        type: 'message',
        role: 'assistant',
        status: 'completed',
        content: [{ type: 'output_text', text: 'Hi', annotations: [] }],
      },
    ],
  },
  'anthropic.messages': {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'm',
    content: [{ type: 'text', text: 'Hi' }],
    stop_reason: 'end_turn',
    usage: { input_tokens: 1, output_tokens: 1 },
  },
  'gemini.generate': {
    candidates: [{ content: { role: 'model', parts: [{ text: 'Hi' }] }, finishReason: 'STOP' }],
    responseId: 'r1',
  },
};

/** Says hello in the API that was called. */
export const hello: Reply = (response, request) =>
  jsonReply(SAID[dialectOfRequest(request)])(response, request);

/** A stream of Chat Completions. */
export function chunks(...values: (JsonValue | string)[]): Reply {
  return streamReply(
    values.map((value) =>
      typeof value === 'string' ? `${value}\n\n` : `data: ${JSON.stringify(value)}\n\n`,
    ),
  );
}

export function chunk(delta: JsonObject, finish: string | null = null, more: JsonObject = {}): JsonObject {
  return {
    id: 'c',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'm',
    choices: [{ index: 0, delta, finish_reason: finish }],
    ...more,
  };
}

/** Servers whose Chat Completions have their own rules. */
const SERVERS = ['mistral', 'deepseek', 'openrouter'] as const;

export interface OddGateway {
  readonly gateway: Gateway;
  /** Sends a request to the endpoint in the API of a client. */
  ask(
    client: ConversationId,
    endpoint: string,
    body: JsonObject,
    headers?: Record<string, string>,
  ): Promise<Answer>;
  /** The body that the provider received. Fails where the real provider would refuse it. */
  taken(provider: ProviderName, index?: number): JsonObject;
}

/**
 * Starts a gateway with one endpoint for each kind of provider, named after it, and with `endpoints`. Call it in a
 * `describe`.
 */
export function useOddGateway(endpoints: JsonObject[] = []): OddGateway {
  let gateway: Gateway;

  beforeAll(async () => {
    gateway = await borrowGateway({
      providers: (url) =>
        Object.fromEntries(
          Object.entries(PROVIDERS).map(([name, provider]) => [
            name,
            { ...provider, base_url: url, api_key_env: 'FAKE_KEY' },
          ]),
        ),
      endpoints: [
        ...Object.keys(PROVIDERS).map((provider) => ({
          name: provider,
          models: [{ provider, model: `${provider}-odd`, structured_output: true }],
        })),
        ...endpoints,
      ],
    });
  });
  afterAll(() => gateway?.stop());
  beforeEach(() => {
    gateway.provider.reset();
    gateway.provider.always(hello);
  });

  return {
    get gateway() {
      return gateway;
    },
    ask(client, endpoint, body, headers = {}) {
      const isGemini = client === 'gemini.generate';
      const { stream, ...rest } = body;
      const method = stream ? 'streamGenerateContent?alt=sse' : 'generateContent';
      const path = isGemini ? `${PATHS[client]}/${endpoint}:${method}` : PATHS[client];
      const sent = isGemini
        ? rest
        : { model: endpoint, ...(client === 'anthropic.messages' ? { max_tokens: 100 } : {}), ...body };
      return gateway.call('POST', `/${PROJECT}/${path}`, { body: sent, headers });
    },
    taken(provider, index = 0) {
      const request = gateway.provider.requests[index]!;
      const body = request.json() as JsonObject;
      const server = SERVERS.find((name) => name === provider) ?? 'openai';
      const model = `${provider}-odd`;
      const found = complaints({ dialect: dialectOfRequest(request), body, server, model });
      expect(found).toEqual([]);
      return body;
    },
  };
}
