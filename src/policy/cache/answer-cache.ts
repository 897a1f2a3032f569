import type { Clock } from '../../core/clock.js';

/** A model's answer before any guard has seen it. */
export interface CachedAnswer<Dialect> {
  /** The log of the exchange that asked the model. */
  logId: string;
  /** The dialect that the model's provider speaks. */
  dialect: Dialect;
  provider: string;
  model: string;
  contentType: string;
  body: Buffer;
}

interface Entry<Dialect> {
  answer: CachedAnswer<Dialect>;
  /** When it expires, on the monotonic clock. */
  expiresAt: number;
}

const MOST_BYTES = 64 << 20;
/** The most bytes of an answer in the cache. Longer ones are rare, and would displace many others. */
export const MOST_ANSWER_BYTES = 1 << 20;
/** The memory of an entry in addition to its body. */
const ENTRY_BYTES = 512;

/**
 * Whole, valid, successful answers in memory, by the digest of everything that they depend on. Where there is no
 * room, the one that was not used for the longest time is dropped.
 */
export class AnswerCache<Dialect> {
  readonly #entries = new Map<string, Entry<Dialect>>();
  /** Keys for which an exchange is asking a model now, each with a promise for its end. */
  readonly #asking = new Map<string, Promise<void>>();
  #bytes = 0;

  constructor(
    private readonly clock: Pick<Clock, 'monotonic'>,
    private readonly mostBytes = MOST_BYTES,
  ) {}

  find(key: string): CachedAnswer<Dialect> | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    this.#entries.delete(key);
    if (entry.expiresAt <= this.clock.monotonic()) {
      this.#bytes -= sizeOf(entry);
      return undefined;
    }
    // The entry is added again, so that those that were not used for long are at the front.
    this.#entries.set(key, entry);
    return entry.answer;
  }

  keep(key: string, answer: CachedAnswer<Dialect>, ttlMs: number): void {
    if (answer.body.length > MOST_ANSWER_BYTES) return;
    this.#remove(key);
    const entry = { answer, expiresAt: this.clock.monotonic() + ttlMs };
    this.#entries.set(key, entry);
    this.#bytes += sizeOf(entry);
    for (const oldest of this.#entries.keys()) {
      if (this.#bytes <= this.mostBytes) break;
      this.#remove(oldest);
    }
  }

  /** Resolves when the exchange that asks a model for this key is over. Undefined where none does. */
  asking(key: string): Promise<void> | undefined {
    return this.#asking.get(key);
  }

  /**
   * Records that an exchange asks a model for this key. Others with the same key wait until the returned function is called.
   */
  ask(key: string): () => void {
    let end!: () => void;
    const over = new Promise<void>((resolve) => {
      end = resolve;
    });
    this.#asking.set(key, over);
    return () => {
      if (this.#asking.get(key) === over) this.#asking.delete(key);
      end();
    };
  }

  #remove(key: string): void {
    const entry = this.#entries.get(key);
    if (entry === undefined) return;
    this.#entries.delete(key);
    this.#bytes -= sizeOf(entry);
  }
}

function sizeOf({ answer }: Entry<unknown>): number {
  return answer.body.length + ENTRY_BYTES;
}
