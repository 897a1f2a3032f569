import { setTimeout as sleep } from 'node:timers/promises';
import { AdminClient } from '../../admin-client/admin-client.js';
import { Backoff } from '../../core/backoff.js';
import type { DirectorySnapshot, DirectorySource } from '../../core/directory-source.js';
import { SluiceError } from '../../core/errors.js';
import type { Logger } from '../../core/logger.js';
import type { Secret } from '../../core/secret.js';
import { FedContent } from './fed-content.js';
import { linesOf } from './lines.js';

const FEED_PATH = 'api/directory';
const FIRST_RETRY_MS = 250;
const LONGEST_RETRY_MS = 5_000;
const ANSWER_MS = 5_000;
/** An admin service sends something every ten seconds. One that is silent for this long is considered gone. */
const SILENCE_MS = 25_000;

export interface AdminSourceOptions {
  /** The URL of the admin service. Its path, if any, comes before that of the feed. */
  from: string;
  /** Returns the key of engines. It is read for each connection, because the file may change. */
  key(): Secret | undefined;
  /** The admin service itself stores the projects of its file in MongoDB. */
  remember: DirectorySource['remember'];
  logger: Pick<Logger, 'warn'>;
}

/** Follows the directory of an admin service over HTTP, without MongoDB. */
export function createAdminSource(options: AdminSourceOptions): DirectorySource {
  return new AdminSource(options);
}

class AdminSource implements DirectorySource {
  readonly remember: DirectorySource['remember'];
  readonly #client: AdminClient;
  readonly #content: FedContent;
  /**
   * Why the last connection could not be opened. A connection that was open and broke does not count, because the
   * next one may succeed soon.
   */
  #failure?: Error;
  /** Resolves when the first connection was opened or failed. */
  readonly #tried: Promise<void>;
  #endTry!: () => void;

  constructor({ from: url, key, remember, logger }: AdminSourceOptions) {
    this.remember = remember;
    this.#client = new AdminClient({ url, key, connections: 1 });
    this.#content = new FedContent((mistake) => logger.warn({}, mistake));
    this.#tried = new Promise((resolve) => {
      this.#endTry = resolve;
    });
  }

  async load(): Promise<DirectorySnapshot> {
    await this.#tried;
    if (this.#failure === undefined) return this.#content.snapshot();
    const message = `The directory of ${this.#client.origin} cannot be read: ${this.#failure.message}`;
    throw new SluiceError('storage_unavailable', message, { cause: this.#failure });
  }

  staleSince(): number | undefined {
    return this.#content.staleSince;
  }

  watch(changed: () => void, signal: AbortSignal): void {
    void this.#followFor(changed, signal);
  }

  /** Runs until `signal` is aborted, reconnecting after outages. */
  async #followFor(changed: () => void, signal: AbortSignal): Promise<void> {
    const backoff = new Backoff(FIRST_RETRY_MS, LONGEST_RETRY_MS, Math.random);
    const onNews = () => {
      backoff.reset();
      changed();
    };
    while (!signal.aborted) {
      const failure = await this.#followOnce(onNews, signal);
      if (failure !== undefined) {
        this.#settle(failure);
        changed();
      }
      await sleep(backoff.next(), undefined, { signal }).catch(() => undefined);
    }
    await this.#client.close();
  }

  /** Resolves when the connection has ended; with the error where nothing was received. */
  async #followOnce(onNews: () => void, signal: AbortSignal): Promise<Error | undefined> {
    let opened = false;
    try {
      for await (const line of linesOf(await this.#open(signal))) {
        const changed = this.#content.take(line);
        const isBack = this.#settle(undefined);
        if (changed || isBack || !opened) onNews();
        opened = true;
      }
      return opened ? undefined : new Error('the connection ended without an answer');
    } catch (error) {
      return opened ? undefined : (error as Error);
    }
  }

  #open(signal: AbortSignal): Promise<AsyncIterable<Buffer>> {
    const { version } = this.#content;
    return this.#client.call({
      method: 'GET',
      path: FEED_PATH,
      headers: {
        accept: 'application/x-ndjson',
        ...(version === undefined ? {} : { 'if-none-match': `"${version}"` }),
      },
      answerMs: ANSWER_MS,
      silenceMs: SILENCE_MS,
      signal,
    });
  }

  /** Records the result of a connection. Returns whether it ends an outage. */
  #settle(failure: Error | undefined): boolean {
    const isBack = failure === undefined && this.#failure !== undefined;
    this.#failure = failure;
    this.#endTry();
    return isBack;
  }
}
