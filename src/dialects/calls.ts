import { writeAnthropicModels } from './anthropic-messages/models.js';
import type { Dialect, ModelsWriter } from './dialect.js';
import { dialectById } from './index.js';
import { writeOpenaiModels } from './openai-chat/models.js';

/** One call that clients can make, by method and by what follows the project in its path. */
export type GatewayCall = { method: 'GET' | 'POST'; path: string; dialect: Dialect } & (
  | { kind: 'answer' | 'count_tokens' }
  /** The path with a name after it asks for one model. */
  | { kind: 'models'; writeModels: ModelsWriter }
);

/** A call as a path names it. `model` is the one that a call of the kind `models` asks for. */
export type FoundCall = GatewayCall & { model?: string };

const chat = dialectById('openai.chat');
const responses = dialectById('openai.responses');
const messages = dialectById('anthropic.messages');

/** All calls; a new one is one line. */
export const GATEWAY_CALLS: readonly GatewayCall[] = [
  { method: 'POST', path: 'openai/v1/chat/completions', dialect: chat, kind: 'answer' },
  { method: 'POST', path: 'openai/v1/responses', dialect: responses, kind: 'answer' },
  { method: 'GET', path: 'openai/v1/models', dialect: chat, kind: 'models', writeModels: writeOpenaiModels },
  { method: 'POST', path: 'anthropic/v1/messages', dialect: messages, kind: 'answer' },
  { method: 'POST', path: 'anthropic/v1/messages/count_tokens', dialect: messages, kind: 'count_tokens' },
  {
    method: 'GET',
    path: 'anthropic/v1/models',
    dialect: messages,
    kind: 'models',
    writeModels: writeAnthropicModels,
  },
];

/** Slashes at the end of a path mean nothing. */
export function findCall(method: string, path: string): FoundCall | undefined {
  const wanted = withoutSlashes(path);
  const known = GATEWAY_CALLS.filter((call) => call.method === method);
  const call = known.find((candidate) => candidate.path === wanted);
  if (call !== undefined) return call;
  const list = known.find(({ kind, path: base }) => kind === 'models' && wanted.startsWith(`${base}/`));
  return list && { ...list, model: decoded(wanted.slice(list.path.length + 1)) };
}

/** What there is in the API that a path names first, for who called something else; empty for an unknown API. */
export function callsBeside(path: string): string[] {
  const api = path.split('/', 1)[0];
  return GATEWAY_CALLS.filter((call) => call.path.startsWith(`${api}/`)).flatMap(
    ({ method, path: own, kind }) => {
      const line = `${method} /${own}`;
      return kind === 'models' ? [line, `${line}/{name}`] : [line];
    },
  );
}

/** The dialect whose error shape a path calls for, where no such call is known. */
export function dialectOfPath(path: string): Dialect {
  const known = GATEWAY_CALLS.find((call) => path.endsWith(`/${call.path}`));
  return known?.dialect ?? (path.includes('/anthropic/') ? messages : chat);
}

function withoutSlashes(path: string): string {
  let end = path.length;
  while (path[end - 1] === '/') end--;
  return path.slice(0, end);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
