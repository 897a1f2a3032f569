import { expect, it } from 'vitest';
import type { JsonObject } from '../../../src/core/json.js';
import { LIMITED, type LimitedKind } from '../../../src/core/settings.js';
import { waitFor } from '../../../src/local/processes/wait.js';
import { fixtureReply, isStream } from '../dialect-provider.js';
import { type Answer, type Gateway, PROJECT, TEST_HEADERS } from '../gateway.js';
import { MIXED_PRICE } from '../mixed-traffic.js';
import { jsonReply, type Reply, streamReply } from '../replies.js';

/*
 * Each row of the traffic policy in each API, plain and streamed, through two engines on one MongoDB. Client and provider
 * speak the same API, so each reads the usage and the first text of its own answers.
 */

/** The API's paths below the project, for requests to an endpoint whose name begins with `name`. */
interface Api {
  provider: 'openai' | 'anthropic' | 'gemini';
  call(name: string, stream: boolean): [path: string, body: JsonObject];
  modes: readonly boolean[];
}

const TEXT = 'Why is the sky blue?';
const BOTH = [false, true];
const CONVERSATIONS: Record<string, Api> = {
  chat: {
    provider: 'openai',
    modes: BOTH,
    call: (model, stream) => [
      'openai/v1/chat/completions',
      { model, messages: [{ role: 'user', content: TEXT }], stream },
    ],
  },
  responses: {
    provider: 'openai',
    modes: BOTH,
    call: (model, stream) => ['openai/v1/responses', { model, input: TEXT, stream }],
  },
  messages: {
    provider: 'anthropic',
    modes: BOTH,
    call: (model, stream) => [
      'anthropic/v1/messages',
      { model, max_tokens: 50, messages: [{ role: 'user', content: TEXT }], stream },
    ],
  },
  gemini: {
    provider: 'gemini',
    modes: BOTH,
    call: (model, stream) => [
      `gemini/v1beta/models/${model}:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
      { contents: [{ role: 'user', parts: [{ text: TEXT }] }] },
    ],
  },
};
const ALL: Record<string, Api> = {
  ...CONVERSATIONS,
  completions: {
    provider: 'openai',
    modes: BOTH,
    call: (model, stream) => ['openai/v1/completions', { model, prompt: TEXT, stream }],
  },
  embeddings: {
    provider: 'openai',
    modes: [false],
    call: (model) => ['openai/v1/embeddings', { model, input: TEXT }],
  },
};

/** One API, plain or streamed. */
interface Case {
  name: string;
  api: Api;
  stream: boolean;
}

function casesOf(apis: Record<string, Api>): Case[] {
  return Object.entries(apis).flatMap(([name, api]) =>
    api.modes.map((stream) => ({ name: `${name}${stream ? ' streamed' : ''}`, api, stream })),
  );
}

const ACTIONS = ['reject', 'fallback', 'warn'] as const;
const OUTCOMES = { reject: 'rejected', fallback: 'fallback', warn: 'warned' } as const;
/** An amount of each limit that one answer uses up. */
const AMOUNTS: Record<LimitedKind, JsonObject> = {
  requests: { requests: 1, window: 'month' },
  tokens: { tokens: 1, window: 'month' },
  cost_usd: { cost_usd: 1e-6, window: 'month' },
  concurrent: { concurrent: 1 },
};
const PROVIDERS = ['openai', 'anthropic', 'gemini'] as const;
/** Longer than a busy machine needs for the first text of the other model. */
const LATE_MS = 2_500;

/** What the rows need in the project's configuration. */
export const POLICY_ROWS = {
  limits: LIMITED.flatMap((kind) =>
    ACTIONS.map((action) => ({
      per: `metadata.${kind}_${action}`,
      ...AMOUNTS[kind],
      action,
      shared: true,
    })),
  ),
  providers: (url: string): JsonObject =>
    Object.fromEntries(
      PROVIDERS.flatMap((api) => {
        const provider = {
          api,
          base_url: api === 'gemini' ? url.replace(/v1$/, 'v1beta') : url,
          api_key_env: 'FAKE_KEY',
          forward_headers: TEST_HEADERS,
          prices: Object.fromEntries(['first', 'second', 'silent'].map((model) => [model, MIXED_PRICE])),
          ...(api === 'openai' ? { responses: true } : {}),
        };
        return [
          [`rows-${api}`, provider],
          [`narrow-${api}`, { ...provider, max_concurrent: 1 }],
        ];
      }),
    ),
  endpoints: PROVIDERS.flatMap((api): JsonObject[] => {
    const models = (...names: string[]) => names.map((model) => ({ provider: `rows-${api}`, model }));
    const weighted = models('first', 'second').map((model) => ({ ...model, weight: 1 }));
    return [
      {
        name: `rows-${api}`,
        models: models('first', 'second'),
        // The check of the configuration wants this for embeddings.
        ...(api === 'openai' ? { same_vectors: true } : {}),
      },
      { name: `sticky-${api}`, models: weighted, sticky: { by: ['metadata.session_id'] } },
      { name: `cached-${api}`, models: models('first'), cache: { ttl_s: 600 } },
      { name: `late-${api}`, models: models('silent', 'second'), first_token_timeout_ms: LATE_MS },
      { name: `narrow-${api}`, models: [{ provider: `narrow-${api}`, model: 'first' }] },
    ];
  }),
};

/** Requests whose answers the provider holds back, by the value of a header. */
class Holds {
  readonly #holds = new Map<string, { begun: () => void; released: Promise<void> }>();

  /** Returns the header for a request to hold back, a promise that it has begun, and a function that releases it. */
  add(name: string): { header: string; begun: Promise<void>; release: () => void } {
    let begin!: () => void;
    let release!: () => void;
    const begun = new Promise<void>((resolve) => {
      begin = resolve;
    });
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    this.#holds.set(name, { begun: begin, released });
    return { header: name, begun, release };
  }

  readonly reply: Reply = async (response, request) => {
    const hold = this.#holds.get(String(request.headers['x-case']));
    hold?.begun();
    await hold?.released;
    const isSilent = request.path.includes('/silent:') || request.json().model === 'silent';
    if (isSilent) return;
    await answerOf(request.path, isStream(request))(response, request);
  };
}

const USAGE = { prompt_tokens: 6, completion_tokens: 2, total_tokens: 8 };

function answerOf(path: string, stream: boolean): Reply {
  if (path.endsWith('/embeddings')) {
    const data = [{ object: 'embedding', index: 0, embedding: [0.5] }];
    return jsonReply({ object: 'list', data, model: 'm', usage: { prompt_tokens: 6, total_tokens: 6 } });
  }
  if (!/[^t]\/completions$/.test(path)) return fixtureReply('text');
  const choices = [{ index: 0, text: 'Rayleigh', logprobs: null, finish_reason: 'stop' }];
  const completion = { id: 'cmpl-1', object: 'text_completion', created: 1, model: 'm' };
  if (!stream) return jsonReply({ ...completion, choices, usage: USAGE });
  const frames = [
    { ...completion, choices },
    { ...completion, choices: [], usage: USAGE },
  ];
  return streamReply([...frames.map((frame) => `data: ${JSON.stringify(frame)}\n\n`), 'data: [DONE]\n\n']);
}

interface RowLog {
  _id: string;
  status: string;
  attempts: object[];
  limits?: { kind: string; outcome: string }[];
  sticky?: { by: string; kept: boolean };
  cached_from?: string;
}

/** Like `Promise.all`, but rejects only after all requests have ended. */
async function together(work: readonly Promise<void>[]): Promise<void> {
  const results = await Promise.allSettled(work);
  const failed = results.find((result) => result.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}

/** `pair`: two engines on one MongoDB with one provider, and `POLICY_ROWS` in their configuration. */
export function policyRows(pair: () => readonly [one: Gateway, two: Gateway]): void {
  const holds = new Holds();

  function ask(
    gateway: Gateway,
    { api, stream }: Case,
    endpoint: string,
    { metadata, hold = '' }: { metadata?: JsonObject; hold?: string } = {},
  ): Promise<Answer> {
    const [path, body] = api.call(`${endpoint}-${api.provider}`, stream);
    return gateway.call('POST', `/${PROJECT}/${path}`, {
      body: metadata === undefined ? body : { ...body, metadata },
      headers: { 'x-case': hold },
    });
  }

  /** Reads from MongoDB directly, which costs less than the admin API. */
  async function logOf({ id }: Answer): Promise<RowLog> {
    const logs = pair()[0].sluice.database.collection<RowLog>('logs');
    const found = async () => (await logs.findOne({ _id: id })) ?? undefined;
    return waitFor(`the log ${id} lands`, found, { timeoutMs: 20_000, intervalMs: 50 });
  }

  /** The status, and the error's text. */
  async function statusOf(asked: Promise<Answer>): Promise<[status: number, problem: string]> {
    const { status, text } = await asked;
    return [status, status === 200 ? '' : text];
  }

  const modelOf = ({ headers }: Answer) => headers.get('x-sluice-model')?.split('/').at(-1);

  /** One answer through the first engine uses up the limit. Then the second engine does what the action says. */
  async function limitRow(kind: LimitedKind, action: (typeof ACTIONS)[number], one: Case): Promise<void> {
    const [first, second] = pair();
    const metadata = { [`${kind}_${action}`]: one.name };
    const hold = kind === 'concurrent' ? holds.add(`${kind} ${action} ${one.name}`) : undefined;
    const asked = ask(first, one, 'rows', { metadata, hold: hold?.header });
    if (hold === undefined) expect(await statusOf(asked), one.name).toEqual([200, '']);
    else await hold.begun;
    // For the milliseconds until its lease arrives an engine has a small share of its own, which is one request.
    const { answer, log } = await waitFor(
      `${kind} ${action} ${one.name}: the other engine knows`,
      async () => {
        const answer = await ask(second, one, 'rows', { metadata });
        const log = await logOf(answer);
        return log.limits?.[0]?.outcome !== 'passed' && { answer, log };
      },
      { timeoutMs: 20_000 },
    );
    expect(log.limits, one.name).toMatchObject([{ kind, outcome: OUTCOMES[action] }]);
    if (action === 'reject') {
      expect(answer.status).toBe(429);
      const code = kind === 'cost_usd' ? 'budget_exceeded' : 'rate_limited';
      expect(answer.headers.get('x-sluice-help')).toBe(`docs/errors.md#${code}`);
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(log).toMatchObject({ status: 'rejected', attempts: [] });
    } else {
      expect([answer.status, modelOf(answer)]).toEqual([200, action === 'fallback' ? 'second' : 'first']);
    }
    if (hold === undefined) return;
    hold.release();
    expect((await asked).status).toBe(200);
    await waitFor(
      `${one.name}: it is free again`,
      async () =>
        (await logOf(await ask(second, one, 'rows', { metadata }))).limits?.[0]?.outcome === 'passed',
      { timeoutMs: 20_000 },
    );
  }

  it.each(LIMITED)('limit %s in each API, plain and streamed: reject, fall back and warn', async (kind) => {
    pair()[0].provider.always(holds.reply);
    const cases = casesOf(ALL);
    await together(ACTIONS.flatMap((action) => cases.map((one) => limitRow(kind, action, one))));
  });

  it('draw the same model for a session, in each API, plain and streamed', async () => {
    const [first, second] = pair();
    first.provider.always(holds.reply);
    await together(
      casesOf(CONVERSATIONS).map(async (one) => {
        const models = new Set<string | undefined>();
        for (let session = 0; session < 6; session++) {
          const metadata = { session_id: `${session}` };
          const answer = await ask(first, one, 'sticky', { metadata });
          models.add(modelOf(answer));
          expect(modelOf(await ask(second, one, 'sticky', { metadata })), one.name).toBe(modelOf(answer));
          if (session > 0) continue;
          expect((await logOf(answer)).sticky).toEqual({ by: 'metadata.session_id', kept: true });
        }
        expect([...models].sort()).toEqual(['first', 'second']);
      }),
    );
  });

  it('give an answer again, each engine its own, in each API, plain and streamed', async () => {
    const [first, second] = pair();
    first.provider.always(holds.reply);
    await together(
      casesOf(CONVERSATIONS).map(async (one) => {
        const stateOf = ({ headers }: Answer) => headers.get('x-sluice-cache');
        const asked = await ask(first, one, 'cached');
        const again = await ask(first, one, 'cached');
        expect([stateOf(asked), stateOf(again)], one.name).toEqual(['miss', 'hit']);
        expect(again.headers.get('content-type')).toBe(asked.headers.get('content-type'));
        const withoutIds = ({ text, id }: Answer) => text.replaceAll(id, '');
        expect(withoutIds(again)).toBe(withoutIds(asked));
        expect(again.text).toContain('Rayleigh');
        expect(await logOf(again)).toMatchObject({ cached_from: asked.id, attempts: [] });
        expect(stateOf(await ask(second, one, 'cached'))).toBe('miss');
      }),
    );
  });

  it('go on to the next model where the first text of a stream is late, in each API', async () => {
    pair()[0].provider.always(holds.reply);
    const streams = casesOf(CONVERSATIONS).filter(({ stream }) => stream);
    await together(
      streams.flatMap((one) =>
        pair().map(async (gateway) => {
          const answer = await ask(gateway, one, 'late');
          expect([answer.status, modelOf(answer)], one.name).toEqual([200, 'second']);
          expect(answer.text).toContain('Rayleigh');
          expect(answer.headers.get('x-sluice-attempts')).toBe('2');
        }),
      ),
    );
  });

  it('send a provider so many at a time, each engine for itself, in each API, plain and streamed', async () => {
    const [first, second] = pair();
    first.provider.always(holds.reply);
    for (const one of casesOf(CONVERSATIONS)) {
      const hold = holds.add(`narrow ${one.name}`);
      const held = ask(first, one, 'narrow', { hold: hold.header });
      await hold.begun;
      const refused = await ask(first, one, 'narrow');
      expect(refused.status, one.name).toBe(503);
      expect(refused.headers.get('x-sluice-help')).toBe('docs/errors.md#overloaded');
      expect((await ask(second, one, 'narrow')).status).toBe(200);
      hold.release();
      expect((await held).status).toBe(200);
      await waitFor('a place is free', async () => (await ask(first, one, 'narrow')).status === 200, {
        timeoutMs: 10_000,
      });
    }
  });
}
