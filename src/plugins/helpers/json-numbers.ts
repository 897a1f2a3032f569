import { parseJson } from '../../core/json.js';

/*
 * Finds the JSON number around a finding: when it is masked, the whole number becomes a string, so that the text
 * stays JSON.
 */

export interface Stretch {
  start: number;
  end: number;
}

const NUMBER = /^-?\d+(\.\d+)?([eE][-+]?\d+)?$/;
const OF_NUMBER = /[-+.\deE]/;
/** The most UTF-16 units that are read on each side. */
const MOST_UNITS = 64;
/** The text before a value in an object, and before a number in a list. */
const MEMBER = /"\s*:\s*$/;
const ENTRY = /"\s*:\s*\[[-+.\deE,\s]*$/;
const ENTRY_OF_ALL = /[[,]\s*$/;
const UNITS_BEFORE = 512;

/** Finds the JSON number that contains a part of a text. */
export class JsonNumbers {
  #isJson: boolean | undefined;

  /** `json` is true where the text is known to be JSON, such as the arguments of a tool call. */
  constructor(
    private readonly text: string,
    json = false,
  ) {
    if (json) this.#isJson = true;
  }

  /** The whole number; undefined where the part is not inside a number, or the text is not JSON. */
  around({ start, end }: Stretch): Stretch | undefined {
    const { text } = this;
    let from = start;
    let to = end;
    while (from > 0 && start - from < MOST_UNITS && OF_NUMBER.test(text[from - 1]!)) from--;
    while (to < text.length && to - end < MOST_UNITS && OF_NUMBER.test(text[to]!)) to++;
    if (!NUMBER.test(text.slice(from, to))) return undefined;
    if (!/^\s*([,}\]]|$)/.test(text.slice(to, to + UNITS_BEFORE))) return undefined;
    const before = text.slice(Math.max(0, from - UNITS_BEFORE), from);
    const isValue = MEMBER.test(before) || ENTRY.test(before) || (ENTRY_OF_ALL.test(before) && this.#json());
    return isValue ? { start: from, end: to } : undefined;
  }

  #json(): boolean {
    this.#isJson ??= /^\s*[[{]/.test(this.text) && parseJson(this.text) !== undefined;
    return this.#isJson;
  }
}
