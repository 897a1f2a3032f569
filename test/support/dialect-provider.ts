import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { ConversationId } from '../../src/core/dialect-ids.js';
import type { JsonObject } from '../../src/core/json.js';
import type { ReceivedRequest } from './received-request.js';
import { bytesReply, type Reply, streamReply } from './replies.js';
import type { ChatServer } from './strict/chat.js';
import { refusalOf } from './strict/refusal.js';

/*
 * A provider that speaks the API of the path it was called at, and answers from `test/fixtures`. A request says in a
 * header which case it wants, so that many tests can ask at once.
 */

export const CASE_HEADER = 'x-case';

const FIXTURES = fileURLToPath(new URL('../fixtures/', import.meta.url));

export function folderOf(dialect: ConversationId): string {
  return dialect.replace('.', '-');
}

/** The text of a fixture, by its path below `test/fixtures`. */
export function fixtureText(path: string): string {
  return readFileSync(FIXTURES + path, 'utf8');
}

export function fixtureJson(path: string): JsonObject {
  return JSON.parse(fixtureText(path)) as JsonObject;
}

export function dialectOfRequest(request: ReceivedRequest): ConversationId {
  const path = request.path.split('?', 1)[0]!;
  if (/:(stream)?generateContent$/i.test(path)) return 'gemini.generate';
  if (path.endsWith('/chat/completions')) return 'openai.chat';
  return path.endsWith('/responses') ? 'openai.responses' : 'anthropic.messages';
}

/**
 * Answers with the case that the request's header names: `text`, `error-429`, or any other fixture of the API that
 * was called. `cut` breaks off in the middle, and `unknown` is JSON of an unknown form.
 */
export const replyFromFixtures: Reply = (response, request) => {
  const name = String(request.headers[CASE_HEADER]);
  return fixtureReply(name)(response, request);
};

/** Answers with this case, unless the real provider would refuse the request. */
export function fixtureReply(name: string): Reply {
  return serverFixtureReply('openai', name);
}

/** Does the same with the rules of this server for Chat Completions. */
export function serverFixtureReply(server: ChatServer, name: string): Reply {
  return (response, request) => {
    const dialect = dialectOfRequest(request);
    const refusal = refusalOf(dialect, request, server);
    if (refusal !== undefined) return refusal(response, request);
    const folder = folderOf(dialect);
    return replyOf(folder, name, isStream(request))(response, request);
  };
}

/** Whether a request asks for a stream. Gemini's requests say so in their path. */
export function isStream(request: ReceivedRequest): boolean {
  return request.json().stream === true || request.path.includes(':streamGenerateContent');
}

function replyOf(folder: string, name: string, stream: boolean): Reply {
  const status = /^error-(\d+)$/.exec(name)?.[1];
  if (status !== undefined) return plainReply(fixtureText(`${folder}/${name}.response.json`), Number(status));
  if (name === 'cut' && !stream) return cutBody;
  if (name === 'unknown') return plainReply('{"unexpected":true}', 200);
  if (stream) return streamReply([fixtureText(`${folder}/${name}.sse`)]);
  return plainReply(fixtureText(`${folder}/${name}.response.json`), 200);
}

function plainReply(body: string, status: number): Reply {
  return bytesReply(body, { status, headers: { 'content-type': 'application/json' } });
}

/** Breaks the connection in the middle of an answer. */
const cutBody: Reply = (response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '500' });
  response.write('{"id":', () => response.socket?.resetAndDestroy());
};
