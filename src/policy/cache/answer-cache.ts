import type { Clock } from '../../core/clock.js';

/** An answer as its model gave it, before any guard saw it. */
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
  /** On the monotonic clock. */
  expiresAt: number;
}

const MOST_BYTES = 64 << 20;
/** Longer ones are rare, and would push many others out. */
export const MOST_ANSWER_BYTES = 1 << 20;
/** What an entry takes beside its body. */
const ENTRY_BYTES = 512;

/** Whole, valid, successful answers in memory, by the digest of all that they depend on. The least used goes first. */
export class AnswerCache<Dialect> {
  readonly #entries = new Map<string, Entry<Dialect>>();
  /** Requests that the first of their kind asks a model for. */
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
    // Set anew, so that the least used are at the front.
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

  /** Whoever asks a model for this, where somebody does: resolves when that exchange is over. */
  asking(key: string): Promise<void> | undefined {
    return this.#asking.get(key);
  }

  /** Others of the same kind wait until what is returned is called. */
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
