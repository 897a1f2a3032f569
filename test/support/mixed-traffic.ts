import type { JsonObject } from '../../src/core/json.js';
import { answerReply, chunk } from './chat.js';
import { CHAT_PATH, type Gateway, MESSAGES, PROJECT } from './gateway.js';
import type { ReceivedRequest } from './received-request.js';
import { jsonReply, type Reply, streamReply } from './replies.js';

/*
 * Requests of all kinds that cost something, from clients of all four APIs, with costs that were computed by hand:
 * plain and streamed, cached, of a service tier, falling back for an error or an invalid output, and aborted by the
 * client.
 */

/** Prices in US dollars for a million tokens. */
export const MIXED_PRICE = {
  input_per_mtok: 3,
  output_per_mtok: 15,
  cached_input_per_mtok: 0.3,
  cache_write_per_mtok: 3.75,
  tiers: { flex: { input_per_mtok: 1.5, output_per_mtok: 7.5 } },
};

/** The endpoints of these requests, in addition to `support` and `chain`. */
export const MIXED_ENDPOINTS: JsonObject[] = [
  {
    name: 'checked-chain',
    models: ['small', 'large'].map((model) => ({ provider: 'fake', model })),
    json_validation: true,
  },
];

const USAGE = { prompt_tokens: 700, completion_tokens: 300, total_tokens: 1_000 };
const CACHED = {
  prompt_tokens: 5_000,
  completion_tokens: 7,
  total_tokens: 5_007,
  prompt_tokens_details: { cached_tokens: 4_000 },
};
const dollars = (perMillion: number) => perMillion / 1e6;
const ONE_ANSWER = dollars(700 * 3 + 300 * 15);

/** For each kind: what the client does, and what the answer costs. Null where only the log knows the cost. */
const KINDS = {
  plain: ONE_ANSWER,
  streamed: ONE_ANSWER,
  cached: dollars(1_000 * 3 + 4_000 * 0.3 + 7 * 15),
  flex: dollars(700 * 1.5 + 300 * 7.5),
  fallback: ONE_ANSWER,
  invalid: 2 * ONE_ANSWER,
  refused: 0,
  left: null,
} as const;
type Kind = keyof typeof KINDS;
const NAMES = Object.keys(KINDS) as Kind[];

const SCHEMA = { type: 'object', required: ['ok'] };
const CHECKED = { response_format: { type: 'json_schema', json_schema: { name: 'a', schema: SCHEMA } } };

/** The fake provider's answers to these requests. */
export const mixedReply: Reply = async (response, request) => {
  const kind = String(request.headers['x-case']) as Kind;
  const first = request.json().model === 'small';
  if (kind === 'fallback' && first) return send(jsonReply({ error: { message: 'no' } }, { status: 500 }));
  if (kind === 'refused') return send(jsonReply({ error: { message: 'no' } }, { status: 400 }));
  if (kind === 'invalid') return send(answerReply(first ? 'no JSON' : '{"ok":true}', { usage: USAGE }));
  if (kind === 'left') {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(chunk({ content: 'half of it' }));
    return;
  }
  const told = {
    usage: kind === 'cached' ? CACHED : USAGE,
    ...(kind === 'flex' ? { service_tier: 'flex' } : {}),
  };
  return send(isStreamed(request) ? streamed(told) : answerReply('On its way.', told));

  function send(reply: Reply) {
    return reply(response, request);
  }
};

function isStreamed(request: ReceivedRequest): boolean {
  return request.json().stream === true;
}

function streamed(told: JsonObject): Reply {
  const last = {
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'm',
    choices: [],
    ...told,
  };
  return streamReply([
    chunk({ role: 'assistant', content: 'On its ' }),
    chunk({ content: 'way.' }, 'stop'),
    `data: ${JSON.stringify(last)}\n\n`,
    'data: [DONE]\n\n',
  ]);
}

interface Sent {
  kind: Kind;
  /** The log id. Absent where the engine may have been killed before it wrote a log. */
  id?: string;
}

export interface Traffic {
  sent: Sent[];
  /** Costs that were computed by hand, by log id, for the kinds whose costs are known in advance. */
  costs: Map<string, number>;
}

/** Sends `count` requests to these engines in turns. With `mayFail` an engine may be down. */
export async function sendMixed(
  gateways: readonly Gateway[],
  metadata: JsonObject,
  { count, atOnce, mayFail = false }: { count: number; atOnce: number; mayFail?: boolean },
): Promise<Traffic> {
  const traffic: Traffic = { sent: [], costs: new Map() };
  let next = 0;
  const worker = async () => {
    for (let index = next++; index < count; index = next++) {
      const kind = NAMES[index % NAMES.length]!;
      const gateway = gateways[Math.floor(index / NAMES.length) % gateways.length]!;
      const asking = sendOne(gateway, kind, index, metadata);
      const answered = await (mayFail ? asking.catch(() => undefined) : asking);
      // The log of an aborted request is written after the client has left, and an engine may be killed before that.
      const id = mayFail && kind === 'left' ? undefined : answered;
      traffic.sent.push({ kind, id });
      const cost = KINDS[kind];
      if (id !== undefined && cost !== null) traffic.costs.set(id, cost);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return traffic;
}

async function sendOne(
  gateway: Gateway,
  kind: Kind,
  index: number,
  metadata: JsonObject,
): Promise<string | undefined> {
  const headers = { 'x-case': kind };
  if (kind === 'left') return leave(gateway, metadata, headers);
  const stream = kind === 'streamed' || (kind === 'flex' && index % 2 === 0);
  const model = kind === 'fallback' ? 'chain' : kind === 'invalid' ? 'checked-chain' : 'support';
  const [path, body] =
    kind === 'invalid'
      ? [CHAT_PATH, { model, messages: MESSAGES, ...CHECKED }]
      : callOf(Math.floor(index / NAMES.length) % 4, model, stream);
  const { id, status, text } = await gateway.call('POST', path, { body: { ...body, metadata }, headers });
  if (kind !== 'refused' && status !== 200) throw new Error(`${kind}: ${status} ${text}`);
  return id === '' ? undefined : id;
}

/** The same question in each API. */
function callOf(api: number, model: string, stream: boolean): [path: string, body: JsonObject] {
  const text = 'Where is my parcel?';
  if (api === 1) {
    const body = { model, max_tokens: 900, messages: [{ role: 'user', content: text }], stream };
    return [`/${PROJECT}/anthropic/v1/messages`, body];
  }
  if (api === 2) return [`/${PROJECT}/openai/v1/responses`, { model, input: text, stream }];
  if (api === 3) {
    const call = stream ? 'streamGenerateContent?alt=sse' : 'generateContent';
    const contents = [{ role: 'user', parts: [{ text }] }];
    return [`/${PROJECT}/gemini/v1beta/models/${model}:${call}`, { contents }];
  }
  return [CHAT_PATH, { model, messages: MESSAGES, stream }];
}

/** Reads the beginning of a stream and hangs up. */
async function leave(
  gateway: Gateway,
  metadata: JsonObject,
  headers: Record<string, string>,
): Promise<string | undefined> {
  const client = new AbortController();
  const response = await gateway.open({ metadata, stream: true }, { headers, signal: client.signal });
  const id = response.headers.get('x-inference-log-id') ?? undefined;
  await response.body!.getReader().read();
  client.abort();
  return id;
}
