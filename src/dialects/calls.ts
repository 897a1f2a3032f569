import { anthropicMessages } from './anthropic-messages/index.js';
import { writeAnthropicModels } from './anthropic-messages/models.js';
import type { CallAddress, Dialect, ModelsWriter, TokenCounting } from './dialect.js';
import { geminiGenerate } from './gemini-generate/index.js';
import { writeGeminiModels } from './gemini-generate/models.js';
import { dialectById } from './index.js';
import { writeOpenaiModels } from './openai-chat/models.js';
import { openaiResponses } from './openai-responses/index.js';

/**
 * One call that clients can make: its method, and the path after the project. `{model}` stands for an endpoint's
 * name; the path of such a call also says whether the answer is a stream. `query` is a parameter that the call must
 * have.
 */
export type GatewayCall = {
  method: 'GET' | 'POST';
  path: string;
  dialect: Dialect;
  stream?: boolean;
  query?: string;
} & (
  | { kind: 'answer' }
  | { kind: 'count_tokens'; dialect: Dialect & { counting: TokenCounting } }
  | { kind: 'models'; writeModels: ModelsWriter }
);

const chat = dialectById('openai.chat');
const responses = dialectById('openai.responses');
const completions = dialectById('openai.completions');
const embeddings = dialectById('openai.embeddings');
const moderations = dialectById('openai.moderations');
const messages = dialectById('anthropic.messages');
const generate = dialectById('gemini.generate');

/** All calls of clients. A new call is one line here. */
export const GATEWAY_CALLS: readonly GatewayCall[] = [
  { method: 'POST', path: 'openai/v1/chat/completions', dialect: chat, kind: 'answer' },
  { method: 'POST', path: 'openai/v1/responses', dialect: responses, kind: 'answer' },
  {
    method: 'POST',
    path: 'openai/v1/responses/input_tokens',
    dialect: openaiResponses,
    kind: 'count_tokens',
  },
  { method: 'POST', path: 'openai/v1/completions', dialect: completions, kind: 'answer' },
  { method: 'POST', path: 'openai/v1/embeddings', dialect: embeddings, kind: 'answer' },
  { method: 'POST', path: 'openai/v1/moderations', dialect: moderations, kind: 'answer' },
  { method: 'GET', path: 'openai/v1/models', dialect: chat, kind: 'models', writeModels: writeOpenaiModels },
  { method: 'POST', path: 'anthropic/v1/messages', dialect: messages, kind: 'answer' },
  {
    method: 'POST',
    path: 'anthropic/v1/messages/count_tokens',
    dialect: anthropicMessages,
    kind: 'count_tokens',
  },
  {
    method: 'GET',
    path: 'anthropic/v1/models',
    dialect: messages,
    kind: 'models',
    writeModels: writeAnthropicModels,
  },
  ...['gemini/v1beta/models', 'gemini/v1/models'].flatMap((path): GatewayCall[] => [
    {
      method: 'POST',
      path: `${path}/{model}:generateContent`,
      dialect: generate,
      kind: 'answer',
      stream: false,
    },
    {
      method: 'POST',
      path: `${path}/{model}:streamGenerateContent`,
      dialect: generate,
      kind: 'answer',
      stream: true,
      query: 'alt=sse',
    },
    { method: 'POST', path: `${path}/{model}:countTokens`, dialect: geminiGenerate, kind: 'count_tokens' },
    { method: 'GET', path, dialect: generate, kind: 'models', writeModels: writeGeminiModels },
  ]),
];

/**
 * For all paths below a prefix: the dialect of errors for an unknown call, and the query parameter that may contain a key.
 */
const FAMILIES: readonly { prefix: string; dialect: Dialect; keyInQuery?: string }[] = [
  { prefix: '/anthropic/', dialect: messages },
  { prefix: '/gemini/', dialect: generate, keyInQuery: 'key' },
];

/**
 * The base URLs of a project, by client. OpenAI's SDKs expect the version in their base URL, and the others add it
 * themselves.
 */
export function baseUrlsBelow(project: string) {
  return { openai: `${project}/openai/v1`, anthropic: `${project}/anthropic`, gemini: `${project}/gemini` };
}

const BY_PATH = new Map(
  GATEWAY_CALLS.filter(({ path }) => !path.includes('{model}')).map((call) => [
    `${call.method} ${call.path}`,
    call,
  ]),
);
const WITH_MODEL = GATEWAY_CALLS.filter(({ path }) => path.includes('{model}')).map((call) => {
  const [before, after] = call.path.split('{model}') as [string, string];
  return { call, before, after };
});
const LISTS = GATEWAY_CALLS.filter(({ kind }) => kind === 'models');

export interface FoundCall {
  call: GatewayCall;
  address?: CallAddress;
  /** The endpoint that a call of the kind `models` asks about, where it names one. */
  listed?: string;
}

/** The call that a path belongs to, and what the path itself says. Slashes at the end are ignored. */
export function findCall(method: string, written: string): FoundCall | undefined {
  const path = withoutSlashes(written);
  const call = BY_PATH.get(`${method} ${path}`);
  if (call !== undefined) return { call };
  for (const { call, before, after } of WITH_MODEL) {
    if (call.method !== method || !path.startsWith(before) || !path.endsWith(after)) continue;
    const model = decode(path.slice(before.length, path.length - after.length));
    if (model) return { call, address: { model, stream: call.stream === true } };
  }
  const list = LISTS.find((known) => known.method === method && path.startsWith(`${known.path}/`));
  const listed = list && decode(path.slice(list.path.length + 1));
  return list && listed ? { call: list, listed } : undefined;
}

/** The decoded name. Undefined where the encoding is not valid; no call has such a path. */
function decode(name: string): string | undefined {
  try {
    return decodeURIComponent(name);
  } catch {
    return undefined;
  }
}

function withoutSlashes(path: string): string {
  let end = path.length;
  while (path[end - 1] === '/') end--;
  return path.slice(0, end);
}

/**
 * The calls of the API that a path begins with, for the message to a client that called another path. Empty for an
 * unknown API.
 */
export function gatewayCallsOf(path: string): string[] {
  const api = path.split('/', 1)[0];
  const siblings = GATEWAY_CALLS.filter((call) => call.path.startsWith(`${api}/`));
  return siblings.flatMap(({ method, path: own, kind }) => {
    const line = `${method} /${own}`;
    return kind === 'models' ? [line, `${line}/{name}`] : [line];
  });
}

/** The dialect of the errors for a path that belongs to no call. */
export function dialectOfPath(path: string): Dialect {
  const known = GATEWAY_CALLS.find((call) => path.endsWith(`/${call.path}`));
  return known?.dialect ?? familyOf(path)?.dialect ?? chat;
}

/**
 * The API key in a path's query, for an API whose clients send it there. The path that the provider gets is written
 * anew, without the key.
 */
export function keyInQuery(path: string): string | undefined {
  const name = familyOf(path)?.keyInQuery;
  const start = name === undefined ? -1 : path.indexOf('?');
  return start === -1 ? undefined : (new URLSearchParams(path.slice(start)).get(name!) ?? undefined);
}

function familyOf(path: string) {
  return FAMILIES.find(({ prefix }) => path.includes(prefix));
}
