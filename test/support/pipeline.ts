import type { Clock } from '../../src/core/clock.js';
import type { ApiKey, Project } from '../../src/core/directory.js';
import { SluiceError } from '../../src/core/errors.js';
import type { LogRecord } from '../../src/core/log-record.js';
import type { LogAmendment } from '../../src/core/log-sink.js';
import { BodiesInFlight } from '../../src/core/pacing/bodies-in-flight.js';
import { Secret } from '../../src/core/secret.js';
import type { Endpoint, Limits, Provider } from '../../src/core/settings.js';
import { dialectById } from '../../src/dialects/index.js';
import { prepareAttempt } from '../../src/pipeline/attempt/prepare-attempt.js';
import { LogPhase } from '../../src/pipeline/end/log-phase.js';
import { Exchange, type ExchangeStart } from '../../src/pipeline/exchange/exchange.js';
import type { AnswerHead, AnswerOutlet, Reply } from '../../src/pipeline/exchange/http.js';
import type { Services } from '../../src/pipeline/exchange/ports.js';
import type { Plugin } from '../../src/plugins/contract/plugin.js';
import { createPluginHost } from '../../src/plugins/runtime/host.js';
import { AnswerCache } from '../../src/policy/cache/answer-cache.js';
import { ProviderGates } from '../../src/policy/concurrency/provider-gates.js';
import { TrafficLimits } from '../../src/policy/limits/traffic-limits.js';
import { Cooling } from '../../src/routing/cooling.js';
import { passOnTrace } from '../../src/telemetry/traces/exchange-trace.js';
import type { OutputValidation } from '../../src/validation/validation.js';
import { endpointOf } from './endpoint.js';
import { pluginEntry } from './plugin-host.js';
import { ScriptedProviders } from './scripted-providers.js';
import { silentLogger } from './silent-logger.js';

/** A clock that stands still until a test moves it. */
class StoppedClock implements Clock {
  #now = 1_700_000_000_000;

  now(): number {
    return this.#now;
  }

  monotonic(): number {
    return this.#now - 1_699_999_000_000;
  }

  pass(ms: number): void {
    this.#now += ms;
  }
}

export const LIMITS: Limits = {
  request_body_bytes: 10_000,
  response_body_bytes: 10_000,
  schema_bytes: 1_000,
  metadata_bytes: 100,
  body_values: 1_000,
  bodies_in_flight_bytes: 100_000,
  feedback_per_log: 10,
};

export const ENDPOINT: Endpoint = endpointOf({
  models: [{ provider: 'local', model: 'large', structured_output: true }],
  timeout_ms: 1_000,
  total_timeout_ms: 5_000,
  stream_idle_timeout_ms: 300,
});

const PROVIDER: Provider = {
  name: 'local',
  api: 'openai',
  base_url: 'http://127.0.0.1:9/v1',
  credential: new Secret('provider-secret-of-many-letters'),
  headers: {},
  forward_headers: [],
  responses: false,
  prices: { large: { input_per_mtok: 2, output_per_mtok: 10 } },
};

export const KEY: ApiKey = {
  id: 'key',
  name: 'key',
  hash: '',
  prefix: 'sk',
  scopes: ['inference'],
  managed_by: 'file',
};

function projectWith(endpoint: Endpoint): Project {
  return {
    uid: '00000000-0000-4000-8000-000000000001',
    name: 'demo',
    enabled: true,
    managed_by: 'file',
    endpoints: new Map([[endpoint.name, endpoint]]),
  };
}

export interface PipelineOptions {
  endpoint?: Partial<Endpoint>;
  /** The plugins of the endpoint, which run in this order. */
  plugins?: Plugin<unknown>[];
  limits?: Partial<Limits>;
  /** Replaces the validation of outputs. By default only the output `{"ok":true}` is valid. */
  validation?: OutputValidation;
}

/** The pipeline with ports that a test can examine: the appended logs, and the clock. */
export class TestPipeline {
  readonly clock = new StoppedClock();
  readonly records: LogRecord[] = [];
  readonly amendments: LogAmendment[] = [];
  /** The calls that the engine itself sends to providers. A test answers them. */
  readonly providers = new ScriptedProviders();
  /** Set by a test to say that the spool has no room. */
  full = false;
  readonly endpoint: Endpoint;
  readonly services: Services;
  readonly logPhase: LogPhase;
  #ids = 0;

  constructor(options: PipelineOptions = {}) {
    const { plugins: own = [] } = options;
    this.endpoint = {
      ...ENDPOINT,
      plugins: own.map(({ name }) => pluginEntry(name, { timeout_ms: 1_000 })),
      ...options.endpoint,
    };
    const plugins = createPluginHost({ plugins: own, clock: this.clock });
    const prepared = plugins.prepare(this.endpoint.plugins);
    if ('mistakes' in prepared) throw new Error(JSON.stringify(prepared.mistakes));
    const limits = { ...LIMITS, ...options.limits };
    const project = projectWith(this.endpoint);
    const services: Omit<Services, 'logPhase'> = {
      clock: this.clock,
      directory: {
        project: (uid) => (uid === project.uid ? project : undefined),
        provider: (name) => (name === PROVIDER.name ? PROVIDER : undefined),
        authenticate: (uid, text) => (uid === project.uid && text === 'sk-test' ? KEY : undefined),
        authenticateAdmin: () => undefined,
      },
      sink: {
        append: async (record) => {
          if (this.full) throw new SluiceError('spool_full', 'There is no room.');
          this.records.push(record);
        },
        amend: async (amendment) => {
          this.amendments.push(amendment);
        },
        accepts: () => !this.full,
      },
      validation: options.validation ?? okValidation,
      plugins,
      pluginsOf: () => prepared.plugins,
      cooling: new Cooling(this.clock),
      gates: new ProviderGates(),
      cache: new AnswerCache(this.clock),
      traffic: new TrafficLimits({ engine: 'test', parted: false }),
      telemetry: {
        startExchange: passOnTrace,
        observe: () => {},
        observeLogPhase: () => {},
      },
      limits: () => limits,
      bodies: new BodiesInFlight(() => limits.bodies_in_flight_bytes),
      providers: this.providers,
      newLogId: () => `log-${++this.#ids}`,
      logger: silentLogger,
    };
    this.logPhase = new LogPhase(services, 'this-engine');
    this.services = Object.assign(services, { logPhase: this.logPhase });
  }

  /** An exchange whose key was accepted. */
  exchange(changes: Partial<ExchangeStart> = {}): Exchange {
    return new Exchange({
      id: this.services.newLogId(),
      call: 'answer',
      dialect: dialectById('openai.chat'),
      project: projectWith(this.endpoint),
      key: KEY,
      headers: {},
      clientRequestId: null,
      trace: passOnTrace({}),
      bodies: this.services.bodies.open(),
      startedAt: this.clock.now(),
      startedMonotonic: this.clock.monotonic(),
      ...changes,
    });
  }

  /** The next attempt of a received exchange. */
  attempt(exchange: Exchange): ReturnType<typeof prepareAttempt> {
    if (exchange.state === 'receiving') exchange.move('forwarded');
    return prepareAttempt(exchange, this.services);
  }
}

const okValidation: OutputValidation = {
  prepare: async () => ({
    check: async (value) =>
      value === '{"ok":true}' ? { valid: true } : { valid: false, path: '/ok', message: 'must be true' },
  }),
  close: async () => {},
};

/** Collects what a client would get. */
export class TestOutlet implements AnswerOutlet {
  status?: number;
  headers: Record<string, string> = {};
  removed: readonly string[] = [];
  text = '';
  ended = false;

  head(status: number, set: Record<string, string>, remove: readonly string[]): void {
    this.#expectOpen();
    this.status = status;
    this.headers = set;
    this.removed = remove;
  }

  body(bytes: Buffer): void {
    if (this.status === undefined || this.ended) throw new Error('a body out of place');
    this.text += bytes.toString('utf8');
  }

  end(last?: Buffer): void {
    if (this.ended) throw new Error('ended twice');
    if (last !== undefined) this.body(last);
    this.ended = true;
  }

  reply(reply: Reply): void {
    this.#expectOpen();
    this.status = reply.status;
    this.headers = reply.headers;
    this.text = reply.body;
    this.ended = true;
  }

  get json(): ReturnType<typeof JSON.parse> {
    return JSON.parse(this.text);
  }

  #expectOpen(): void {
    if (this.status !== undefined || this.ended) throw new Error('a second head');
  }
}

export function requestBody(changes: object = {}): Buffer {
  return Buffer.from(
    JSON.stringify({ model: 'support', messages: [{ role: 'user', content: 'Where is it?' }], ...changes }),
  );
}

export function jsonHead(status = 200, headers: Record<string, string> = {}): AnswerHead {
  return { status, headers: { 'content-type': 'application/json', ...headers } };
}

export function streamHead(headers: Record<string, string> = {}): AnswerHead {
  return { status: 200, headers: { 'content-type': 'text/event-stream', ...headers } };
}

export function completion(content: string): Buffer {
  const message = { role: 'assistant', content };
  const usage = { prompt_tokens: 5, completion_tokens: 2 };
  return Buffer.from(
    JSON.stringify({
      id: 'a',
      model: 'large',
      choices: [{ index: 0, message, finish_reason: 'stop' }],
      usage,
    }),
  );
}

export function streamChunk(content: string, finish: string | null = null): Buffer {
  const choices = [{ index: 0, delta: { content }, finish_reason: finish }];
  return Buffer.from(`data: ${JSON.stringify({ id: 'a', model: 'large', choices })}\n\n`);
}

export const STREAM_END = Buffer.from('data: [DONE]\n\n');
