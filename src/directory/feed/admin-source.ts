import { setTimeout as sleep } from 'node:timers/promises';
import type { Agent } from 'undici';
import { Backoff } from '../../core/backoff.js';
import type { DirectorySnapshot, DirectorySource } from '../../core/directory-source.js';
import { SluiceError } from '../../core/errors.js';
import { isJsonObject, parseJson } from '../../core/json.js';
import type { Logger } from '../../core/logger.js';
import type { Secret } from '../../core/secret.js';
import { FedContent } from './fed-content.js';
import { linesOf } from './lines.js';

const FEED_PATH = 'api/directory';
const FIRST_RETRY_MS = 250;
const LONGEST_RETRY_MS = 5_000;
const CONNECT_MS = 3_000;
const ANSWER_MS = 5_000;
/** An admin service sends something every ten seconds; one that does not is gone. */
const SILENCE_MS = 25_000;
const LONGEST_ERROR_BYTES = 65_536;

export interface AdminSourceOptions {
  /** The URL of the admin service; a path in it stands before that of the feed. */
  from: string;
  /** Asked with each connection, since the file may change. */
  key(): Secret | undefined;
  /** Projects of the file are kept in MongoDB all the same. */
  remember: DirectorySource['remember'];
  logger: Pick<Logger, 'warn'>;
}

/** Follows the directory of an admin service over HTTP, instead of MongoDB. */
export function createAdminSource(options: AdminSourceOptions): DirectorySource {
  return new AdminSource(options);
}

class AdminSource implements DirectorySource {
  readonly remember: DirectorySource['remember'];
  readonly #url: URL;
  readonly #content: FedContent;
  /** Why the last connection failed; not that one broke which was open: the next one may come soon. */
  #failure?: Error;
  /** Resolves when the first connection is there, or failed. */
  readonly #tried: Promise<void>;
  #endTry!: () => void;

  constructor(private readonly options: AdminSourceOptions) {
    this.remember = options.remember;
    this.#url = new URL(FEED_PATH, `${options.from.replace(/\/+$/, '')}/`);
    this.#content = new FedContent((mistake) => options.logger.warn({}, mistake));
    this.#tried = new Promise((resolve) => {
      this.#endTry = resolve;
    });
  }

  async load(): Promise<DirectorySnapshot> {
    await this.#tried;
    if (this.#failure === undefined) return this.#content.snapshot();
    const message = `The directory of ${this.#url.origin} cannot be read: ${this.#failure.message}`;
    throw new SluiceError('storage_unavailable', message, { cause: this.#failure });
  }

  watch(changed: () => void, signal: AbortSignal): void {
    void this.#followFor(changed, signal);
  }

  /** Until `signal` is aborted, over outages too. */
  async #followFor(changed: () => void, signal: AbortSignal): Promise<void> {
    const { Agent } = await import('undici');
    const agent = new Agent({ connections: 1, connect: { timeout: CONNECT_MS } });
    const backoff = new Backoff(FIRST_RETRY_MS, LONGEST_RETRY_MS, Math.random);
    const told = () => {
      backoff.reset();
      changed();
    };
    while (!signal.aborted) {
      const failure = await this.#followOnce(agent, told, signal);
      if (failure !== undefined) {
        this.#settle(failure);
        changed();
      }
      await sleep(backoff.next(), undefined, { signal }).catch(() => undefined);
    }
    await agent.destroy();
  }

  /** Resolves when the connection is over; with why, where it told nothing. */
  async #followOnce(agent: Agent, told: () => void, signal: AbortSignal): Promise<Error | undefined> {
    let opened = false;
    try {
      for await (const line of linesOf(await this.#open(agent, signal))) {
        const changed = this.#content.take(line);
        const isBack = this.#settle(undefined);
        if (changed || isBack || !opened) told();
        opened = true;
      }
      return opened ? undefined : new Error('it ended its answer at once');
    } catch (error) {
      return opened ? undefined : (error as Error);
    }
  }

  async #open(agent: Agent, signal: AbortSignal): Promise<AsyncIterable<Buffer>> {
    const { version } = this.#content;
    const { statusCode, body } = await agent.request({
      origin: this.#url.origin,
      path: this.#url.pathname,
      method: 'GET',
      headers: {
        accept: 'application/x-ndjson',
        authorization: `Bearer ${this.options.key()?.reveal() ?? ''}`,
        ...(version === undefined ? {} : { 'if-none-match': `"${version}"` }),
      },
      headersTimeout: ANSWER_MS,
      bodyTimeout: SILENCE_MS,
      signal,
    });
    if (statusCode === 200) return body;
    const answer = parseJson((await readSome(body)).toString());
    const error = isJsonObject(answer) && isJsonObject(answer.error) ? answer.error : {};
    throw new Error(`it answered ${statusCode}${typeof error.code === 'string' ? ` ${error.code}` : ''}`);
  }

  /** Gives whether that ends a failure. */
  #settle(failure: Error | undefined): boolean {
    const isBack = failure === undefined && this.#failure !== undefined;
    this.#failure = failure;
    this.#endTry();
    return isBack;
  }
}

async function readSome(body: AsyncIterable<Buffer>): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of body) {
    bytes += piece.length;
    if (bytes > LONGEST_ERROR_BYTES) break;
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}
