import { createHmac } from 'node:crypto';
import type { Choice } from '../../core/answer.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../../core/json.js';
import type { Message } from '../../core/message.js';
import { stringifyInSteps } from '../../core/pacing/json-in-pieces.js';
import { inTurns } from '../../core/pacing/steps.js';
import { ConfigMistake } from '../contract/config-mistake.js';
import { definePlugin } from '../contract/define-plugin.js';
import { PluginFault } from '../contract/fault.js';
import type { Phase, Plugin, PluginContext, Result } from '../contract/plugin.js';
import { createJsonPost, type JsonPost } from '../helpers/json-post.js';
import { configSchema, type WebhookConfig } from './config.js';
import { readMessages, showMessages } from './messages.js';

const SIGNATURE_HEADER = 'x-sluice-signature';

/** Headers that belong to the connection or that the gateway sets. */
const RESERVED = [
  'connection',
  'content-length',
  'content-type',
  'expect',
  'host',
  'keep-alive',
  'te',
  'trailer',
];
const MORE_RESERVED = ['transfer-encoding', 'upgrade', SIGNATURE_HEADER];

export interface Prepared {
  config: WebhookConfig;
  post: JsonPost;
  hmacKey?: string;
}

/** A plugin that calls a service of the operator. The key for signatures comes from `environment`. */
export function createWebhookPlugin(
  environment: Readonly<Record<string, string | undefined>>,
): Plugin<Prepared> {
  return definePlugin<WebhookConfig, Prepared>({
    name: 'webhook',
    readsOnly: true,
    description: 'Posts the exchange to a URL, which may reject it or change its texts.',
    configSchema,

    prepare: (config) => {
      checkUrl(config.url);
      const reserved = Object.keys(config.headers).find((name) =>
        [...RESERVED, ...MORE_RESERVED].includes(name.toLowerCase()),
      );
      if (reserved !== undefined)
        throw new ConfigMistake(`/headers/${reserved}`, 'is set by the gateway itself');
      return { config, post: createJsonPost(config.url), hmacKey: readKey(config, environment) };
    },

    request: async (input) => {
      const answer = await ask(input, 'request', {
        messages: await inTurns(showMessages(input.messages)),
        requestBody: input.requestBody,
      });
      return result(answer, (given) => inTurns(readMessages(input.messages, given)));
    },

    response: async (input) => {
      const { messages, choices } = input;
      const shown = await inTurns(showMessages([...messages, ...choices.map(asMessage)]));
      const answer = await ask(input, 'response', { messages: shown, requestBody: input.requestBody });
      return result(answer, (given) => readChoices(messages, choices, given));
    },

    log: async (input) => {
      // Dates become text in JSON, which is what the webhook gets.
      const record = input.record as unknown as JsonValue;
      await ask(input, 'log', { messages: [], requestBody: input.record.request, record });
      return {};
    },
  });
}

function checkUrl(text: string): void {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined) throw new ConfigMistake('/url', 'is not a URL');
  if (url.username !== '' || url.password !== '') {
    throw new ConfigMistake(
      '/url',
      "must hold no user name or password; 'headers' can have an Authorization",
    );
  }
}

function readKey(
  { hmac_key_env: name }: WebhookConfig,
  environment: Readonly<Record<string, string | undefined>>,
): string | undefined {
  if (name === undefined) return undefined;
  const key = environment[name];
  if (key === undefined || key === '') {
    throw new ConfigMistake('/hmac_key_env', `the environment variable '${name}' is not set`);
  }
  return key;
}

async function ask(
  input: PluginContext<Prepared>,
  phase: Phase,
  content: { messages: JsonValue; requestBody: JsonValue; record?: JsonValue },
): Promise<JsonObject> {
  const { config, post, hmacKey } = input.config;
  const body = await inTurns(
    stringifyInSteps(
      Object.assign({}, content, {
        requestHeaders: input.headers,
        metadata: input.metadata,
        configs: config.configs,
        requestId: input.requestId,
        phase,
      }),
    ),
  );
  const headers: Record<string, string> = Object.assign({}, config.headers);
  if (hmacKey !== undefined)
    headers[SIGNATURE_HEADER] = `sha256=${createHmac('sha256', hmacKey).update(body).digest('hex')}`;
  const answer = await post(body, headers, input.signal);
  if (!isJsonObject(answer)) throw new PluginFault('answered with JSON that is not an object');
  return answer;
}

async function result<Content>(
  answer: JsonObject,
  read: (messages: JsonValue) => Promise<Content>,
): Promise<Result<Content>> {
  const { reject, rejectReason, rejected, messages } = answer;
  if (reject !== undefined && reject !== null && typeof reject !== 'boolean') {
    throw new PluginFault("answered with a 'reject' that is not a boolean");
  }
  if (reject === true) {
    const isText = typeof rejectReason === 'string' && rejectReason !== '';
    const message = isText ? rejectReason : 'The request was rejected.';
    return { action: 'reject', message, findings: rejected === 'metadata' ? [METADATA_AT_FAULT] : [] };
  }
  if (messages === undefined || messages === null) return { action: 'pass' };
  return { action: 'modify', content: await read(messages) };
}

/** A finding that makes the log hide the metadata while it shows the messages. */
const METADATA_AT_FAULT = { type: 'REJECTED', place: '/metadata', start: 0, end: 0, score: 1 };

function asMessage(choice: Choice): Message {
  return { role: 'assistant', parts: choice.parts };
}

/**
 * Reads the webhook's result for an answer. It contains the conversation and then the answer. Only the answer may be
 * changed, because the rest was sent long ago.
 */
async function readChoices(
  messages: readonly Message[],
  choices: readonly Choice[],
  given: JsonValue,
): Promise<Choice[]> {
  const all = [...messages, ...choices.map(asMessage)];
  const read = await inTurns(readMessages(all, given));
  const changed = messages.findIndex((message, index) => read[index] !== message);
  if (changed !== -1) throw new PluginFault(`changed message ${changed}, which is not part of the answer`);
  return choices.map((choice, index) => ({ ...choice, parts: read[messages.length + index]!.parts }));
}
