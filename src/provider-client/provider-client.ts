import { readFileSync } from 'node:fs';
import { createSecureContext, type SecureContext } from 'node:tls';
import type { Agent, Dispatcher } from 'undici';
import type {
  ProviderCall,
  ProviderClient,
  ProviderEvent,
  ProviderRequest,
} from '../pipeline/exchange/ports.js';

/** The timeout for opening a connection, the same as in Envoy's clusters (src/envoy/clusters.ts). */
const CONNECT_MS = 5_000;
/** How long an idle connection is kept, the same as in Envoy's clusters: less than servers keep theirs. */
const IDLE_MS = { 'http:': 4_000, 'https:': 30_000 };
/** When this much of one answer waits for the pipeline, its provider is not read any further. */
const MOST_WAITING_BYTES = 256 * 1024;
/** The certificates that Envoy trusts too. Where this file does not exist, those of Node.js are used. */
const TRUSTED_CERTIFICATES = '/etc/ssl/certs/ca-certificates.crt';
/**
 * The most bytes of an answer's headers. Envoy accepts 60 KiB and 100 headers, including ours, and could not pass on more.
 */
const MOST_HEADERS_BYTES = 56 * 1024;
const MOST_HEADERS = 80;
/** Bytes that the value of a header must not contain (RFC 9110, 5.5). Envoy lets some of them through. */
const CONTROLS = /[\x00-\x08\x0a-\x1f\x7f]/g;
const BEYOND_ASCII = /[^\x00-\x7f]/;
/**
 * A header that is not passed on. Clients' cookies are not sent to providers, so none needs to be set. Values of this
 * header could not be joined either.
 */
const NEVER_PASSED = 'set-cookie';

/**
 * Sends requests to providers from the engine itself, for chains of models behind an Envoy without chains. The
 * library is loaded with the first such request.
 */
export class HttpProviderClient implements ProviderClient {
  #agents?: Promise<Record<string, Agent>>;

  constructor(private readonly trustedCertificates = TRUSTED_CERTIFICATES) {}

  ask(request: ProviderRequest, on: (event: ProviderEvent) => void): ProviderCall {
    const call = new HttpProviderCall(on);
    this.#agents ??= openAgents(this.trustedCertificates);
    this.#agents
      .then((agents) => call.start(agents[new URL(request.origin).protocol]!, request))
      // The library cannot be loaded, or it does not accept the request.
      .catch(() => call.onResponseError());
    return call;
  }

  /** Ends all calls in progress. */
  async close(): Promise<void> {
    const agents = await this.#agents?.catch(() => undefined);
    await Promise.all(Object.values(agents ?? {}).map((agent) => agent.destroy()));
  }
}

/** undici takes six MiB, so it is loaded only by an engine that makes such attempts. */
async function openAgents(trusted: string): Promise<Record<string, Agent>> {
  const { Agent } = await import('undici');
  // The library has no timeouts, because the pipeline enforces them and a model may think for minutes.
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

/** The certificates, read once: a connection that reads a few hundred certificates takes milliseconds. */
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
  /** Chunks of the body that arrived in one read of the connection. They are passed on together afterwards. */
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

  /** Called when a connection is open and the request is about to be written. */
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
    // A 1xx status is not the answer yet.
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

/**
 * Header values as UTF-8. The library writes only the low byte of each character, so a character beyond ASCII must be
 * given as its bytes.
 */
function onTheWire(headers: Readonly<Record<string, string>>): Record<string, string> {
  const all: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    const bytes = BEYOND_ASCII.test(value) ? Buffer.from(value).toString('latin1') : value;
    all[name] = bytes.replace(CONTROLS, '');
  }
  return all;
}

/** The headers with names in lower case. The values of a repeated name are joined. */
function joined(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const all: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined || name === NEVER_PASSED) continue;
    const text = Array.isArray(value) ? value.join(', ') : value;
    all[name] = BEYOND_ASCII.test(text) ? Buffer.from(text, 'latin1').toString() : text;
  }
  return all;
}
