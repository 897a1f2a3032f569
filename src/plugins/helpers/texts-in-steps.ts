import type { PluginFinding } from '../../core/log-record.js';
import type { Part } from '../../core/message.js';
import type { Steps } from '../../core/pacing/steps.js';
import { mapPartTexts, type TextChange, withPartTexts } from '../../core/texts/part-texts.js';
import { maskSpansInSteps } from './mask-spans.js';
import { groupByPlace, type PlacedText } from './texts.js';

/*
 * The functions of texts.ts, and masking, in steps of a few hundred parts: a request or answer may have a hundred
 * thousand texts.
 */

/** A message, or a choice of an answer. */
type Holder = { parts: Part[] };

const PARTS_AT_ONCE = 500;
/** The most parts of a holder that are read without steps of its own. */
const FEW_PARTS = 250;
/** Replaces text in logs where a plugin rejected content without saying which part of it. */
export const REJECTED_TEXT = '<REJECTED>';

/** Does the same as `messageTexts` and `choiceTexts`, in steps. */
export function* textsInSteps(holders: readonly Holder[]): Steps<PlacedText[]> {
  const found: PlacedText[] = [];
  yield* mapTextsInSteps(holders, (text, place) => {
    found.push({ place, text });
    return text;
  });
  return found;
}

/** Does the same as `mapMessageTexts` and `mapChoiceTexts`, in steps. */
export function* mapTextsInSteps<Held extends Holder>(
  holders: readonly Held[],
  change: TextChange,
): Steps<Held[]> {
  const changed: Held[] = [];
  let count = 0;
  for (const [index, holder] of holders.entries()) {
    const place = `/${index}/parts`;
    const few = fewParts(holder);
    changed.push(
      few === undefined ? yield* withTexts(holder, change, place) : withPartTexts(holder, change, place),
    );
    count += 1 + (few ?? 0);
    if (count >= PARTS_AT_ONCE) {
      count = 0;
      yield;
    }
  }
  return changed;
}

/** The messages or choices with findings replaced by `<TYPE>`. Findings with an unknown place are ignored. */
export function* maskTextsInSteps<Held extends Holder>(
  holders: readonly Held[],
  findings: readonly PluginFinding[],
): Steps<Held[]> {
  const masked = yield* maskedTexts(yield* textsInSteps(holders), findings);
  return yield* mapTextsInSteps(holders, (text, place) => masked.get(place) ?? text);
}

/** The masked form of each text that has findings, by its place. */
export function* maskedTexts(
  texts: readonly PlacedText[],
  findings: readonly PluginFinding[],
): Steps<Map<string, string>> {
  const byPlace = yield* groupByPlace(findings);
  const masked = new Map<string, string>();
  for (const [index, { place, text }] of texts.entries()) {
    const there = byPlace.get(place);
    if (there !== undefined) masked.set(place, yield* maskSpansInSteps(text, there));
    if (index % PARTS_AT_ONCE === PARTS_AT_ONCE - 1) yield;
  }
  return masked;
}

/** All texts replaced, for the log of content that a plugin rejected without saying which part of it. */
export function blankTextsInSteps<Held extends Holder>(holders: readonly Held[]): Steps<Held[]> {
  return mapTextsInSteps(holders, () => REJECTED_TEXT);
}

/** How many parts there are, those of a tool's result included. Undefined where there are many. */
function fewParts({ parts }: Holder): number | undefined {
  let count = parts.length;
  for (const part of parts) {
    if (count > FEW_PARTS) return undefined;
    if (part.type !== 'tool-result') continue;
    if (part.parts.length > FEW_PARTS || part.parts.some(({ type }) => type === 'tool-result'))
      return undefined;
    count += part.parts.length;
  }
  return count > FEW_PARTS ? undefined : count;
}

function* withTexts<Held extends Holder>(holder: Held, change: TextChange, place: string): Steps<Held> {
  let same = true;
  const parts: Part[] = [];
  for (const [index, part] of holder.parts.entries()) {
    const at = `${place}/${index}`;
    // Tool results are the only parts that contain other parts.
    const next: Part =
      part.type === 'tool-result'
        ? yield* withTexts(part, change, `${at}/parts`)
        : mapPartTexts(part, change, at);
    if (next !== part) same = false;
    parts.push(next);
    if (index % PARTS_AT_ONCE === PARTS_AT_ONCE - 1) yield;
  }
  return same ? holder : { ...holder, parts };
}
