import { systemClock } from '../src/core/clock.js';
import type { JsonObject } from '../src/core/json.js';
import { type AnswerCacheSettings, SESSION_MARKS, type TrafficLimit } from '../src/core/settings.js';
import { conversationStart } from '../src/dialects/conversation-start.js';
import { enterFirstProvider } from '../src/pipeline/attempt/enter-provider.js';
import { admit } from '../src/pipeline/request/admit.js';
import { cacheKey } from '../src/pipeline/request/cache-key.js';
import { lookUpAnswer } from '../src/pipeline/request/look-up-answer.js';
import { receive } from '../src/pipeline/request/receive.js';
import { type Answer, grant } from '../src/policy/limits/lease.js';
import { LeaseKeeper } from '../src/policy/limits/lease-keeper.js';
import { TrafficLimits } from '../src/policy/limits/traffic-limits.js';
import { stickyValue } from '../src/policy/sticky/sticky-value.js';
import { planAttempts } from '../src/routing/plan.js';
import { completion, requestBody, TestPipeline } from '../test/support/pipeline.js';

/*
 * What a traffic policy costs per request, in microseconds of one thread, without Envoy and MongoDB. The median of
 * the rounds counts. Run it with `npm run bench -- policy`.
 */
const ROUNDS = 15;
const TIMES = 20_000;
const PROJECT = '00000000-0000-4000-8000-000000000000';
const key = { id: 'k', hash: 'abcdef0123', managed_by: 'file' as const };
const facts = (user: number) => ({
  projectUid: 'p',
  key,
  endpoint: 'support',
  tags: ['tier:free'],
  metadata: { user: `user-${user % 1_000}` },
});
const expected = {
  hasNext: true,
  tokens: {
    input: 20,
    maxOutput: 100,
    choices: 1,
    costOf: (input: number, output: number) => (input + output) / 1e6,
  },
};
const usage = { input_tokens: 20, output_tokens: 40 };
const silent = { warn: () => {}, info: () => {} };

/** The median of the rounds, in microseconds a call. */
function measure(work: (index: number) => void): number {
  const rounds: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const start = performance.now();
    for (let index = 0; index < TIMES; index++) work(index);
    rounds.push(((performance.now() - start) * 1_000) / TIMES);
  }
  rounds.sort((one, other) => one - other);
  return Number(rounds[Math.floor(ROUNDS / 2)]!.toFixed(2));
}

function limiting(limits: TrafficLimit[], traffic: TrafficLimits): (index: number) => void {
  return (index) => {
    const admission = traffic.admit(limits, facts(index), expected, Date.now());
    admission.headers(Date.now());
    admission.records();
    admission.settle(usage, 0.0001, true);
  };
}

const limit = (more: Partial<TrafficLimit>): TrafficLimit => ({
  per: 'key',
  action: 'reject',
  shared: false,
  ...more,
});
const many = { requests: 1e12, window: 'month' } as const;
const local = new TrafficLimits({ engine: 'bench', parted: false });
const keeper = new LeaseKeeper({
  engine: 'bench',
  group: 'bench',
  store: {
    exchange: async (_engine, asks) => asks.map((ask): Answer => grant([], undefined, ask, Date.now())),
  },
  clock: systemClock,
  logger: silent,
});
const shared = new TrafficLimits({ engine: 'bench', parted: false, leases: keeper });

const models = ['a', 'b', 'c'].map((model) => ({
  provider: 'p',
  model,
  structured_output: false,
  weight: 1,
}));
const plan = (value?: string) =>
  planAttempts({
    models,
    tags: [],
    metadata: {},
    logId: '0190a5f0-0000-7000-8000-000000000000',
    ...(value === undefined ? {} : { stickyValue: value }),
    isConfigured: () => true,
    isCooling: () => false,
  });
const sticky = { by: ['metadata.session_id', 'header.x-session-id'] };
const conversation = { by: [...SESSION_MARKS] };
/** A request as coding agents send it: a long first message, followed by many turns. */
const request = JSON.parse(
  JSON.stringify({
    messages: Array.from({ length: 60 }, (_none, turn) => ({
      role: turn % 2 === 0 ? 'user' : 'assistant',
      content: [{ type: 'text', text: `${turn} ${'Fix the test that fails. '.repeat(400)}` }],
    })),
  }),
) as JsonObject;
const stickyFacts = {
  metadata: {},
  headers: { 'x-session-id': '0190a5f0-0000-7000-8000-000000000000' },
  conversationStart: () => conversationStart(request),
};
const withoutSession = { ...stickyFacts, headers: {} };
const drawn = measure(() => plan());

const results: Record<string, number> = {
  'a local limit of requests': measure(limiting([limit(many)], local)),
  'a local limit of tokens, per user': measure(
    limiting([limit({ per: 'metadata.user', tokens: 1e12, window: 'month' })], local),
  ),
  'a shared limit of costs': measure(
    limiting([limit({ cost_usd: 1e9, window: 'month', shared: true })], shared),
  ),
  'sticky by a header, over a draw by log id': Number(
    (measure(() => plan(`${PROJECT}/${stickyValue(sticky, stickyFacts)!.value}`)) - drawn).toFixed(2),
  ),
  'sticky by the beginning of a conversation, over a draw by log id': Number(
    (measure(() => plan(`${PROJECT}/${stickyValue(conversation, withoutSession)!.value}`)) - drawn).toFixed(
      2,
    ),
  ),
};
await keeper.stop();
Object.assign(results, await cacheCosts(), await costsOfNothing());

/**
 * What a request pays where nothing is configured: no limits in the project, no cache in the endpoint, no
 * `max_concurrent` in the provider. It measures the steps that check for these, minus two turns of the measuring loop
 * itself.
 */
async function costsOfNothing(): Promise<Record<string, number>> {
  const pipeline = new TestPipeline();
  const { services } = pipeline;
  const exchange = pipeline.exchange();
  await receive(exchange, requestBody({}), services);
  const endpoint = exchange.endpoint!;
  const asked = await measureTurns(async () => {
    if (exchange.project.limits !== undefined) await admit(exchange, endpoint, services);
    if (endpoint.cache !== undefined) await lookUpAnswer(exchange, services);
    await enterFirstProvider(exchange, services);
  });
  const nothing = await measureTurns(async () => {});
  return { 'all of it, where nothing is configured': Number((asked - nothing).toFixed(2)) };
}

/** Like `measure`, for asynchronous work. */
async function measureTurns(work: () => Promise<void>): Promise<number> {
  const rounds: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const start = performance.now();
    for (let index = 0; index < TIMES; index++) await work();
    rounds.push(((performance.now() - start) * 1_000) / TIMES);
  }
  return rounds.sort((one, other) => one - other)[Math.floor(ROUNDS / 2)]!;
}

/** What a cache miss adds to a request: building its key, looking it up, and keeping the answer. */
async function cacheCosts(): Promise<Record<string, number>> {
  const settings: AnswerCacheSettings = {
    ttl_s: 60,
    scope: 'key',
    vary_by: ['locale'],
    coalesce: true,
    shared: false,
  };
  const pipeline = new TestPipeline({ endpoint: { cache: settings } });
  const exchange = pipeline.exchange();
  const messages = [{ role: 'user', content: 'Where is my parcel? '.repeat(100) }];
  await receive(exchange, requestBody({ messages, metadata: { locale: 'de' } }), pipeline.services);
  const { cache } = pipeline.services;
  const body = completion('On its way. '.repeat(80));
  const dialect = exchange.dialect;
  const answer = {
    logId: 'log',
    dialect,
    provider: 'local',
    model: 'large',
    contentType: 'application/json',
    body,
  };
  return {
    'a miss of the cache, with 2 KiB asked and 1 KiB answered': measure((index) => {
      const key = `${cacheKey(exchange, exchange.endpoint!.cache!, pipeline.services)}${index}`;
      cache.find(key);
      const over = cache.ask(key);
      cache.keep(key, { ...answer, body: Buffer.from(body) }, 60_000);
      over();
    }),
  };
}

for (const [what, microseconds] of Object.entries(results)) console.log(`${what}: ${microseconds} µs`);
