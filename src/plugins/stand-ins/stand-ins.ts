import type { Steps } from '../../core/pacing/steps.js';
import { atOnce } from '../../core/pacing/steps.js';
import { TermMatcher } from './term-matcher.js';

/** The form of a text. In `json`, a restored value is inside a string, and a model may have escaped a placeholder. */
export type TextForm = 'plain' | 'json';

const FORMS: readonly TextForm[] = ['plain', 'json'];
const ADDED_AT_ONCE = 512;
/** With this many stand-ins, building a matcher takes milliseconds. */
const MANY = 2_000;

/** The part of the stand-ins that plugins may see. */
export interface KnownStandIns {
  readonly size: number;
  has(standIn: string): boolean;
  valueOf(standIn: string): string | undefined;
  /** The stand-in that this value already has. */
  standInOf(value: string): string | undefined;
  /** A matcher that finds stand-ins in a text. */
  matcher(form: TextForm): TermMatcher;
}

/**
 * The stand-ins of one exchange and their values. Kept in memory with the exchange; printing it or writing it as JSON
 * shows nothing of its content.
 */
export class StandIns implements KnownStandIns {
  #values?: Map<string, string>;
  #standIns?: Map<string, string>;
  #matchers: Partial<Record<TextForm, TermMatcher>> = {};

  get size(): number {
    return this.#values?.size ?? 0;
  }

  has(standIn: string): boolean {
    return this.#values?.has(standIn) === true;
  }

  valueOf(standIn: string): string | undefined {
    return this.#values?.get(standIn);
  }

  standInOf(value: string): string | undefined {
    return this.#standIns?.get(value);
  }

  /** Adds stand-ins. One that already has a value keeps it. */
  add(restores: Iterable<readonly [standIn: string, value: string]>): void {
    atOnce(this.addInSteps(restores));
  }

  /** Does the same as `add`, in steps. Where there are many, it also builds the matcher. */
  *addInSteps(restores: Iterable<readonly [standIn: string, value: string]>): Steps {
    const before = this.size;
    let count = 0;
    for (const [standIn, value] of restores) {
      if (++count % ADDED_AT_ONCE === 0) yield;
      if (this.has(standIn)) continue;
      this.#matchers = {};
      this.#values ??= new Map();
      this.#standIns ??= new Map();
      this.#values.set(standIn, value);
      if (!this.#standIns.has(value)) this.#standIns.set(value, standIn);
    }
    if (this.size === before || this.size < MANY) return;
    for (const form of FORMS) this.#matchers[form] = yield* this.#makeMatcher(form);
  }

  copy(): StandIns {
    const copy = new StandIns();
    copy.add(this.#values ?? []);
    return copy;
  }

  matcher(form: TextForm): TermMatcher {
    this.#matchers[form] ??= atOnce(this.#makeMatcher(form));
    return this.#matchers[form];
  }

  #makeMatcher(form: TextForm): Steps<TermMatcher> {
    return TermMatcher.inSteps(spellings(this.#values?.keys() ?? [], form));
  }

  /** A text with each value replaced by its stand-in, for messages that quote what a client will see. */
  hide(text: string): string {
    let hidden = text;
    const byLength = [...(this.#standIns ?? [])].sort(([one], [other]) => other.length - one.length);
    for (const [value, standIn] of byLength) hidden = hidden.replaceAll(value, () => standIn);
    return hidden;
  }
}

/** All spellings of each stand-in, because some programs escape angle brackets in JSON. */
export function* spellings(
  standIns: Iterable<string>,
  form: TextForm,
): Generator<readonly [spelling: string, standIn: string]> {
  for (const standIn of standIns) {
    yield [standIn, standIn];
    if (form === 'plain' || !/[<>]/.test(standIn)) continue;
    yield [standIn.replaceAll('<', '\\u003c').replaceAll('>', '\\u003e'), standIn];
    yield [standIn.replaceAll('<', '\\u003C').replaceAll('>', '\\u003E'), standIn];
  }
}
