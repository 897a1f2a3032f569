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
const FEW_PARTS = 50;
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
  for (const [index, holder] of holders.entries()) {
    const place = `/${index}/parts`;
    changed.push(
      hasFewParts(holder) ? withPartTexts(holder, change, place) : yield* withTexts(holder, change, place),
    );
    if (index % PARTS_AT_ONCE === PARTS_AT_ONCE - 1) yield;
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

/** Whether there are few parts, and none that holds other parts, as in most messages. */
function hasFewParts({ parts }: Holder): boolean {
  return parts.length <= FEW_PARTS && parts.every(({ type }) => type !== 'tool-result');
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
