import { readdirSync, readFileSync } from 'node:fs';
import type { JsonObject, JsonValue } from '../../src/core/json.js';
import { between, type Random } from '../support/faults/seeded-random.js';
import { PROJECT } from '../support/gateway.js';
import { mutateBytes, mutateValue, pick } from './mutate.js';

/** A number that every guard here rejects. It stands nowhere else in a fixture. */
export const SECRET = '4012888888881881';
const SECRET_TEXT = `My card is ${SECRET}, thank you.`;

const DIALECTS = [
  { folder: 'openai-chat', path: `/${PROJECT}/openai/v1/chat/completions` },
  { folder: 'openai-responses', path: `/${PROJECT}/openai/v1/responses` },
  { folder: 'anthropic-messages', path: `/${PROJECT}/anthropic/v1/messages` },
] as const;

/** By provider and by what stands before it: one model, two, a guard, a schema. */
export const PROVIDERS = ['openai-chat', 'openai-responses', 'anthropic-messages'] as const;
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
  const request = JSON.parse(pick(random, fixtures.get(client.folder)!.requests)) as JsonObject;
  request.model = `${kind}-${provider}`;
  const secretInRequest = isGuarded && random() < 0.5 && plant(random, request, client.folder);
  if (random() < 0.3) request.stream = true;
  mutateValue(random, request, (value) => holdsSecret(value) || value === request.model);
  let body: Buffer = Buffer.from(JSON.stringify(request));
  if (!secretInRequest && random() < 0.3) body = mutateBytes(random, body);
  if (random() < 0.01) body = heavyBody(random, String(request.model));
  const secretInReply = isGuarded && !secretInRequest && random() < 0.5;
  return {
    path: client.path,
    headers: random() < 0.05 ? { 'content-type': pick(random, TYPES) } : {},
    body,
    reply: makeReply(random, provider, secretInReply),
    secretInRequest,
    secretInReply,
  };
}

const TYPES = ['text/plain', 'application/grpc', 'application/json; charset=utf-16', 'multipart/form-data'];

/** Under the limits, and as dear as can be: many values, many escapes, one long text. */
function heavyBody(random: Random, model: string): Buffer {
  const fill = pick(random, [
    () => `[${'{},'.repeat(280_000)}{}]`,
    () => `"${'\\"'.repeat(4_000_000)}"`,
    () => `"${'\\u0041'.repeat(2_000_000)}"`,
    () => `[${'"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",'.repeat(250_000)}0]`,
    () => `"${'x'.repeat(16_000_000)}"`,
  ])();
  const message = '{"role":"user","content":"x"}';
  return Buffer.from(`{"model":"${model}","max_tokens":9,"input":"x","messages":[${message}],"x":${fill}}`);
}

function makeReply(random: Random, provider: string, secret: boolean): FuzzCase['reply'] {
  const known = fixtures.get(provider as (typeof PROVIDERS)[number])!;
  const isStream = random() < 0.5;
  const source = pick(random, isStream ? known.streams : known.replies);
  let body = isStream ? mutateStream(random, source, secret) : mutateReply(random, source, secret);
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

/** Into a text of a message. */
function plant(random: Random, request: JsonObject, folder: string): boolean {
  const messages = request[folder === 'openai-responses' ? 'input' : 'messages'];
  if (messages !== undefined && typeof messages === 'object') return plantAnywhere(random, messages);
  if (typeof request.input !== 'string') return false;
  request.input = SECRET_TEXT;
  return true;
}

function holdsSecret(value: JsonValue): boolean {
  return JSON.stringify(value)?.includes(SECRET) ?? false;
}
