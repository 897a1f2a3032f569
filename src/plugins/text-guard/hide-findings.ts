import { parseJson } from '../../core/json.js';
import { append } from '../../core/lists/append.js';
import type { Steps } from '../../core/pacing/steps.js';
import { atOnce } from '../../core/pacing/steps.js';
import type { WindowInput } from '../contract/plugin.js';
import { JsonNumbers } from '../helpers/json-numbers.js';
import { joinOverlaps, type Span } from '../helpers/mask-spans.js';
import { groupByPlace, type PlacedText } from '../helpers/texts.js';
import { chooseStandIns, type Hidden, type StandInStyle } from '../stand-ins/choose-stand-ins.js';
import type { KnownStandIns } from '../stand-ins/stand-ins.js';
import type { PlacedFound } from './found.js';

/** Texts whose findings were replaced by stand-ins. */
export interface HiddenTexts {
  /** The changed texts, by place. */
  texts: Map<string, string>;
  /** The value of each stand-in. */
  restores: Record<string, string>;
}

export interface HideOptions {
  style: StandInStyle;
  known: KnownStandIns;
  series: string;
}

/** The number of findings that are handled in one step. */
const STEP = 500;

/**
 * Replaces findings by stand-ins, which are numbered in the order of the texts. Each step handles some hundred
 * findings, or searches a part of a text.
 */
export function* hideInSteps(
  texts: readonly PlacedText[],
  found: readonly PlacedFound[],
  options: HideOptions,
): Steps<HiddenTexts> {
  const byPlace = yield* groupByPlace(found);
  const marked: { place: string; text: string; spans: HiddenSpan[] }[] = [];
  const hidden: HiddenSpan[] = [];
  for (const { place, text } of texts) {
    const there = byPlace.get(place);
    if (there === undefined) continue;
    yield;
    const spans = yield* spansInSteps(text, there, place.endsWith('/arguments'));
    marked.push({ place, text, spans });
    append(hidden, spans);
  }
  const chosen = yield* chooseStandIns({
    hidden,
    texts: texts.map(({ text }) => text),
    ...options,
  });
  const changed = new Map<string, string>();
  for (const { place, text, spans } of marked) changed.set(place, yield* replaceSpans(text, spans, chosen));
  return { texts: changed, restores: yield* restoresOf(chosen) };
}

/**
 * Does the same in a window of a stream. A finding that extends beyond `decided` is shown again later, so it gets no
 * stand-in yet.
 */
export function hideInWindow(
  { text, kind, released }: Pick<WindowInput<unknown>, 'text' | 'kind' | 'released'>,
  found: readonly PlacedFound[],
  decided: number,
  options: HideOptions,
): { spans: { start: number; end: number; replacement: string }[]; restores: Record<string, string> } {
  const spans = atOnce(spansInSteps(text, found, kind === 'tool-arguments'));
  const hidden = spans.filter(({ start, end }) => start >= released && end <= decided);
  const standIns = atOnce(chooseStandIns({ hidden, texts: hidden.length === 0 ? [] : [text], ...options }));
  return {
    spans: spans.map((span) => {
      const standIn = (hidden.includes(span) ? standIns.get(span.value) : undefined) ?? `<${span.type}>`;
      const replacement = span.isNumber ? JSON.stringify(standIn) : standIn;
      return { start: span.start, end: span.end, replacement };
    }),
    restores: atOnce(restoresOf(standIns)),
  };
}

function* restoresOf(standIns: ReadonlyMap<string, string>): Steps<Record<string, string>> {
  const restores: Record<string, string> = {};
  let count = 0;
  for (const [value, standIn] of standIns) {
    restores[standIn] = value;
    if (++count % STEP === 0) yield;
  }
  return restores;
}

interface HiddenSpan extends Hidden {
  start: number;
  end: number;
  /** Set where the value is a JSON number. Its stand-in is written as a string. */
  isNumber?: true;
}

/**
 * Unicode escapes also occur in texts that quote JSON, such as tool results. The escaped and the plain spelling of a
 * value must get the same stand-in.
 */
const ESCAPED = /\\u[\da-f]{4}/i;

/**
 * The spans of a text to hide. `json` means that the text is JSON, such as the arguments of a tool call, so that
 * values are compared without their escapes.
 */
function* spansInSteps(text: string, found: readonly Span[], json: boolean): Steps<HiddenSpan[]> {
  const spans: HiddenSpan[] = [];
  const numbers = new JsonNumbers(text, json);
  for (const { start: from, end, type } of yield* joinOverlaps(found)) {
    const number = numbers.around({ start: from, end });
    if (number !== undefined) {
      // Of several findings in one number, only the first counts.
      if (number.start < (spans.at(-1)?.end ?? 0)) continue;
      spans.push({ type, ...number, value: text.slice(number.start, number.end), isNumber: true });
      continue;
    }
    const start = json && splitsEscape(text, from) && from + 1 < end ? from + 1 : from;
    const raw = text.slice(start, end);
    const meant = json || ESCAPED.test(raw) ? parseJson(`"${raw}"`) : raw;
    spans.push({ type, start, end, value: typeof meant === 'string' ? meant : raw });
    if (spans.length % STEP === 0) yield;
  }
  return spans;
}

/** Whether the unit at an offset belongs to the backslash before it. */
function splitsEscape(text: string, at: number): boolean {
  let backslashes = 0;
  while (text[at - 1 - backslashes] === '\\') backslashes++;
  return backslashes % 2 === 1;
}

function* replaceSpans(
  text: string,
  spans: readonly HiddenSpan[],
  standIns: ReadonlyMap<string, string>,
): Steps<string> {
  let replaced = '';
  let pieces: string[] = [];
  let at = 0;
  for (const { start, end, value, isNumber } of spans) {
    const standIn = standIns.get(value)!;
    pieces.push(text.slice(at, start), isNumber ? JSON.stringify(standIn) : standIn);
    at = end;
    if (pieces.length < 2 * STEP) continue;
    replaced += pieces.join('');
    pieces = [];
    yield;
  }
  return replaced + pieces.join('') + text.slice(at);
}
