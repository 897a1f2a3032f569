import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { isJsonObject, type JsonObject, parseJson } from '../../core/json.js';
import { answerTo } from './answer.js';
import { anthropicMessages } from './anthropic-messages.js';
import type { MockApi } from './api.js';
import { openaiChat } from './openai-chat.js';
import { openaiResponses } from './openai-responses.js';

const APIS: MockApi[] = [openaiChat, openaiResponses, anthropicMessages];

const COUNTING = [
  {
    path: '/messages/count_tokens',
    api: anthropicMessages,
    write: (tokens: number): JsonObject => ({ input_tokens: tokens }),
  },
  {
    path: '/responses/input_tokens',
    api: openaiResponses,
    write: (tokens: number): JsonObject => ({ object: 'response.input_tokens', input_tokens: tokens }),
  },
];

export interface MockModelOptions {
  /** The delay between two pieces of a stream, so that it looks like one. */
  pieceDelayMs: number;
}

/** A model provider for the demo: three APIs, no account, the same answers every time. */
export function createMockModel(options: MockModelOptions): Server {
  return createServer((request, response) => {
    serve(request, response, options).catch((error: unknown) => {
      // Where the client has disconnected, nothing more is sent. Any other error is a bug here and gives a 500.
      if (response.destroyed) return;
      console.error(error);
      sendError(response, 500, 'the mock model failed');
    });
  });
}

async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  options: MockModelOptions,
): Promise<void> {
  const path = (request.url ?? '').split('?')[0] as string;
  const body = await readJson(request);
  if (body === undefined) return sendError(response, 400, 'the body is not a JSON object');
  const counted = COUNTING.find((call) => path.endsWith(call.path));
  if (counted !== undefined) {
    return sendJson(response, 200, counted.write(counted.api.read(body).inputTokens));
  }
  const api = APIS.find((candidate) => path.endsWith(candidate.path));
  if (api === undefined) return sendError(response, 404, `the mock model has no ${path}`);
  const prompt = api.read(body);
  const answer = answerTo(prompt);
  if (!prompt.stream) return sendJson(response, 200, api.whole(prompt, answer));
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  for (const frame of api.frames(prompt, answer)) {
    if (response.destroyed) return;
    response.write(frame);
    await sleep(options.pieceDelayMs);
  }
  response.end();
}

async function readJson(request: IncomingMessage): Promise<JsonObject | undefined> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const value = parseJson(Buffer.concat(chunks).toString('utf8'));
  return isJsonObject(value) ? value : undefined;
}

function sendJson(response: ServerResponse, status: number, value: JsonObject): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(value));
}

function sendError(response: ServerResponse, status: number, message: string): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  sendJson(response, status, { error: { message, type: 'invalid_request_error', param: null, code: null } });
}
