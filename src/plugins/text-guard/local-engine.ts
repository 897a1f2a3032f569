import type { PlacedText } from '../helpers/texts.js';
import { FindingCache } from './finding-cache.js';
import {
  budgetMs,
  type Found,
  NotSeen,
  type PlacedFound,
  type ScanLimits,
  type ScannerSpec,
  scanAtOnce,
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
/** 8 Mi units of text are more than any model reads. */
export const MOST_UNITS = 8_388_608;

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
      return texts.flatMap(({ text, place }) => placed(scanAtOnce(this.#scanner, text), place));
    }
    const keys = this.#cache.keysOf(texts.map(({ text }) => text));
    if (keys instanceof Promise) return keys.then((known) => this.#findByKeys(texts, known, limits));
    return this.#findByKeys(texts, keys, limits);
  }

  recall(given: readonly PlacedText[]): PlacedFound[] | undefined {
    if (unitsOf(given) > RECALLED_UNITS) return undefined;
    const known: (readonly Found[])[] = [];
    // From the end: what is new is most likely the answer, which is the last.
    for (let index = given.length - 1; index >= 0; index--) {
      const { text } = given[index]!;
      const found = text === '' ? [] : this.#cache.get(this.#cache.keyOf(text));
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
    const known = new Map<string, readonly Found[]>();
    const unseen = new Map<string, PlacedText>();
    for (const index of texts.keys()) {
      const key = keys[index]!;
      const found = this.#cache.get(key);
      if (found !== undefined) known.set(key, found);
      else unseen.set(key, texts[index]!);
    }
    const place = () => texts.flatMap((text, index) => placed(known.get(keys[index]!)!, text.place));
    if (costOf([...unseen.values()]) <= AT_ONCE_UNITS) {
      for (const [key, { text }] of unseen) this.#learn(known, key, scanAtOnce(this.#scanner, text));
      return place();
    }
    return this.#ask(
      [...unseen.values()].map(({ text }) => text),
      limits,
    ).then((found) => {
      for (const [index, key] of [...unseen.keys()].entries()) this.#learn(known, key, found[index]!);
      return place();
    });
  }

  #learn(known: Map<string, readonly Found[]>, key: string, found: readonly Found[]): void {
    known.set(key, found);
    this.#cache.set(key, found);
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
