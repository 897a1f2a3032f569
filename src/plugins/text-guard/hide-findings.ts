import { parseJson } from '../../core/json.js';
import { nextRoundOfLoop } from '../../core/load/pace.js';
import { joinOverlaps, type Span } from '../helpers/mask.js';
import { groupByPlace, type PlacedText } from '../helpers/texts.js';
import type { WindowInput } from '../plugin.js';
import {
  chooseAtOnce,
  chooseStandIns,
  type Hidden,
  type StandInStyle,
} from '../stand-ins/choose-stand-ins.js';
import type { KnownStandIns } from '../stand-ins/stand-ins.js';
import type { PlacedFound } from './found.js';

/** Texts with stand-ins in place of what was found in them. */
export interface HiddenTexts {
  /** By place, those that changed. */
  texts: Map<string, string>;
  /** What stands for what. */
  restores: Record<string, string>;
}

export interface HideOptions {
  style: StandInStyle;
  known: KnownStandIns;
  series: string;
}

/** Values are numbered in the order of the texts. */
export function hideFindings(
  texts: readonly PlacedText[],
  found: readonly PlacedFound[],
  options: HideOptions,
): HiddenTexts | Promise<HiddenTexts> {
  const byPlace = groupByPlace(found);
  const spans = texts.flatMap(({ place, text }) =>
    spansOf(text, byPlace.get(place) ?? [], place.endsWith('/arguments')).map((span) => ({ ...span, place })),
  );
  const write = (standIns: Map<string, string>): Map<string, string> => {
    const spansAt = groupByPlace(spans);
    const changed = texts
      .filter(({ place }) => spansAt.has(place))
      .map(({ place, text }): [string, string] => [place, replaceSpans(text, spansAt.get(place)!, standIns)]);
    return new Map(changed);
  };
  const chosen = chooseStandIns({ ...options, hidden: spans, texts: texts.map(({ text }) => text) });
  if (!(chosen instanceof Promise)) return { texts: write(chosen), restores: restoresOf(chosen) };
  return chosen.then(async (standIns) => {
    await nextRoundOfLoop();
    const changed = write(standIns);
    await nextRoundOfLoop();
    return { texts: changed, restores: restoresOf(standIns) };
  });
}

/** The same in a window of a stream. What reaches over `decided` comes again, and is given no stand-in yet. */
export function hideInWindow(
  { text, kind, released }: Pick<WindowInput<unknown>, 'text' | 'kind' | 'released'>,
  found: readonly PlacedFound[],
  decided: number,
  options: HideOptions,
): { spans: { start: number; end: number; replacement: string }[]; restores: Record<string, string> } {
  const spans = spansOf(text, found, kind === 'tool-arguments');
  const hidden = spans.filter(({ start, end }) => start >= released && end <= decided);
  const standIns = chooseAtOnce({ ...options, hidden, texts: hidden.length === 0 ? [] : [text] });
  return {
    spans: spans.map((span) => ({
      start: span.start,
      end: span.end,
      replacement: (hidden.includes(span) ? standIns.get(span.value) : undefined) ?? `<${span.type}>`,
    })),
    restores: restoresOf(standIns),
  };
}

function restoresOf(standIns: ReadonlyMap<string, string>): Record<string, string> {
  return Object.fromEntries([...standIns].map(([value, standIn]) => [standIn, value]));
}

export interface HiddenSpan extends Hidden {
  start: number;
  end: number;
}

/** What is to be hidden of a text. In `json`, such as the arguments of a call, values are what its strings mean. */
export function spansOf(text: string, found: readonly Span[], json: boolean): HiddenSpan[] {
  return joinOverlaps(found).map(({ start: from, end, type }) => {
    const start = json && splitsEscape(text, from) && from + 1 < end ? from + 1 : from;
    const raw = text.slice(start, end);
    const meant = json ? parseJson(`"${raw}"`) : raw;
    return { type, start, end, value: typeof meant === 'string' ? meant : raw };
  });
}

/** Whether the unit at an offset belongs to the backslash before it. */
function splitsEscape(text: string, at: number): boolean {
  let backslashes = 0;
  while (text[at - 1 - backslashes] === '\\') backslashes++;
  return backslashes % 2 === 1;
}

function replaceSpans(
  text: string,
  spans: readonly HiddenSpan[],
  standIns: ReadonlyMap<string, string>,
): string {
  const pieces: string[] = [];
  let at = 0;
  for (const { start, end, value } of spans) {
    pieces.push(text.slice(at, start), standIns.get(value)!);
    at = end;
  }
  pieces.push(text.slice(at));
  return pieces.join('');
}
