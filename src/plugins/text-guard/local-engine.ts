import type { MaybePromise } from '../../core/pacing/maybe-promise.js';
import { settle } from '../../core/pacing/maybe-promise.js';
import { Pace } from '../../core/pacing/pace.js';
import type { Steps } from '../../core/pacing/steps.js';
import { atOnce, inTurns, runSteps } from '../../core/pacing/steps.js';
import type { PlacedText } from '../helpers/texts.js';
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
import { inPlace, inPlaceInSteps, isNothing } from './in-place.js';
import { ClearParts } from './memory/clear-parts.js';
import { FindingCache } from './memory/finding-cache.js';
import { NotedFindings } from './memory/noted-findings.js';
import { newScannerId, type ScanPool } from './scan-pool.js';

/** The most text that is scanned on this thread: a few milliseconds of work. More goes to another thread. */
const AT_ONCE_UNITS = 2_048;
/** The fixed cost of scanning a text, expressed in UTF-16 units. */
const UNITS_PER_TEXT = 64;
/** The most text, in UTF-16 units, that is hashed at once. This much takes a large part of a millisecond. */
const HASHED_UNITS = 65_536;
/** The most text, in UTF-16 units, that is compared with what was noted at once. It takes some milliseconds at worst. */
const COMPARED_UNITS = 524_288;
const NOTHING: readonly Found[] = [];
/** The most text of a request. 8 Mi UTF-16 units are more than any model reads. */
export const MOST_UNITS = 8_388_608;

/** More texts than this are looked up in steps, so that other work gets its turn. */
const MANY_TEXTS = 2_000;
const STEP = 500;

/** The result of looking up texts by key: the findings of known ones, and the unknown ones. */
interface Seen {
  known: Map<string, readonly Found[]>;
  unseen: Set<string>;
  /** The unknown texts in the order of their keys, and their total length. */
  texts: string[];
  units: number;
}

export interface LocalEngineOptions {
  scanner: TextScanner;
  /** How a thread creates the same scanner. */
  spec: ScannerSpec;
  pool: ScanPool;
  longestRun: number;
  streamWindow: number | undefined;
}

/**
 * Scans texts in this process: the findings of known texts come from memory, a little new text is scanned at once,
 * and more is scanned in threads.
 */
export class LocalEngine implements TextEngine {
  readonly streamWindow: number | undefined;
  readonly longestRun: number;
  readonly clearParts = new ClearParts();
  readonly #scanner: TextScanner;
  readonly #spec: ScannerSpec;
  readonly #pool: ScanPool;
  readonly #scannerId = newScannerId();
  readonly #cache = new FindingCache();
  readonly #noted = new NotedFindings();

  constructor({ scanner, spec, pool, longestRun, streamWindow }: LocalEngineOptions) {
    this.#scanner = scanner;
    this.#spec = spec;
    this.#pool = pool;
    this.longestRun = longestRun;
    this.streamWindow = streamWindow;
  }

  find(given: readonly PlacedText[], limits: ScanLimits): MaybePromise<PlacedFound[]> {
    if (given.length > MANY_TEXTS) return this.#findMany(given, limits);
    const texts = given.every(isText) ? given : given.filter(isText);
    checkUnits(unitsOf(texts));
    if (limits.passing && costOf(texts) <= AT_ONCE_UNITS) {
      const found = this.#scanTexts(texts.map(({ text }) => text));
      return isNothing(found) ? [] : runSteps(inPlace(texts, found));
    }
    const keys = this.#cache.keysOf(texts.map(({ text }) => text));
    return settle(keys, (known) => this.#findByKeys(texts, known, limits));
  }

  findAtOnce(given: readonly PlacedText[], exchange?: object): PlacedFound[] | undefined {
    if (unitsOf(given) > COMPARED_UNITS) return undefined;
    const noted = this.#noted.recall(exchange);
    const found: (readonly Found[])[] = [];
    const unseen: { index: number; key: string }[] = [];
    let [hashed, cost] = [0, 0];
    // The texts are searched from the end, because the answer comes last and is most likely new.
    for (let index = given.length - 1; index >= 0; index--) {
      const { text } = given[index]!;
      let known = text === '' ? NOTHING : noted?.find(text);
      if (known === undefined) {
        hashed += text.length;
        if (hashed > HASHED_UNITS) return undefined;
        const key = this.#cache.keyOf(text);
        known = this.#cache.get(key);
        if (known === undefined) {
          cost += text.length + UNITS_PER_TEXT;
          if (cost > AT_ONCE_UNITS) return undefined;
          unseen.push({ index, key });
        }
      }
      found.push(known ?? NOTHING);
    }
    found.reverse();
    for (const { index, key } of unseen) found[index] = this.#scanNew(given[index]!.text, key);
    return isNothing(found) ? [] : atOnce(inPlace(given, found));
  }

  #findByKeys(
    texts: readonly PlacedText[],
    keys: readonly string[],
    limits: ScanLimits,
  ): MaybePromise<PlacedFound[]> {
    const known = keys.map((key) => this.#cache.get(key));
    if (isComplete(known)) return this.#give(texts, known, limits);
    const unseen = texts.filter((_, index) => known[index] === undefined);
    if (costOf(unseen) > AT_ONCE_UNITS) return this.#askByKeys(texts, keys, known, limits);
    const found = known.map((there, index) => there ?? this.#scanNew(texts[index]!.text, keys[index]!));
    return this.#give(texts, found, limits);
  }

  /** Has threads scan the texts that are not known, each once. */
  async #askByKeys(
    texts: readonly PlacedText[],
    keys: readonly string[],
    known: readonly (readonly Found[] | undefined)[],
    limits: ScanLimits,
  ): Promise<PlacedFound[]> {
    const unseen = new Map<string, string>();
    for (const [index, { text }] of texts.entries()) {
      if (known[index] === undefined) unseen.set(keys[index]!, text);
    }
    const asked = [...unseen.values()];
    const units = asked.reduce((sum, { length }) => sum + length, 0);
    const looked = await this.#ask(asked, units, limits);
    const fresh = new Map([...unseen.keys()].map((key, index) => [key, looked[index]!]));
    for (const [key, found] of fresh) this.#cache.set(key, found);
    const found = known.map((there, index) => there ?? fresh.get(keys[index]!)!);
    return this.#give(texts, found, limits);
  }

  #give(
    texts: readonly PlacedText[],
    found: readonly (readonly Found[])[],
    { exchange }: ScanLimits,
  ): MaybePromise<PlacedFound[]> {
    if (exchange !== undefined) this.#noted.note(exchange, texts, found);
    return isNothing(found) ? [] : runSteps(inPlace(texts, found));
  }

  /** Does the same in steps. */
  async #findMany(given: readonly PlacedText[], limits: ScanLimits): Promise<PlacedFound[]> {
    const pace = new Pace();
    const { texts, contents, units: all } = await inTurns(withText(given), pace);
    checkUnits(all);
    const keys = await this.#cache.keysOf(contents, all);
    const seen = await inTurns(this.#lookUp(texts, keys), pace);
    const { texts: unseen, units } = seen;
    const isLittle = units + UNITS_PER_TEXT * unseen.length <= AT_ONCE_UNITS;
    const found = isLittle ? this.#scanTexts(unseen) : await this.#ask(unseen, units, limits);
    await inTurns(this.#learn(seen, found), pace);
    return inTurns(inPlaceInSteps(texts, keys, seen.known), pace);
  }

  *#lookUp(texts: readonly PlacedText[], keys: readonly string[]): Steps<Seen> {
    const known = new Map<string, readonly Found[]>();
    const unseen = new Set<string>();
    const fresh: string[] = [];
    let units = 0;
    for (const [index, { text }] of texts.entries()) {
      if (index % STEP === STEP - 1) yield;
      const key = keys[index]!;
      if (unseen.has(key)) continue;
      const found = this.#cache.get(key);
      if (found !== undefined) {
        known.set(key, found);
        continue;
      }
      unseen.add(key);
      fresh.push(text);
      units += text.length;
    }
    return { known, unseen, texts: fresh, units };
  }

  #scanTexts(texts: readonly string[]): (readonly Found[])[] {
    return texts.map((text) => atOnce(this.#scanner.scan(text)));
  }

  /** Scans a text that is not known, and remembers what was found. */
  #scanNew(text: string, key: string): readonly Found[] {
    const found = atOnce(this.#scanner.scan(text));
    this.#cache.set(key, found);
    return found;
  }

  /** Remembers what was found in the new texts. */
  *#learn({ known, unseen }: Seen, found: readonly (readonly Found[])[]): Steps {
    let count = 0;
    for (const key of unseen) {
      const there = found[count]!;
      known.set(key, there);
      this.#cache.set(key, there);
      if (++count % STEP === 0) yield;
    }
  }

  #ask(texts: string[], units: number, { timeoutMs, signal }: ScanLimits): Promise<(readonly Found[])[]> {
    return this.#pool.scan({
      scanner: this.#scannerId,
      spec: this.#spec,
      texts,
      units,
      budgetMs: budgetMs(timeoutMs, units),
      signal,
    });
  }
}

function isText({ text }: PlacedText): boolean {
  return text !== '';
}

/** The texts that are not empty, and how long they are together, in steps. */
function* withText(
  given: readonly PlacedText[],
): Steps<{ texts: PlacedText[]; contents: string[]; units: number }> {
  const texts: PlacedText[] = [];
  const contents: string[] = [];
  let units = 0;
  for (const [index, one] of given.entries()) {
    if (index % STEP === STEP - 1) yield;
    if (!isText(one)) continue;
    texts.push(one);
    contents.push(one.text);
    units += one.text.length;
  }
  return { texts, contents, units };
}

function checkUnits(units: number): void {
  if (units <= MOST_UNITS) return;
  throw new NotSeen(`got ${units} characters of text, and looks at ${MOST_UNITS} at most`, true);
}

function isComplete(
  found: readonly (readonly Found[] | undefined)[],
): found is readonly (readonly Found[])[] {
  return !found.includes(undefined);
}

function unitsOf(texts: readonly PlacedText[]): number {
  return texts.reduce((sum, { text }) => sum + text.length, 0);
}

function costOf(texts: readonly PlacedText[]): number {
  return texts.reduce((sum, { text }) => sum + text.length + UNITS_PER_TEXT, 0);
}
