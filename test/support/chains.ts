import type { JsonObject } from '../../src/core/json.js';
import { type PortReservation, reservePort } from '../../src/local/ports.js';
import { type Borrowed, borrowSluice } from './borrow-sluice.js';
import { type ChatAnswer, chat, chatText, KEY, landedLog, PROJECT } from './chat.js';
import { type FakeProvider, startFakeProvider } from './fake-provider.js';
import { PROVIDER_KEYS } from './provider-keys.js';
import { type Sluice, startSluice } from './start-sluice.js';
import type { Way } from './ways.js';

const PROVIDERS = ['first', 'second', 'third'] as const;

/** The credentials that only their fake providers may see. */
export const CREDENTIALS = { first: PROVIDER_KEYS.FIRST_KEY, second: PROVIDER_KEYS.SECOND_KEY } as const;

/**
 * An endpoint whose models are the providers named, in that order. Each model is named after the endpoint, so that a
 * failure in another test does not cool it down.
 */
export function chainEndpoint(name: string, providers: string[], more: JsonObject = {}): JsonObject {
  return { name, models: providers.map((provider) => ({ provider, model: name })), ...more };
}

/** The JSON Schema that most tests validate against, with a valid and an invalid output. */
export const PERSON: JsonObject = {
  type: 'object',
  properties: { name: { type: 'string' } },
  required: ['name'],
  additionalProperties: false,
};
export const GOOD = '{"name":"Ann"}';
export const BAD = '{"name":12}';

export function wanting(schema: JsonObject | boolean = PERSON): JsonObject {
  return { response_format: { type: 'json_schema', json_schema: { name: 'person', schema } } } as JsonObject;
}

export interface ChainsOptions {
  endpoints: JsonObject[];
  /** Further providers. Members with the same name replace those of the three default ones. */
  providers?: JsonObject;
  /** Other sections of sluice.yaml. */
  settings?: JsonObject;
  environment?: NodeJS.ProcessEnv;
}

/**
 * A running system in front of three fake providers. A fourth provider, `gone`, is configured with a port where
 * nothing listens.
 */
export class Chains {
  constructor(
    readonly sluice: Sluice,
    readonly first: FakeProvider,
    readonly second: FakeProvider,
    readonly third: FakeProvider,
    private readonly closedPort: PortReservation,
    private readonly options: ChainsOptions,
    private readonly release: () => Promise<void>,
  ) {}

  get providers(): FakeProvider[] {
    return [this.first, this.second, this.third];
  }

  /** How many requests each provider got. */
  get tries(): number[] {
    return this.providers.map(({ requests }) => requests.length);
  }

  ask(endpoint: string, body: JsonObject = {}, headers: Record<string, string> = {}): Promise<ChatAnswer> {
    return chat(this.sluice, endpoint, body, headers);
  }

  /** Sends any text as the body. */
  askText(body: string): Promise<ChatAnswer> {
    return chatText(this.sluice, body);
  }

  log(answer: { id: string }): ReturnType<typeof landedLog> {
    return landedLog(this.sluice, answer.id);
  }

  /** The configuration with some providers replaced. */
  configWith(providers: JsonObject): string {
    return configText(this.providers, this.closedPort.port, {
      ...this.options,
      providers: { ...this.options.providers, ...providers },
    });
  }

  reset(): void {
    for (const provider of this.providers) provider.reset();
  }

  async stop(): Promise<void> {
    await this.release();
    await this.closedPort.release();
    for (const provider of this.providers) await provider.stop();
  }
}

export function startChains(options: ChainsOptions): Promise<Chains> {
  return withProviders(options, async (config) => {
    const sluice = await startSluice({ config, environment: { ...PROVIDER_KEYS, ...options.environment } });
    return { sluice, giveBack: () => sluice.stop() };
  });
}

/** Does the same with the system that test files share, one after the other; see `borrowSluice`. */
export function borrowChains(options: Omit<ChainsOptions, 'environment'>, way?: Way): Promise<Chains> {
  return withProviders(options, (config) => borrowSluice(config, way));
}

async function withProviders(
  options: ChainsOptions,
  start: (config: string) => Promise<Borrowed>,
): Promise<Chains> {
  const providers = await Promise.all(PROVIDERS.map(() => startFakeProvider()));
  const closedPort = await reservePort();
  try {
    const { sluice, giveBack } = await start(configText(providers, closedPort.port, options));
    const [first, second, third] = providers as [FakeProvider, FakeProvider, FakeProvider];
    return new Chains(sluice, first, second, third, closedPort, options, giveBack);
  } catch (error) {
    await closedPort.release();
    for (const provider of providers) await provider.stop();
    throw error;
  }
}

/** The configuration as JSON, which is YAML too. */
function configText(providers: FakeProvider[], closedPort: number, options: ChainsOptions): string {
  const [first, second, third] = providers.map(({ baseUrl }) => baseUrl);
  return JSON.stringify({
    providers: {
      first: { api: 'openai', base_url: first, api_key_env: 'FIRST_KEY', headers: { 'x-first': 'yes' } },
      second: {
        api: 'openai',
        base_url: second,
        api_key_env: 'SECOND_KEY',
        forward_headers: ['X-Mine'],
      },
      third: { api: 'openai', base_url: third, forward_headers: ['x-first'] },
      gone: { api: 'openai', base_url: `http://127.0.0.1:${closedPort}/v1` },
      ...options.providers,
    },
    projects: [
      {
        uid: PROJECT,
        name: 'test',
        api_keys: [{ name: 'test', key: KEY, scopes: ['inference', 'feedback', 'logs'] }],
        endpoints: options.endpoints,
      },
    ],
    ...options.settings,
  });
}
