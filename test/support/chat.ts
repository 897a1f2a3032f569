import type { Document } from 'mongodb';
import type { JsonObject } from '../../src/core/json.js';
import { waitFor } from '../../src/local/processes/wait.js';
import type { Reply } from './replies.js';
import { jsonReply, streamReply } from './replies.js';
import type { Sluice } from './start-sluice.js';
import type { Way } from './ways.js';

export const PROJECT = '00000000-0000-4000-8000-000000000001';
export const KEY = 'sk-test';

export interface ChatAnswer {
  status: number;
  headers: Headers;
  text: string;
  /** The parsed answer; undefined where it is not JSON. */
  json: JsonObject | undefined;
  /** The log id. */
  id: string;
}

/**
 * Sends a chat completion to an endpoint as a client would. Members of `body` replace those of the smallest request.
 */
export function chat(
  sluice: Pick<Sluice, 'gatewayUrl'>,
  endpoint: string,
  body: JsonObject = {},
  headers: Record<string, string> = {},
): Promise<ChatAnswer> {
  const request = { model: endpoint, messages: [{ role: 'user', content: 'Hello' }], ...body };
  return chatText(sluice, JSON.stringify(request), headers);
}

/** Does the same with any text as the body. */
export async function chatText(
  sluice: Pick<Sluice, 'gatewayUrl'>,
  body: string,
  headers: Record<string, string> = {},
): Promise<ChatAnswer> {
  const response = await fetch(`${sluice.gatewayUrl}/${PROJECT}/openai/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json', ...headers },
    body,
  });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    text,
    json: jsonOf(text),
    id: response.headers.get('x-inference-log-id') ?? '',
  };
}

/** The log with this id, as soon as it has landed. */
export async function landedLog(
  sluice: Pick<Sluice, 'database' | 'adminUrl' | 'adminKey'>,
  id: string,
): Promise<Document> {
  await askFor(sluice, id);
  const deadline = performance.now() + 20_000;
  while (performance.now() < deadline) {
    const log = await sluice.database.collection<{ _id: string }>('logs').findOne({ _id: id });
    if (log !== null) return log;
    await new Promise((resume) => setTimeout(resume, 10));
  }
  throw new Error(`the log ${id} did not land`);
}

/** Asks the admin API for the log. The engine then ships it at once and does not wait until its batch is full. */
async function askFor(
  { adminUrl, adminKey }: Pick<Sluice, 'adminUrl' | 'adminKey'>,
  id: string,
): Promise<void> {
  const headers = { authorization: `Bearer ${adminKey}` };
  await fetch(`${adminUrl}/${PROJECT}/logs/${id}`, { headers }).then(
    (response) => response.arrayBuffer(),
    // In some tests the engine is ended. Its log then arrives in another way.
    () => undefined,
  );
}

/** The logs with these ids, in this order, as soon as all have landed. */
export async function landedLogs(
  sluice: Pick<Sluice, 'database' | 'adminUrl' | 'adminKey'>,
  ids: readonly string[],
): Promise<Document[]> {
  if (ids.length > 0) await askFor(sluice, ids.at(-1)!);
  const logs = sluice.database.collection<{ _id: string }>('logs');
  return waitFor(
    `${ids.length} logs land`,
    async () => {
      const found = await logs.find({ _id: { $in: [...ids] } }).toArray();
      const byId = new Map<string, Document>(found.map((log) => [log._id, log]));
      return byId.size === new Set(ids).size && ids.map((id) => byId.get(id)!);
    },
    { timeoutMs: 60_000 },
  );
}

/** How many streams and connections between Envoy and the engine were reset or broken, by Envoy's counters. */
export async function resetsOf(sluice: Pick<Sluice, 'envoyAdmin'>, way?: Way): Promise<number> {
  const cluster = way?.mesh === 'envoy-gateway' ? 'sluice-edge-engine' : 'engine(-attempts)?';
  const stats = await sluice.envoyAdmin.stats(
    `^cluster\\.${cluster}\\.(upstream_rq_rx_reset|upstream_cx_protocol_error|upstream_cx_destroy_with_active_rq)$`,
  );
  if (stats.size === 0 || stats.size % 3 !== 0)
    throw new Error('Envoy does not count resets under these names');
  return [...stats.values()].reduce((sum, value) => sum + value, 0);
}

/** The text of a stream, put together from its data frames. */
export function streamedText(sse: string): string {
  return dataFrames(sse)
    .flatMap((frame) => (frame === '[DONE]' ? [] : [JSON.parse(frame)]))
    .map((chunk) => chunk.choices?.[0]?.delta?.content ?? '')
    .join('');
}

export function dataFrames(sse: string): string[] {
  return sse
    .split('\n\n')
    .filter((block) => block.startsWith('data: '))
    .map((block) => block.slice('data: '.length));
}

/** A provider's plain answer with this text. */
export function answerReply(content: string, extra: JsonObject = {}): Reply {
  return jsonReply({
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1_700_000_000,
    model: 'real-model',
    choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 },
    ...extra,
  });
}

/** One chunk of a provider's stream. */
export function chunk(delta: JsonObject, finishReason: string | null = null): string {
  const choice = { index: 0, delta, finish_reason: finishReason };
  const fields = {
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk',
    created: 1_700_000_000,
    model: 'real-model',
  };
  return `data: ${JSON.stringify({ ...fields, choices: [choice] })}\n\n`;
}

export const USAGE_CHUNK = `data: ${JSON.stringify({
  id: 'chatcmpl-1',
  object: 'chat.completion.chunk',
  created: 1_700_000_000,
  model: 'real-model',
  choices: [],
  usage: { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 },
})}\n\n`;

/** A provider's stream with one chunk for each of these pieces, and then the usage. */
export function streamAnswerReply(...pieces: string[]): Reply {
  return streamReply(streamAnswerFrames(...pieces));
}

/** The frames of such a stream: one before those of the pieces, and three after them. */
export function streamAnswerFrames(...pieces: string[]): string[] {
  return [
    chunk({ role: 'assistant', content: '' }),
    ...pieces.map((content) => chunk({ content })),
    chunk({}, 'stop'),
    USAGE_CHUNK,
    'data: [DONE]\n\n',
  ];
}

function jsonOf(text: string): JsonObject | undefined {
  try {
    return JSON.parse(text) as JsonObject;
  } catch {
    return undefined;
  }
}
