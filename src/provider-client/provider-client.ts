import { readFileSync } from 'node:fs';
import { createSecureContext, type SecureContext } from 'node:tls';
import type { Agent, Dispatcher } from 'undici';
import type {
  ProviderCall,
  ProviderClient,
  ProviderEvent,
  ProviderRequest,
} from '../pipeline/exchange/ports.js';

/** As long as Envoy takes for its clusters (src/envoy/clusters.ts). */
const CONNECT_MS = 5_000;
/** Shorter than what servers keep, for the same reason as there. */
const IDLE_MS = { 'http:': 4_000, 'https:': 30_000 };
/** What may wait for the pipeline of one answer before its provider is no longer read. */
const MOST_WAITING_BYTES = 256 * 1024;
/** The certificates that Envoy trusts as well; where there is no such file, those of Node.js. */
const TRUSTED_CERTIFICATES = '/etc/ssl/certs/ca-certificates.crt';
/** Envoy takes 60 KiB and 100 headers for the head of an answer, ours among them: it could not pass on a longer one. */
const MOST_HEADERS_BYTES = 56 * 1024;
const MOST_HEADERS = 80;
/** What the bytes of a header's value may not be (RFC 9110, 5.5). Envoy lets some of them through. */
const CONTROLS = /[\x00-\x08\x0a-\x1f\x7f]/g;
const BEYOND_ASCII = /[^\x00-\x7f]/;
/** A client's cookies go to no provider, so none needs to be set. Values of this header could not be joined either. */
const NEVER_PASSED = 'set-cookie';

/**
 * Asks providers over HTTP from the engine itself, for chains behind an Envoy that has none. The library is loaded, and
 * connections are kept, once such a request comes.
 */
export class HttpProviderClient implements ProviderClient {
  #agents?: Promise<Record<string, Agent>>;

  constructor(private readonly trustedCertificates = TRUSTED_CERTIFICATES) {}

  ask(request: ProviderRequest, on: (event: ProviderEvent) => void): ProviderCall {
    const call = new HttpProviderCall(on);
    this.#agents ??= openAgents(this.trustedCertificates);
    this.#agents
      .then((agents) => call.start(agents[new URL(request.origin).protocol]!, request))
      // The library cannot be loaded, or takes the request for none.
      .catch(() => call.onResponseError());
    return call;
  }

  /** Calls that are under way end. */
  async close(): Promise<void> {
    const agents = await this.#agents?.catch(() => undefined);
    await Promise.all(Object.values(agents ?? {}).map((agent) => agent.destroy()));
  }
}

/** undici takes six MiB, so only an engine that makes such tries loads it. */
async function openAgents(trusted: string): Promise<Record<string, Agent>> {
  const { Agent } = await import('undici');
  // The pipeline keeps the times, and a model may think for minutes.
  const common = { headersTimeout: 0, bodyTimeout: 0, maxHeaderSize: MOST_HEADERS_BYTES };
  const connect = { timeout: CONNECT_MS };
  return {
    'http:': new Agent({ ...common, connect, keepAliveTimeout: IDLE_MS['http:'] }),
    'https:': new Agent({
      ...common,
      connect: { ...connect, secureContext: contextOf(trusted) },
      keepAliveTimeout: IDLE_MS['https:'],
    }),
  };
}

/** Read once: a connection that reads some hundred certificates takes milliseconds. */
function contextOf(trusted: string): SecureContext {
  try {
    return createSecureContext({ ca: readFileSync(trusted, 'utf8') });
  } catch {
    return createSecureContext();
  }
}

class HttpProviderCall implements ProviderCall, Dispatcher.DispatchHandler {
  #controller?: Dispatcher.DispatchController;
  #connected = false;
  #over = false;
  #waiting = 0;
  /** Chunks of the body that came in one read of the connection, and are handed on together behind it. */
  #came: Buffer[] = [];

  constructor(private readonly on: (event: ProviderEvent) => void) {}

  start(agent: Agent, { origin, path, headers, body }: ProviderRequest): void {
    if (this.#over) return;
    agent.dispatch({ origin, path, method: 'POST', headers: onTheWire(headers), body }, this);
  }

  taken(bytes: number): void {
    this.#waiting -= bytes;
    if (this.#waiting < MOST_WAITING_BYTES && this.#controller?.paused) this.#controller.resume();
  }

  cancel(): void {
    if (this.#over) return;
    this.#over = true;
    this.#controller?.abort(new Error('nobody waits for the answer'));
  }

  // DispatchHandler --------------------------------------------------------------------------------------

  /** A connection is there, and the request is about to be written. */
  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#over) controller.abort(new Error('nobody waits for the answer'));
    else this.#connected = true;
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    // 1xx announces the answer.
    if (status < 200) return;
    if (Object.keys(headers).length > MOST_HEADERS) {
      controller.abort(new Error('the answer has too many headers'));
      return;
    }
    this.#tell({ kind: 'head', head: { status, headers: joined(headers) } });
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#waiting += chunk.length;
    if (this.#waiting >= MOST_WAITING_BYTES) controller.pause();
    // A model sends each event as a chunk, and a busy engine finds many of them in one read.
    if (this.#came.push(chunk) === 1) queueMicrotask(() => this.#handOn());
  }

  onResponseEnd(): void {
    this.#handOn();
    this.#tell({ kind: 'end' });
    this.#over = true;
  }

  onResponseError(): void {
    this.#handOn();
    this.#tell({ kind: 'failed', connected: this.#connected });
    this.#over = true;
  }

  #handOn(): void {
    const came = this.#came;
    if (came.length === 0) return;
    this.#came = [];
    this.#tell({ kind: 'chunk', chunk: came.length === 1 ? came[0]! : Buffer.concat(came) });
  }

  #tell(event: ProviderEvent): void {
    if (!this.#over) this.on(event);
  }
}

/** The library writes the low byte of each letter, so a letter beyond ASCII has to be its bytes in UTF-8. */
function onTheWire(headers: Readonly<Record<string, string>>): Record<string, string> {
  const all: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    const bytes = BEYOND_ASCII.test(value) ? Buffer.from(value).toString('latin1') : value;
    all[name] = bytes.replace(CONTROLS, '');
  }
  return all;
}

/** Names in lower case; the values of a name that repeats are joined. */
function joined(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const all: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined || name === NEVER_PASSED) continue;
    const text = Array.isArray(value) ? value.join(', ') : value;
    all[name] = BEYOND_ASCII.test(text) ? Buffer.from(text, 'latin1').toString() : text;
  }
  return all;
}
