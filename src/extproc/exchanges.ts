import { randomUUID } from 'node:crypto';
import { ShortLivedMap } from '../core/lists/short-lived-map.js';
import { type MaybePromise, settle } from '../core/pacing/maybe-promise.js';
import type { UnansweredReason } from '../pipeline/attempt/failures.js';
import type { Exchange } from '../pipeline/exchange/exchange.js';
import type { PassedStream } from './passed-stream.js';

/**
 * How long to wait for an attempt, or for an entry of Envoy's access log, after the event that it explains. It nearly
 * always arrives soon.
 */
const PATIENCE_MS = 1000;

/** Who ended a request before its answer was complete. */
export type EndedBy = 'model' | 'client';

interface Entry {
  exchange: Exchange;
  /** Receives the stream of an attempt that is passed on. */
  passed?: PassedStream;
  /** The number of attempts that have arrived. */
  come: number;
  endedBy?: EndedBy;
  /** Why attempts got no answer, by the number of the attempt. */
  unanswered?: Map<number, UnansweredReason>;
  /** Resolves when the attempts that Envoy has opened have begun; undefined where all of them have. */
  beginning?: Promise<void>;
  /** Functions to call when an attempt of this exchange, or an entry of Envoy's access log about it, arrives. */
  waiting?: Set<() => void>;
}

/**
 * Connects Envoy's other messages about a request with its exchange: the attempt filter's streams, and the access
 * log. The key is random, new for each exchange, and sent in Envoy's dynamic metadata, so no client can name another
 * client's exchange. An exchange is listed while its gateway stream lives.
 */
export class Exchanges {
  readonly #byKey = new ShortLivedMap<string, Entry>();
  readonly #byLogId = new ShortLivedMap<string, Entry>();

  /** Lists an exchange. Returns the key by which `find` returns it. */
  add(exchange: Exchange, passed?: PassedStream): string {
    const key = randomUUID();
    const entry = { exchange, passed, come: 0 };
    this.#byKey.set(key, entry);
    this.#byLogId.set(exchange.id, entry);
    return key;
  }

  find(key: string): { exchange: Exchange; passed?: PassedStream } | undefined {
    return this.#byKey.get(key);
  }

  /**
   * Records why an attempt got no answer, from Envoy's access log. The entry of an attempt has no dynamic metadata,
   * so it names the exchange by its log id, which we set as the request's id. Number 0 means the last attempt that
   * was written: the next attempt does not begin before the reason is known.
   */
  noteUnanswered(logId: string, number: number, reason: UnansweredReason): void {
    const entry = this.#byLogId.get(logId);
    if (entry === undefined) return;
    entry.unanswered ??= new Map();
    entry.unanswered.set(number === 0 ? entry.exchange.attempts.length : number, reason);
    tell(entry);
  }

  /**
   * Why an attempt got no answer. The access log and the next attempt arrive on different streams, so this waits for
   * the log where it is late.
   */
  whyUnanswered(logId: string, attempt: number): MaybePromise<UnansweredReason> {
    const entry = this.#byLogId.get(logId);
    const known = entry && reported(entry, ({ unanswered }) => unanswered?.get(attempt));
    return settle(known, (reason) => reason ?? 'server_error');
  }

  /**
   * Begins an attempt when those before it have begun. Envoy opens the next one as soon as one fails, while an
   * earlier one may still wait for the access log or for a place at its provider.
   */
  beginInTurn(key: string, begin: () => MaybePromise<void>): Promise<void> | undefined {
    const entry = this.#byKey.get(key);
    if (entry !== undefined) {
      entry.come++;
      tell(entry);
    }
    const pending = entry?.beginning === undefined ? begin() : entry.beginning.then(begin);
    if (pending === undefined || entry === undefined) return pending ?? undefined;
    const done = () => {
      if (entry.beginning === last) entry.beginning = undefined;
    };
    const last: Promise<void> = pending.then(done, done);
    entry.beginning = last;
    return pending;
  }

  /**
   * Resolves when all attempts that were opened have begun, so that the last one is known; undefined where they have. `made`
   * is the number of attempts that Envoy has made. They arrive on connections of their own, so Envoy's own answer can be read
   * before the last attempt. The only attempt of a request with a single model does not arrive here.
   */
  begun(key: string, made: number): MaybePromise<void> {
    const entry = this.#byKey.get(key);
    if (entry === undefined) return undefined;
    if (entry.passed === undefined || entry.come >= made) return entry.beginning;
    const allCome = reported(entry, ({ come }) => (come < made ? undefined : true));
    return settle(allCome, () => entry.beginning);
  }

  /** Records who ended this exchange early, from Envoy's access log. */
  noteEnd(key: string, endedBy: EndedBy): void {
    const entry = this.#byKey.get(key);
    if (entry === undefined) return;
    entry.endedBy = endedBy;
    tell(entry);
  }

  /**
   * Whether the provider ended the request. Envoy closes its stream to the engine in the same way when the client
   * disconnects. The access log, which may arrive a little later, says which one it was.
   */
  async isBrokenOff(key: string): Promise<boolean> {
    const entry = this.#byKey.get(key);
    return entry !== undefined && (await reported(entry, ({ endedBy }) => endedBy)) === 'model';
  }

  remove(key: string): void {
    const entry = this.#byKey.get(key);
    if (entry !== undefined) this.#byLogId.delete(entry.exchange.id);
    this.#byKey.delete(key);
  }

  get size(): number {
    return this.#byKey.size;
  }
}

function tell(entry: Entry): void {
  for (const look of entry.waiting ?? []) look();
}

/** Waits for a fact about an exchange that another connection reports; undefined where it does not arrive in time. */
function reported<Fact>(
  entry: Entry,
  read: (entry: Entry) => Fact | undefined,
): MaybePromise<Fact | undefined> {
  const known = read(entry);
  if (known !== undefined) return known;
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      entry.waiting?.delete(look);
      resolve(read(entry));
    };
    const look = () => {
      if (read(entry) !== undefined) end();
    };
    const timer = setTimeout(end, PATIENCE_MS);
    entry.waiting ??= new Set();
    entry.waiting.add(look);
  });
}
