import { readdirSync, readFileSync } from 'node:fs';
import type { JsonObject, JsonValue } from '../../src/core/json.js';
import { atOnce } from '../../src/core/pacing/steps.js';
import type { Dialect } from '../../src/dialects/dialect.js';
import { dialects } from '../../src/dialects/index.js';
import { eventsOf } from '../../src/pipeline/answer/replayed-events.js';
import { between, type Random } from '../support/faults/seeded-random.js';
import { PROJECT } from '../support/gateway.js';
import { HABITS, oddAnswer } from '../support/odd-streams.js';
import { mutateBytes, mutateValue, pick } from './mutate.js';

/** A number that every guard here rejects. It stands nowhere else in a fixture. */
export const SECRET = '4012888888881881';
const SECRET_TEXT = `My card is ${SECRET}, thank you.`;

const DIALECTS = [
  { folder: 'openai-chat', path: () => `/${PROJECT}/openai/v1/chat/completions` },
  { folder: 'openai-responses', path: () => `/${PROJECT}/openai/v1/responses` },
  { folder: 'anthropic-messages', path: () => `/${PROJECT}/anthropic/v1/messages` },
  {
    folder: 'gemini-generate',
    path: (endpoint: string, stream: boolean) =>
      `/${PROJECT}/gemini/v1beta/models/${endpoint}:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
  },
] as const;

/** By provider and by what stands before it: one model, two, a guard, a schema. */
export const PROVIDERS = [
  'openai-chat',
  'openai-responses',
  'anthropic-messages',
  'gemini-generate',
] as const;
export const KINDS = ['single', 'chain', 'guarded', 'guarded-chain', 'checked'] as const;

export interface FuzzCase {
  path: string;
  headers: Record<string, string>;
  body: Buffer;
  reply: { status: number; type: string; body: Buffer; writes: number; breaksOff: boolean };
  /** A guard has to keep the secret from the provider. */
  secretInRequest: boolean;
  /** A guard has to keep the secret from the client. */
  secretInReply: boolean;
}

const fixtures = new Map(
  DIALECTS.map(({ folder }) => {
    const directory = new URL(`../fixtures/${folder}/`, import.meta.url);
    const files = readdirSync(directory);
    const read = (name: string) => readFileSync(new URL(name, directory), 'utf8');
    const texts = (ending: string) => files.filter((name) => name.endsWith(ending)).map(read);
    return [
      folder,
      {
        requests: texts('.request.json'),
        replies: texts('.response.json'),
        streams: texts('.sse'),
      },
    ] as const;
  }),
);

export function makeCase(random: Random): FuzzCase {
  const client = pick(random, DIALECTS);
  const provider = pick(random, PROVIDERS);
  const kind = pick(random, KINDS);
  const isGuarded = kind.startsWith('guarded');
  const endpoint = `${kind}-${provider}`;
  const request = JSON.parse(pick(random, fixtures.get(client.folder)!.requests)) as JsonObject;
  const saysModel = client.folder !== 'gemini-generate';
  if (saysModel) request.model = endpoint;
  const secretInRequest = isGuarded && random() < 0.5 && plant(random, request, client.folder);
  const stream = random() < 0.3;
  if (stream && saysModel) request.stream = true;
  mutateValue(random, request, (value) => holdsSecret(value) || value === endpoint);
  let body: Buffer = Buffer.from(JSON.stringify(request));
  if (!secretInRequest && random() < 0.3) body = mutateBytes(random, body);
  if (random() < 0.01) body = heavyBody(random, saysModel ? `"model":"${endpoint}",` : '');
  const secretInReply = isGuarded && !secretInRequest && random() < 0.5;
  return {
    path: client.path(endpoint, stream),
    headers: random() < 0.1 ? oddHeaders(random) : {},
    body,
    reply: makeReply(random, provider, secretInReply),
    secretInRequest,
    secretInReply,
  };
}

const TYPES = ['text/plain', 'application/grpc', 'application/json; charset=utf-16', 'multipart/form-data'];

/** Headers that mean something to Envoy, to the engine or to servers, with values that they do not expect. */
const HEADERS: readonly ((random: Random) => Record<string, string>)[] = [
  (random) => ({ 'content-type': pick(random, TYPES) }),
  () => ({ 'x-request-id': 'é'.repeat(50) }),
  () => ({ 'x-request-id': 'x'.repeat(20_000) }),
  () => ({ traceparent: '00-zz-zz-zz' }),
  () => ({ tracestate: 'a=b,'.repeat(600) }),
  () => ({ 'x-envoy-retry-on': '5xx', 'x-envoy-max-retries': '100', 'x-envoy-upstream-rq-timeout-ms': '1' }),
  () => ({ 'x-envoy-original-path': '/other', 'x-sluice-cluster': 'other', 'x-inference-log-id': 'mine' }),
  () => ({ accept: 'application/xml', 'accept-encoding': 'br;q=nan, *', 'accept-language': '\u00ff' }),
  () => ({ 'anthropic-version': '{}', 'anthropic-beta': ','.repeat(3_000), 'openai-beta': '\t' }),
  () => ({ authorization: 'Bearer' }),
  () => ({ 'x-api-key': 'sk-none', 'x-goog-api-key': 'sk-none' }),
  () => ({ 'content-encoding': 'gzip' }),
  () => Object.fromEntries(Array.from({ length: 90 }, (_, at) => [`x-odd-${at}`, 'v'.repeat(at)])),
];

function oddHeaders(random: Random): Record<string, string> {
  return pick(random, HEADERS)(random);
}

const REQUEST_LINES = ['POST', 'GET', 'PUT', 'PRI *', 'CONNECT', 'post', 'OPTIONS', '\u0000', 'DELETE'];

/** The bytes of a connection that is no HTTP, or nearly. Envoy alone answers those. */
export function rawBytes(random: Random): Buffer {
  const { path, body } = makeCase(random);
  const head = [
    `${pick(random, REQUEST_LINES)} ${path} HTTP/${pick(random, ['1.1', '1.0', '2.0', '9', ''])}`,
    'host: a',
    pick(random, [
      'content-length: 5',
      'content-length: -1',
      'transfer-encoding: chunked',
      'content-length: 5, 6',
    ]),
    pick(random, [
      'connection: close',
      'connection: upgrade\r\nupgrade: websocket',
      'x: \r\n y',
      'expect: 100-continue',
    ]),
  ].join('\r\n');
  return mutateBytes(random, Buffer.concat([Buffer.from(`${head}\r\n\r\n`), body.subarray(0, 10_000)]));
}

/** Under the limits, and as dear as can be: many values, many keys, many escapes, one long text. */
function heavyBody(random: Random, model: string): Buffer {
  const fill = pick(random, [
    () => `[${'{},'.repeat(280_000)}{}]`,
    () => `"${'\\"'.repeat(4_000_000)}"`,
    () => `"${'\\u0041'.repeat(2_000_000)}"`,
    () => `[${'"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",'.repeat(250_000)}0]`,
    () => `"${'x'.repeat(16_000_000)}"`,
    () => `"${'ж🙈'.repeat(2_500_000)}"`,
    () => `{${Array.from({ length: 280_000 }, (_, at) => `"k${at}":1`).join(',')}}`,
    () => `[${Array.from({ length: 140_000 }, (_, at) => `{"k${at}":1}`).join(',')}]`,
  ])();
  const message = '{"role":"user","content":"x"}';
  return Buffer.from(
    `{${model}"max_tokens":9,"input":"x","messages":[${message}],"contents":[{"parts":[{"text":"x"}]}],"x":${fill}}`,
  );
}

function makeReply(random: Random, provider: string, secret: boolean): FuzzCase['reply'] {
  const known = fixtures.get(provider as (typeof PROVIDERS)[number])!;
  const isStream = random() < 0.5;
  const odd = random() < 0.3 ? oddReply(random, provider, isStream, secret) : undefined;
  const source = pick(random, isStream ? known.streams : known.replies);
  let body = odd ?? (isStream ? mutateStream(random, source, secret) : mutateReply(random, source, secret));
  // Bytes that were changed can be no answer any more, and what is no answer no guard can read.
  if (!secret && random() < 0.3) body = mutateBytes(random, body);
  return {
    // Guards see answers, and not what a provider says of its errors.
    status: secret || random() < 0.9 ? 200 : pick(random, [204, 400, 429, 500, 503, 529]),
    type: isStream ? 'text/event-stream' : 'application/json',
    body,
    writes: between(random, 1, 8),
    breaksOff: random() < 0.05,
  };
}

const CONTEXT = { logId: 'x', created: 1, model: 'large', streamUsage: true };

/** An answer by a server with habits of its own, where the fixture that was picked is one that it can give. */
function oddReply(random: Random, folder: string, isStream: boolean, secret: boolean): Buffer | undefined {
  const dialect = dialects.find(({ id }) => id.replace('.', '-') === folder) as Dialect;
  const value = JSON.parse(
    pick(random, fixtures.get(folder as (typeof PROVIDERS)[number])!.replies),
  ) as JsonValue;
  if (secret) plantAnywhere(random, value);
  const answer = atOnce(dialect.readAnswer(value));
  const parts = answer?.choices[0]?.parts ?? [];
  if (answer === undefined || parts.some((part) => part.type === 'tool-call' && part.freeform))
    return undefined;
  const encoder = dialect.createEncoder(CONTEXT);
  const frames = eventsOf(answer)
    .flatMap((event) => encoder.encode(event))
    .filter(({ data }) => data !== '[DONE]')
    .map(({ data }) => JSON.parse(data) as JsonObject);
  const body = JSON.parse(atOnce(dialect.writeAnswer(answer, CONTEXT))) as JsonObject;
  const habits = Object.entries(HABITS[folder]!).map(([name, all]) => [name, pick(random, all)] as const);
  const odd = oddAnswer(folder, body, frames, Object.fromEntries(habits), between(random, 1, 12));
  return Buffer.from(isStream ? odd.stream : JSON.stringify(odd.body));
}

function mutateReply(random: Random, source: string, secret: boolean): Buffer {
  const value = JSON.parse(source) as JsonValue;
  if (secret) plantAnywhere(random, value);
  mutateValue(random, value, holdsSecret);
  return Buffer.from(JSON.stringify(value));
}

function mutateStream(random: Random, source: string, secret: boolean): Buffer {
  const lines = source.split('\n');
  const data = lines.flatMap((line, at) => (line.startsWith('data: {') ? [at] : []));
  if (data.length === 0) return Buffer.from(source);
  const planted = pick(random, data);
  for (const at of data) {
    if (at !== planted && random() < 0.8) continue;
    try {
      const value = JSON.parse(lines[at]!.slice('data: '.length)) as JsonValue;
      if (secret && at === planted) plantAnywhere(random, value);
      mutateValue(random, value, holdsSecret);
      lines[at] = `data: ${JSON.stringify(value)}`;
    } catch {
      // A fixture of a stream that is broken.
    }
  }
  return Buffer.from(lines.join('\n'));
}

const TEXT_KEYS = new Set(['content', 'text', 'output_text', 'thinking', 'refusal']);

interface Text {
  holder: JsonObject;
  key: string;
}

function textsIn(value: JsonValue, found: Text[] = []): Text[] {
  if (typeof value !== 'object' || value === null) return found;
  for (const [key, member] of Object.entries(value)) {
    if (typeof member === 'string' && TEXT_KEYS.has(key)) found.push({ holder: value as JsonObject, key });
    else textsIn(member as JsonValue, found);
  }
  return found;
}

function plantAnywhere(random: Random, value: JsonValue): boolean {
  const texts = textsIn(value);
  if (texts.length === 0) return false;
  const { holder, key } = pick(random, texts);
  holder[key] = SECRET_TEXT;
  return true;
}

const MESSAGES_IN: Record<string, string> = { 'openai-responses': 'input', 'gemini-generate': 'contents' };

/** Into a text of a message. */
function plant(random: Random, request: JsonObject, folder: string): boolean {
  const messages = request[MESSAGES_IN[folder] ?? 'messages'];
  if (messages !== undefined && typeof messages === 'object') return plantAnywhere(random, messages);
  if (typeof request.input !== 'string') return false;
  request.input = SECRET_TEXT;
  return true;
}

function holdsSecret(value: JsonValue): boolean {
  return JSON.stringify(value)?.includes(SECRET) ?? false;
}
