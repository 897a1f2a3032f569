import { writeAnthropicModels } from './anthropic-messages/models.js';
import type { Dialect, ModelsWriter } from './dialect.js';
import { dialectById } from './index.js';
import { writeOpenaiModels } from './openai-chat/models.js';

/** One call that clients can make, by method and by what follows the project in its path. */
export type GatewayCall = { method: 'GET' | 'POST'; path: string; dialect: Dialect } & (
  | { kind: 'answer' | 'count_tokens' }
  | { kind: 'models'; writeModels: ModelsWriter }
);

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

export function findCall(method: string, path: string): GatewayCall | undefined {
  return GATEWAY_CALLS.find((call) => call.path === path && call.method === method);
}

/** The dialect whose error shape a path calls for, where no such call is known. */
export function dialectOfPath(path: string): Dialect {
  const known = GATEWAY_CALLS.find((call) => path.endsWith(`/${call.path}`));
  return known?.dialect ?? (path.includes('/anthropic/') ? messages : chat);
}
