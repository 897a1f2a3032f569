import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { Agent, request } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/core/json.js';
import { waitFor } from '../../src/local/processes/wait.js';
import { seededRandom, seedOfRun } from '../support/faults/seeded-random.js';
import { CHAT_PATH, COMPLETION, type Gateway, KEYS, MESSAGES, startGateway } from '../support/gateway.js';
import { jsonReply, type Reply } from '../support/replies.js';
import { missingPrograms } from '../support/start-sluice.js';
import { type FuzzCase, KINDS, makeCase, PROVIDERS, SECRET } from './cases.js';

const SECONDS = Number(process.env.FUZZ_SECONDS ?? 600);
/** By how much the honest client's p99 may grow. */
const P99_GROWTH_MS = Number(process.env.FUZZ_P99_MS ?? 100);
const AT_ONCE = 4;
const ANSWER_MS = 60_000;
const HONEST_PACE_MS = 20;
const TRACE = /^00-([0-9a-f]{32})-/;

const PROVIDER_APIS: Record<(typeof PROVIDERS)[number], JsonObject> = {
  'openai-chat': { api: 'openai' },
  'openai-responses': { api: 'openai', responses: true },
  'anthropic-messages': { api: 'anthropic' },
};

const guard = {
  plugin: 'pii_detection',
  config: { entities: ['CREDIT_CARD'] },
  on_error: 'reject',
  timeout_ms: 60_000,
};

function endpointOf(kind: (typeof KINDS)[number], provider: string): JsonObject {
  const models = ['m', 'n'].map((model) => ({ provider, model, structured_output: true }));
  return {
    name: `${kind}-${provider}`,
    models: kind.endsWith('chain') ? models : models.slice(0, 1),
    json_validation: kind === 'checked',
    timeout_ms: 20_000,
    plugins: kind.startsWith('guarded') ? [guard] : [],
  };
}

const seed = seedOfRun();

describe.skipIf(missingPrograms !== null)(`structured garbage (SEED=${seed}, ${SECONDS} s)`, () => {
  const agent = new Agent({ connections: AT_ONCE, bodyTimeout: ANSWER_MS, headersTimeout: ANSWER_MS });
  const cases = new Map<string, FuzzCase>();
  const problems: string[] = [];
  let gateway: Gateway;
  let honest: HonestClient;

  beforeAll(async () => {
    console.log(`fuzz with SEED=${seed}`);
    gateway = await startGateway({
      providers: (base_url) =>
        Object.fromEntries(PROVIDERS.map((name) => [name, { ...PROVIDER_APIS[name], base_url }])),
      endpoints: KINDS.flatMap((kind) => PROVIDERS.map((provider) => endpointOf(kind, provider))),
    });
    gateway.provider.always(replyToAny);
    honest = new HonestClient(gateway);
  });
  afterAll(async () => {
    honest?.stop();
    await agent.close();
    await gateway?.stop();
  });

  it('harms neither engine nor Envoy, leaves no request without answer and log, and passes no guard', async () => {
    const { engine, envoy } = gateway.sluice;
    const pids = [engine.pid, envoy.pid];
    const before = await honest.measure(Math.min(30, Math.max(2, SECONDS / 10)) * 1000);
    const random = seededRandom(seed);
    const ids = new Set<string>();
    const end = performance.now() + SECONDS * 1000;
    let sent = 0;
    honest.clear();
    const worker = async () => {
      while (performance.now() < end && problems.length < 10) {
        const number = sent++;
        const id = await send(makeCase(random), number);
        if (id !== undefined) ids.add(id);
        gateway.provider.requests.length = 0;
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
    const during = honest.figures();
    console.log(JSON.stringify({ sent, logs: ids.size, honest: { before, during } }));
    expect(problems).toEqual([]);
    expect([engine.running, envoy.running, engine.pid, envoy.pid]).toEqual([true, true, ...pids]);
    await expectLogs(ids);
    expect(during.failed).toBe(0);
    expect(during.p99 - before.p99).toBeLessThan(P99_GROWTH_MS);
  });

  /** The provider finds a request's case by its trace, which goes on to it. */
  const replyToAny: Reply = async (response, received) => {
    const trace = TRACE.exec(String(received.headers.traceparent))?.[1] ?? '';
    const fuzz = cases.get(trace);
    if (fuzz === undefined) return jsonReply(COMPLETION)(response, received);
    if (fuzz.secretInRequest && received.text.includes(SECRET)) tell('a secret reached the provider', fuzz);
    const { status, type, body, writes, breaksOff } = fuzz.reply;
    response.writeHead(status, { 'content-type': type });
    for (const piece of piecesOf(body, writes)) {
      response.write(piece);
      await new Promise((resume) => setImmediate(resume));
    }
    if (breaksOff) response.socket?.resetAndDestroy();
    else response.end();
  };

  /** Gives the id of the log that must land. */
  async function send(fuzz: FuzzCase, number: number): Promise<string | undefined> {
    const trace = (BigInt(seed) * 2n ** 64n + BigInt(number) + 1n).toString(16).padStart(32, '0');
    cases.set(trace, fuzz);
    try {
      const answer = await request(`${gateway.sluice.gatewayUrl}${fuzz.path}`, {
        dispatcher: agent,
        method: 'POST',
        headers: {
          authorization: `Bearer ${KEYS.all}`,
          'content-type': 'application/json',
          traceparent: `00-${trace}-00f067aa0ba902b7-00`,
          ...fuzz.headers,
        },
        body: fuzz.body,
      });
      // A provider that breaks off after some of its answer ends the client's answer so too.
      const text = await answer.body.text().catch((error) => {
        if (!fuzz.reply.breaksOff) tell(`an answer broke off: ${error}`, fuzz);
        return '';
      });
      if (fuzz.secretInReply && text.includes(SECRET)) tell('a secret reached the client', fuzz);
      if (text.includes('An internal error occurred')) tell(`an internal error: ${text.slice(0, 300)}`, fuzz);
      if (answer.statusCode === 503 && text.includes('engine_unavailable')) tell('no engine', fuzz);
      return answer.statusCode === 415 ? undefined : headerOf(answer.headers['x-inference-log-id']);
    } catch (error) {
      if (!fuzz.reply.breaksOff) tell(`no answer: ${error}`, fuzz);
      return undefined;
    } finally {
      cases.delete(trace);
    }
  }

  function tell(what: string, fuzz: FuzzCase): void {
    const shown = (bytes: Buffer) => bytes.toString('utf8').slice(0, 3_000);
    problems.push(what);
    console.error(
      `${what} (SEED=${seed})\n${fuzz.path}\n${shown(fuzz.body)}\n--- ${fuzz.reply.status} ${fuzz.reply.type}\n${shown(fuzz.reply.body)}\n`,
    );
  }

  async function expectLogs(ids: ReadonlySet<string>): Promise<void> {
    const logs = gateway.sluice.database.collection<{ _id: string }>('logs');
    const missing = async () => {
      const found = await logs.find({ _id: { $in: [...ids] } }, { projection: { _id: 1 } }).toArray();
      return ids.size - found.length;
    };
    await waitFor('all logs land', async () => (await missing()) === 0, { timeoutMs: 60_000 });
  }
});

function headerOf(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value;
}

function piecesOf(body: Buffer, count: number): Buffer[] {
  const size = Math.max(1, Math.ceil(body.length / count));
  return Array.from({ length: Math.ceil(body.length / size) }, (_, at) =>
    body.subarray(at * size, (at + 1) * size),
  );
}

interface Figures {
  count: number;
  failed: number;
  p50: number;
  p99: number;
}

/** A user of another endpoint, beside the campaign. */
class HonestClient {
  readonly #process: ChildProcess;
  #times: number[] = [];

  constructor(gateway: Gateway) {
    const script = fileURLToPath(new URL('honest-client.mjs', import.meta.url));
    const body = JSON.stringify({ model: 'support', messages: MESSAGES });
    const url = gateway.sluice.gatewayUrl + CHAT_PATH;
    this.#process = fork(script, [url, KEYS.inference, body, String(HONEST_PACE_MS)]);
    this.#process.on('message', (ms) => this.#times.push(ms as number));
  }

  /** The figures of the next so many milliseconds, without the first requests, which open connections. */
  async measure(ms: number): Promise<Figures> {
    await waitFor('the honest client is served', async () => this.#times.length > 20, { timeoutMs: 30_000 });
    this.clear();
    await new Promise((resume) => setTimeout(resume, ms));
    return this.figures();
  }

  clear(): void {
    this.#times = [];
  }

  figures(): Figures {
    const good = this.#times.filter((ms) => ms >= 0).sort((a, b) => a - b);
    const at = (share: number) => Math.round(good[Math.floor(good.length * share)] ?? 0);
    return { count: good.length, failed: this.#times.length - good.length, p50: at(0.5), p99: at(0.99) };
  }

  stop(): void {
    this.#process.kill();
  }
}
