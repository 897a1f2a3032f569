import type { Agent } from 'undici';
import { isJsonObject, type JsonObject, parseJson } from '../core/json.js';
import type { Secret } from '../core/secret.js';

const CONNECT_MS = 3_000;
const LONGEST_ERROR_BYTES = 65_536;

export interface AdminClientOptions {
  /** Of the admin service; a path in it stands before those of its API. */
  url: string;
  /** Of engines. Asked with each call, since the file may change. */
  key(): Secret | undefined;
  connections: number;
}

export interface AdminCall {
  method: 'GET' | 'POST';
  /** Without a slash at its start. */
  path: string;
  headers?: Record<string, string>;
  body?: Buffer;
  /** Until the head of the answer is there. */
  answerMs: number;
  /** Longest silence within the answer. */
  silenceMs: number;
  signal?: AbortSignal;
}

/** The admin service answered, and not with 200. */
export class AdminRefusal extends Error {
  constructor(
    readonly status: number,
    readonly code: string | undefined,
  ) {
    super(`it answered ${status}${code === undefined ? '' : ` ${code}`}`);
  }
}

/** What engines have of an admin service elsewhere: calls with their key. */
export class AdminClient {
  /** From the first call on. */
  #agent?: Promise<Agent>;
  readonly #base: URL;

  constructor(private readonly options: AdminClientOptions) {
    this.#base = new URL(`${options.url.replace(/\/+$/, '')}/`);
  }

  /** For messages. */
  get origin(): string {
    return this.#base.origin;
  }

  /** The body of an answer 200. Throws `AdminRefusal` for others, and else what broke the connection. */
  async call(call: AdminCall): Promise<AsyncIterable<Buffer>> {
    const { method, path, headers, body, answerMs, silenceMs, signal } = call;
    this.#agent ??= openAgent(this.options.connections);
    const answer = await (await this.#agent).request({
      origin: this.#base.origin,
      path: new URL(path, this.#base).pathname,
      method,
      headers: { authorization: `Bearer ${this.options.key()?.reveal() ?? ''}`, ...headers },
      body,
      headersTimeout: answerMs,
      bodyTimeout: silenceMs,
      signal,
    });
    if (answer.statusCode === 200) return answer.body;
    const { error } = objectIn(await readSome(answer.body, LONGEST_ERROR_BYTES));
    const code = isJsonObject(error) && typeof error.code === 'string' ? error.code : undefined;
    throw new AdminRefusal(answer.statusCode, code);
  }

  /** The same of an answer that is an object of JSON; an empty one where it is none. */
  async callForObject(call: AdminCall, maxBytes: number): Promise<JsonObject> {
    return objectIn(await readSome(await this.call(call), maxBytes));
  }

  /** Calls that are under way end. */
  async close(): Promise<void> {
    await (await this.#agent)?.destroy();
  }
}

/** The library is loaded by who calls an admin service alone. */
async function openAgent(connections: number): Promise<Agent> {
  const { Agent } = await import('undici');
  return new Agent({ connections, connect: { timeout: CONNECT_MS } });
}

/** The rest is left out. */
async function readSome(body: AsyncIterable<Buffer>, maxBytes: number): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of body) {
    bytes += piece.length;
    if (bytes > maxBytes) break;
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

function objectIn(bytes: Buffer): JsonObject {
  const value = parseJson(bytes.toString());
  return isJsonObject(value) ? value : {};
}
