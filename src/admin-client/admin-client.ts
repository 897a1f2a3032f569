import type { Agent } from 'undici';
import { isJsonObject, type JsonObject, parseJson } from '../core/json.js';
import type { Secret } from '../core/secret.js';

const CONNECT_MS = 3_000;
const LONGEST_ERROR_BYTES = 65_536;

export interface AdminClientOptions {
  /** The URL of the admin service. If it has a path, that path comes before the paths of the API. */
  url: string;
  /** Returns the key of engines. It is read for each call, because the file may change. */
  key(): Secret | undefined;
  connections: number;
}

export interface AdminCall {
  method: 'GET' | 'POST';
  /** The path of the route, without a slash at its start. */
  path: string;
  headers?: Record<string, string>;
  body?: Buffer;
  /** The longest time until the head of the answer arrives. */
  answerMs: number;
  /** The longest time without data within the answer. */
  silenceMs: number;
  signal?: AbortSignal;
}

/** The admin service answered with a status other than 200. */
export class AdminRefusal extends Error {
  constructor(
    readonly status: number,
    readonly code: string | undefined,
  ) {
    super(`it answered ${status}${code === undefined ? '' : ` ${code}`}`);
  }
}

/** How an engine calls an admin service that runs elsewhere, with the key of engines. */
export class AdminClient {
  /** The connections, opened by the first call. */
  #agent?: Promise<Agent>;
  readonly #base: URL;

  constructor(private readonly options: AdminClientOptions) {
    this.#base = new URL(`${options.url.replace(/\/+$/, '')}/`);
  }

  /** The origin of the URL, for messages. */
  get origin(): string {
    return this.#base.origin;
  }

  /**
   * The body of an answer with status 200. Throws `AdminRefusal` for other statuses, and the error of the connection
   * where it breaks.
   */
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

  /** Calls a route whose answer is a JSON object. Returns an empty object where the answer is not one. */
  async callForObject(call: AdminCall, maxBytes: number): Promise<JsonObject> {
    return objectIn(await readSome(await this.call(call), maxBytes));
  }

  /** Ends the calls that are in progress. */
  async close(): Promise<void> {
    await (await this.#agent)?.destroy();
  }
}

/** Loaded only by processes that call an admin service. */
async function openAgent(connections: number): Promise<Agent> {
  const { Agent } = await import('undici');
  return new Agent({ connections, connect: { timeout: CONNECT_MS } });
}

/** Reads the beginning of a body and drops the rest. */
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
