import type { Steps } from '../../core/pacing/steps.js';
import { atOnce } from '../../core/pacing/steps.js';
import type { Piece } from '../../core/texts/text-pieces.js';
import { textOf } from '../../core/texts/text-pieces.js';
import type { KnownStandIns, TextForm } from './stand-ins.js';
import { BEFORE_UNITS } from './term-matcher.js';

/** Restores values in one text that arrives in pieces. It only holds back what may be the beginning of a stand-in. */
export class TextRestorer {
  readonly #standIns: KnownStandIns;
  readonly #form: TextForm;
  #pending = '';
  /** The end of the text that was already sent, before its stand-ins were replaced. */
  #before = '';

  constructor(standIns: KnownStandIns, form: TextForm) {
    this.#standIns = standIns;
    this.#form = form;
  }

  /** Takes more text and returns what may be sent. `final` means that nothing follows for now. */
  push(more: string, final: boolean): Piece[] {
    const text = this.#pending + more;
    const json = this.#form === 'json';
    const matcher = this.#standIns.matcher(this.#form);
    const { matches, open } = matcher.find(text, { final, before: this.#before, json });
    const pieces: Piece[] = [];
    let at = 0;
    for (const { start, end, name } of matches) {
      if (start > at) pieces.push(asCame(text.slice(at, start)));
      const value = this.#standIns.valueOf(name)!;
      const restored = json ? JSON.stringify(value).slice(1, -1) : value;
      pieces.push({ source: end - start, text: restored, changed: true });
      at = end;
    }
    if (open > at) pieces.push(asCame(text.slice(at, open)));
    this.#pending = text.slice(open);
    this.#before = (this.#before + text.slice(0, open)).slice(-BEFORE_UNITS);
    return pieces;
  }
}

function asCame(text: string): Piece {
  return { source: text.length, text, changed: false };
}

/** A complete text with the values in place of their stand-ins. */
export function restoreText(text: string, standIns: KnownStandIns, form: TextForm): string {
  return atOnce(restoreInSteps(text, standIns, form));
}

/** The number of UTF-16 units that are searched in one step. */
const STRETCH = 16_384;

/** Does the same as `restoreText`, in steps. */
export function* restoreInSteps(text: string, standIns: KnownStandIns, form: TextForm): Steps<string> {
  if (standIns.size === 0) return text;
  const restorer = new TextRestorer(standIns, form);
  let restored = '';
  let at = 0;
  for (; text.length - at > STRETCH; at += STRETCH) {
    restored += textOf(restorer.push(text.slice(at, at + STRETCH), false));
    yield;
  }
  return restored + textOf(restorer.push(text.slice(at), true));
}
