import type { JsonObject } from '../../src/core/json.js';
import { waitFor } from '../../src/local/processes/wait.js';
import { borrowSluice } from './borrow-sluice.js';
import { type FakeProvider, startFakeProvider } from './fake-provider.js';
import { PROVIDER_KEYS } from './provider-keys.js';
import { jsonReply } from './replies.js';
import { type Sluice, type SluiceOptions, startSluice } from './start-sluice.js';
import type { Way } from './ways.js';

export const PROJECT = '00000000-0000-4000-8000-000000000001';
export const OTHER_PROJECT = '00000000-0000-4000-8000-000000000002';

/** Client keys of the configuration file: one with all scopes, one for each scope, and one of the other project. */
export const KEYS = {
  all: 'sk-all',
  inference: 'sk-inference',
  feedback: 'sk-feedback',
  logs: 'sk-logs',
  other: 'sk-other',
} as const;

/** The credential of the fake provider. */
export const CREDENTIAL = PROVIDER_KEYS.FAKE_KEY;

/** The headers by which tests tell the fake provider what to do, and recognize their requests. */
export const TEST_HEADERS = ['x-case', 'x-test'];

export const CHAT_PATH = `/${PROJECT}/openai/v1/chat/completions`;
export const MESSAGES = [{ role: 'user', content: 'Where is my parcel?' }];

/** The answer of the fake provider, unless a test sets another one. */
export const COMPLETION = {
  id: 'chatcmpl-provider-1',
  object: 'chat.completion',
  created: 1_700_000_000,
  model: 'large-2024',
  choices: [
    {
      index: 0,
      message: { role: 'assistant', content: 'On its way.', refusal: null },
      logprobs: null,
      finish_reason: 'stop',
    },
  ],
  usage: { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 },
  system_fingerprint: 'fp_1',
};

export interface GatewayOptions {
  /** Further endpoints. `support` always exists and has one model, and `chain` has two and so uses the attempt filter. */
  endpoints?: JsonObject[];
  /** Further providers. `fake` always exists; the function gets its URL. */
  providers?: (providerUrl: string) => JsonObject;
  /** The origins whose pages may call the project. */
  cors?: JsonObject;
  /** Other sections of sluice.yaml. */
  settings?: JsonObject;
  /** Environment variables of the engine. */
  environment?: NodeJS.ProcessEnv;
  /** Other options of `startSluice`. */
  start?: Pick<SluiceOptions, 'program' | 'dataFolder' | 'mongodbUri' | 'way'>;
  /** A provider of the test; by default a new one is started. */
  provider?: FakeProvider;
}

export interface CallOptions {
  /** The key of the call. Default: the key with all scopes. Null means no key. */
  key?: string | null;
  /** A string is sent unchanged, anything else as JSON. */
  body?: unknown;
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  /** The parsed answer; undefined where it is not JSON. */
  json: ReturnType<typeof JSON.parse>;
  /** The log id. */
  id: string;
}

/** The content of sluice.yaml as a value. It is written as JSON, which is YAML too. */
export function gatewayConfig(providerUrl: string, options: GatewayOptions = {}): JsonObject {
  const fake = {
    api: 'openai',
    base_url: providerUrl,
    api_key_env: 'FAKE_KEY',
    forward_headers: TEST_HEADERS,
  };
  const [large, small] = ['large', 'small'].map((model) => ({ provider: 'fake', model }));
  return {
    providers: { fake, ...options.providers?.(providerUrl) },
    projects: [
      {
        uid: PROJECT,
        name: 'demo',
        api_keys: [
          { name: 'all', key: KEYS.all, scopes: ['inference', 'feedback', 'logs'] },
          { name: 'inference', key: KEYS.inference, scopes: ['inference'] },
          { name: 'feedback', key: KEYS.feedback, scopes: ['feedback'] },
          { name: 'logs', key: KEYS.logs, scopes: ['logs'] },
        ],
        endpoints: [
          { name: 'support', models: [large!] },
          { name: 'chain', models: [small!, large!] },
          ...(options.endpoints ?? []),
        ],
        ...(options.cors === undefined ? {} : { cors: options.cors }),
      },
      {
        uid: OTHER_PROJECT,
        name: 'other',
        api_keys: [{ name: 'other', key: KEYS.other, scopes: ['inference', 'feedback', 'logs'] }],
        endpoints: [],
      },
    ],
    admin_keys: [{ name: 'root', key_env: 'SLUICE_ADMIN_KEY' }],
    ...options.settings,
  };
}

/** A running system with a fake provider behind it, and the calls that tests of the gateway make. */
export class Gateway {
  constructor(
    readonly sluice: Sluice,
    readonly provider: FakeProvider,
    private readonly release: () => Promise<void> = () => sluice.stop(),
  ) {}

  /** Asks the endpoint `support` for a chat completion, changed as a test needs it. */
  ask(changes: object = {}, options: CallOptions = {}): Promise<Answer> {
    return this.call('POST', CHAT_PATH, {
      body: { model: 'support', messages: MESSAGES, ...changes },
      ...options,
    });
  }

  /** Does the same, but returns before the body is read. */
  open(changes: object = {}, options: CallOptions = {}): Promise<Response> {
    return this.fetch('POST', CHAT_PATH, {
      body: { model: 'support', messages: MESSAGES, ...changes },
      ...options,
    });
  }

  async call(method: string, path: string, options: CallOptions = {}): Promise<Answer> {
    return this.read(await this.fetch(method, path, options));
  }

  /** Reads the body of a response that `open` returned. */
  async read(response: Response): Promise<Answer> {
    const text = await response.text();
    const isJson = /^application\/json/.test(response.headers.get('content-type') ?? '');
    return {
      status: response.status,
      headers: response.headers,
      text,
      json: isJson ? JSON.parse(text) : undefined,
      id: response.headers.get('x-inference-log-id') ?? '',
    };
  }

  fetch(method: string, path: string, options: CallOptions = {}): Promise<Response> {
    const { key = KEYS.all, body, headers = {}, signal } = options;
    return fetch(`${this.sluice.gatewayUrl}${path}`, {
      method,
      headers: {
        ...(key === null ? {} : { authorization: `Bearer ${key}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
    });
  }

  /** Calls the admin API with the admin key. */
  async admin(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    const response = await fetch(`${this.sluice.adminUrl}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${this.sluice.adminKey}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return this.read(response);
  }

  /** The log with this id, as the admin API shows it, as soon as it has landed in MongoDB. */
  log(id: string, { timeoutMs = 20_000 } = {}): Promise<ReturnType<typeof JSON.parse>> {
    return waitFor(
      `the log ${id} lands`,
      async () => {
        const response = await fetch(`${this.sluice.adminUrl}/${PROJECT}/logs/${id}`, {
          headers: { authorization: `Bearer ${KEYS.all}` },
        });
        const text = await response.text();
        if (response.status !== 200) throw new Error(text);
        return JSON.parse(text);
      },
      { timeoutMs, intervalMs: 20 },
    );
  }

  /** How many logs have landed. */
  logCount(): Promise<number> {
    return this.sluice.database.collection('logs').countDocuments();
  }

  async stop(): Promise<void> {
    await this.release();
    await this.provider.stop();
  }
}

export async function startGateway(options: GatewayOptions = {}): Promise<Gateway> {
  return withProvider(options, async (provider) => {
    const sluice = await startSluice({
      config: JSON.stringify(gatewayConfig(provider.baseUrl, options)),
      environment: { FAKE_KEY: CREDENTIAL, ...options.environment },
      ...options.start,
    });
    return new Gateway(sluice, provider);
  });
}

/** Does the same with the system that test files share, one after the other; see `borrowSluice`. */
export async function borrowGateway(
  options: Omit<GatewayOptions, 'environment' | 'start'> = {},
  way?: Way,
): Promise<Gateway> {
  return withProvider(options, async (provider) => {
    const config = JSON.stringify(gatewayConfig(provider.baseUrl, options));
    const { sluice, giveBack } = await borrowSluice(config, way);
    return new Gateway(sluice, provider, giveBack);
  });
}

async function withProvider(
  options: GatewayOptions,
  start: (provider: FakeProvider) => Promise<Gateway>,
): Promise<Gateway> {
  if (options.provider !== undefined) return start(options.provider);
  const provider = await startFakeProvider();
  provider.always(jsonReply(COMPLETION));
  try {
    return await start(provider);
  } catch (error) {
    await provider.stop();
    throw error;
  }
}

/**
 * A gateway with an endpoint for each of these providers. An endpoint has the name of its provider and validates
 * JSON.
 */
export function borrowGatewayOf(providers: Record<string, JsonObject>): Promise<Gateway> {
  return borrowGateway({
    providers: (base_url) =>
      Object.fromEntries(
        Object.entries(providers).map(([name, provider]) => [
          name,
          { ...provider, base_url, forward_headers: TEST_HEADERS },
        ]),
      ),
    endpoints: Object.keys(providers).map((provider) => ({
      name: provider,
      models: [{ provider, model: 'large', structured_output: true }],
      json_validation: true,
    })),
  });
}
