import { connect } from 'node:net';
import { Agent, request } from 'undici';
import type { JsonObject } from '../../src/core/json.js';
import { waitFor } from '../../src/local/processes/wait.js';
import { seededRandom } from '../support/faults/seeded-random.js';
import { COMPLETION, type Gateway, KEYS, startGateway } from '../support/gateway.js';
import { jsonReply, type Reply } from '../support/replies.js';
import { type FuzzCase, KINDS, makeCase, PROVIDERS, rawBytes, SECRET } from './cases.js';

const AT_ONCE = 4;
const ANSWER_MS = 60_000;
const RAW_SHARE = 0.02;
/** Large logs come faster than MongoDB takes them: they wait here, and none may be lost for want of room. */
const SPOOL_BYTES = 16 * 1024 ** 3;
const TRACE = /^00-([0-9a-f]{32})-/;

const PROVIDER_APIS: Record<(typeof PROVIDERS)[number], JsonObject> = {
  'openai-chat': { api: 'openai' },
  'openai-responses': { api: 'openai', responses: true },
  'anthropic-messages': { api: 'anthropic' },
  'gemini-generate': { api: 'gemini' },
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

/** What came of a campaign: `problems` says what must not be. */
export interface CampaignResult {
  sent: number;
  /** Ids of the logs that answers named. */
  ids: ReadonlySet<string>;
  problems: readonly string[];
}

/** Structured garbage through a gateway with real Envoy and MongoDB, the same for the same seed. */
export class Campaign {
  readonly gateway: Gateway;
  readonly #seed: number;
  readonly #agent = new Agent({ connections: AT_ONCE, bodyTimeout: ANSWER_MS, headersTimeout: ANSWER_MS });
  readonly #cases = new Map<string, FuzzCase>();
  readonly #problems: string[] = [];

  private constructor(seed: number, gateway: Gateway) {
    this.#seed = seed;
    this.gateway = gateway;
    gateway.provider.always(this.#replyToAny);
  }

  static async start(seed: number): Promise<Campaign> {
    const gateway = await startGateway({
      settings: { spool: { max_bytes: SPOOL_BYTES } },
      providers: (base_url) =>
        Object.fromEntries(PROVIDERS.map((name) => [name, { ...PROVIDER_APIS[name], base_url }])),
      endpoints: KINDS.flatMap((kind) => PROVIDERS.map((provider) => endpointOf(kind, provider))),
    });
    return new Campaign(seed, gateway);
  }

  /** Goes on as long as `goesOn` says so of the requests that were sent, or until ten things went wrong. */
  async run(goesOn: (sent: number) => boolean): Promise<CampaignResult> {
    const random = seededRandom(this.#seed);
    const ids = new Set<string>();
    let sent = 0;
    const worker = async () => {
      while (goesOn(sent) && this.#problems.length < 10) {
        const number = sent++;
        if (random() < RAW_SHARE) await this.#sendRaw(rawBytes(random));
        else {
          const id = await this.#send(makeCase(random), number);
          if (id !== undefined) ids.add(id);
        }
        this.gateway.provider.requests.length = 0;
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
    return { sent, ids, problems: this.#problems };
  }

  /** Large logs are brought to MongoDB one by one, so this waits as long as some of them land. */
  async waitForLogs(ids: ReadonlySet<string>): Promise<void> {
    const logs = this.gateway.sluice.database.collection<{ _id: string }>('logs');
    const missing = async () => ids.size - (await logs.countDocuments({ _id: { $in: [...ids] } }));
    const startedAt = performance.now();
    for (let left = await missing(); left > 0; ) {
      console.log(
        `${left} logs are on their way, ${Math.round((performance.now() - startedAt) / 1000)} s after the end`,
      );
      const before = left;
      const look = async () => fewer(await missing(), before);
      const options = { timeoutMs: 60_000, intervalMs: 1_000 };
      left = (await waitFor(`one more of ${before} logs lands`, look, options)).count;
    }
  }

  async stop(): Promise<void> {
    await this.#agent.close();
    await this.gateway.stop();
  }

  /** The provider finds a request's case by its trace, which goes on to it. */
  readonly #replyToAny: Reply = async (response, received) => {
    const trace = TRACE.exec(String(received.headers.traceparent))?.[1] ?? '';
    const fuzz = this.#cases.get(trace);
    if (fuzz === undefined) return jsonReply(COMPLETION)(response, received);
    if (fuzz.secretInRequest && received.text.includes(SECRET))
      this.#tell('a secret reached the provider', fuzz);
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
  async #send(fuzz: FuzzCase, number: number): Promise<string | undefined> {
    const trace = (BigInt(this.#seed) * 2n ** 64n + BigInt(number) + 1n).toString(16).padStart(32, '0');
    this.#cases.set(trace, fuzz);
    try {
      const answer = await request(`${this.gateway.sluice.gatewayUrl}${fuzz.path}`, {
        dispatcher: this.#agent,
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
        if (!fuzz.reply.breaksOff) this.#tell(`an answer broke off: ${error}`, fuzz);
        return '';
      });
      if (fuzz.secretInReply && text.includes(SECRET)) this.#tell('a secret reached the client', fuzz);
      if (text.includes('An internal error occurred'))
        this.#tell(`an internal error: ${text.slice(0, 300)}`, fuzz);
      if (answer.statusCode === 503 && text.includes('engine_unavailable')) this.#tell('no engine', fuzz);
      // Who has no key, or speaks no protocol of ours, has no log.
      if ([401, 415].includes(answer.statusCode)) return undefined;
      return headerOf(answer.headers['x-inference-log-id']);
    } catch (error) {
      if (!fuzz.reply.breaksOff) this.#tell(`no answer: ${error}`, fuzz);
      return undefined;
    } finally {
      this.#cases.delete(trace);
    }
  }

  /** Envoy answers, or closes; it may also wait for more, so nobody waits for it. */
  async #sendRaw(bytes: Buffer): Promise<void> {
    const { hostname, port } = new URL(this.gateway.sluice.gatewayUrl);
    await new Promise<void>((resolve) => {
      const socket = connect(Number(port), hostname, () => socket.end(bytes));
      socket.setTimeout(1_000, () => socket.destroy());
      socket.on('error', () => socket.destroy());
      socket.on('close', () => resolve());
      socket.resume();
    });
  }

  #tell(what: string, fuzz: FuzzCase): void {
    const shown = (bytes: Buffer) => bytes.toString('utf8').slice(0, 3_000);
    this.#problems.push(what);
    console.error(
      `${what} (SEED=${this.#seed})\n${fuzz.path}\n${shown(fuzz.body)}\n--- ${fuzz.reply.status} ${fuzz.reply.type}\n${shown(fuzz.reply.body)}\n`,
    );
  }
}

function headerOf(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value;
}

function piecesOf(body: Buffer, count: number): Buffer[] {
  const size = Math.max(1, Math.ceil(body.length / count));
  return Array.from({ length: Math.ceil(body.length / size) }, (_, at) =>
    body.subarray(at * size, (at + 1) * size),
  );
}

function fewer(count: number, than: number): { count: number } | undefined {
  return count < than ? { count } : undefined;
}
