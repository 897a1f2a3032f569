import { atOnce, inTurns, Pace } from '../../core/load/pace.js';
import type { PlacedText } from '../helpers/texts.js';
import { FindingCache } from './finding-cache.js';
import {
  budgetMs,
  type Found,
  NotSeen,
  type PlacedFound,
  type ScanLimits,
  type ScannerSpec,
  type TextEngine,
  type TextScanner,
} from './found.js';
import { newScannerId, type ScanPool } from './scan-pool.js';

/** Units of new text that are looked at at once: a few milliseconds. What is more goes to a thread. */
const AT_ONCE_UNITS = 2_048;
/** What a text costs beside its length, in units of text. */
const UNITS_PER_TEXT = 64;
/** More would take a good part of a millisecond to know again. */
const RECALLED_UNITS = 65_536;
/** Texts of an exchange, each compared with each. A longer conversation is hashed again. */
const MOST_NOTED = 64;
const NOTHING: readonly Found[] = [];
/** 8 Mi units of text are more than any model reads. */
export const MOST_UNITS = 8_388_608;

/** More texts than this are looked up with turns for other work, so many in a step. */
const MANY_TEXTS = 2_000;
const STEP = 500;

/** By key: what was found in the texts that are known, and those that are not. */
interface Seen {
  known: Map<string, readonly Found[]>;
  unseen: Map<string, PlacedText>;
}

export interface LocalEngineOptions {
  scanner: TextScanner;
  /** Makes the same scanner in a thread. */
  spec: ScannerSpec;
  pool: ScanPool;
  longestRun: number;
  streamWindow: number | undefined;
}

/** Looks at texts in this process: what it saw before from memory, a little new text at once, more in threads. */
export class LocalEngine implements TextEngine {
  readonly streamWindow: number | undefined;
  readonly longestRun: number;
  readonly #scanner: TextScanner;
  readonly #spec: ScannerSpec;
  readonly #pool: ScanPool;
  readonly #scannerId = newScannerId();
  readonly #cache = new FindingCache();
  /** What was found in the texts of an exchange, so that its LOG phase hashes none of them again. */
  readonly #noted = new WeakMap<object, { text: string; found: readonly Found[] }[]>();

  constructor({ scanner, spec, pool, longestRun, streamWindow }: LocalEngineOptions) {
    this.#scanner = scanner;
    this.#spec = spec;
    this.#pool = pool;
    this.longestRun = longestRun;
    this.streamWindow = streamWindow;
  }

  find(given: readonly PlacedText[], limits: ScanLimits): PlacedFound[] | Promise<PlacedFound[]> {
    const texts = given.filter(({ text }) => text !== '');
    const units = unitsOf(texts);
    if (units > MOST_UNITS) {
      throw new NotSeen(`got ${units} characters of text, and looks at ${MOST_UNITS} at most`, true);
    }
    if (limits.passing && costOf(texts) <= AT_ONCE_UNITS) {
      return texts.flatMap(({ text, place }) => placed(atOnce(this.#scanner.scan(text)), place));
    }
    const keys = this.#cache.keysOf(texts.map(({ text }) => text));
    if (keys instanceof Promise) return keys.then((known) => this.#findByKeys(texts, known, limits));
    return this.#findByKeys(texts, keys, limits);
  }

  recall(given: readonly PlacedText[], exchange?: object): PlacedFound[] | undefined {
    if (unitsOf(given) > RECALLED_UNITS) return undefined;
    const noted = exchange && this.#noted.get(exchange);
    const known: (readonly Found[])[] = [];
    // From the end: what is new is most likely the answer, which is the last.
    for (let index = given.length - 1; index >= 0; index--) {
      const { text } = given[index]!;
      const seen = text === '' ? NOTHING : noted?.find((one) => one.text === text)?.found;
      const found = seen ?? this.#cache.get(this.#cache.keyOf(text));
      if (found === undefined) return undefined;
      known.push(found);
    }
    return known
      .reverse()
      .flatMap((found, index) => (found.length === 0 ? [] : placed(found, given[index]!.place)));
  }

  #findByKeys(
    texts: readonly PlacedText[],
    keys: readonly string[],
    limits: ScanLimits,
  ): PlacedFound[] | Promise<PlacedFound[]> {
    if (texts.length > MANY_TEXTS) return this.#findMany(texts, keys, limits);
    const seen = atOnce(this.#lookUp(texts, keys));
    const finish = (found: readonly (readonly Found[])[]) => {
      const all = atOnce(this.#learn(seen, found, texts, keys));
      if (limits.exchange !== undefined) this.#note(limits.exchange, texts, keys, seen.known);
      return all;
    };
    const found = this.#look([...seen.unseen.values()], limits);
    return found instanceof Promise ? found.then(finish) : finish(found);
  }

  #note(
    exchange: object,
    texts: readonly PlacedText[],
    keys: readonly string[],
    known: ReadonlyMap<string, readonly Found[]>,
  ): void {
    let noted = this.#noted.get(exchange);
    if (noted === undefined) {
      noted = [];
      this.#noted.set(exchange, noted);
    }
    if (noted.length + texts.length > MOST_NOTED) return;
    for (let index = 0; index < texts.length; index++) {
      noted.push({ text: texts[index]!.text, found: known.get(keys[index]!)! });
    }
  }

  /** The same with turns for other work. */
  async #findMany(
    texts: readonly PlacedText[],
    keys: readonly string[],
    limits: ScanLimits,
  ): Promise<PlacedFound[]> {
    const pace = new Pace();
    const seen = await inTurns(this.#lookUp(texts, keys), pace);
    const found = await this.#look([...seen.unseen.values()], limits);
    return inTurns(this.#learn(seen, found, texts, keys), pace);
  }

  *#lookUp(texts: readonly PlacedText[], keys: readonly string[]): Generator<void, Seen> {
    const known = new Map<string, readonly Found[]>();
    const unseen = new Map<string, PlacedText>();
    for (const [index, text] of texts.entries()) {
      const key = keys[index]!;
      const found = this.#cache.get(key);
      if (found !== undefined) known.set(key, found);
      else unseen.set(key, text);
      if (index % STEP === STEP - 1) yield;
    }
    return { known, unseen };
  }

  #look(
    unseen: readonly PlacedText[],
    limits: ScanLimits,
  ): (readonly Found[])[] | Promise<(readonly Found[])[]> {
    if (costOf(unseen) <= AT_ONCE_UNITS) return unseen.map(({ text }) => atOnce(this.#scanner.scan(text)));
    return this.#ask(
      unseen.map(({ text }) => text),
      limits,
    );
  }

  /** Keeps what was found in the unseen texts, and gives what all of them have. */
  *#learn(
    { known, unseen }: Seen,
    found: readonly (readonly Found[])[],
    texts: readonly PlacedText[],
    keys: readonly string[],
  ): Generator<void, PlacedFound[]> {
    let count = 0;
    for (const key of unseen.keys()) {
      const there = found[count]!;
      known.set(key, there);
      this.#cache.set(key, there);
      if (++count % STEP === 0) yield;
    }
    const all: PlacedFound[] = [];
    for (const [index, text] of texts.entries()) {
      const there = known.get(keys[index]!)!;
      if (there.length > 0) for (const one of placed(there, text.place)) all.push(one);
      if (index % STEP === STEP - 1) yield;
    }
    return all;
  }

  #ask(texts: string[], { timeoutMs, signal }: ScanLimits): Promise<(readonly Found[])[]> {
    const units = texts.reduce((sum, text) => sum + text.length, 0);
    return this.#pool.scan({
      scanner: this.#scannerId,
      spec: this.#spec,
      texts,
      budgetMs: budgetMs(timeoutMs, units),
      signal,
    });
  }
}

function unitsOf(texts: readonly PlacedText[]): number {
  return texts.reduce((sum, { text }) => sum + text.length, 0);
}

function costOf(texts: readonly PlacedText[]): number {
  return texts.reduce((sum, { text }) => sum + text.length + UNITS_PER_TEXT, 0);
}

function placed(found: readonly Found[], place: string): PlacedFound[] {
  return found.map(({ type, start, end, score, explanation }) =>
    explanation === undefined
      ? { type, start, end, score, place }
      : { type, start, end, score, explanation, place },
  );
}
