import type { JsonObject } from '../../../core/json.js';
import type { Steps } from '../../../core/pacing/steps.js';
import type { Dialect } from '../../../dialects/dialect.js';
import { type FoundText, findTextsInSteps, hasNoOtherTexts } from '../../../dialects/members/find-texts.js';
import { type Edit, stepsOf } from '../../../dialects/wire/splice.js';

/*
 * Texts in frames that the neutral form has no place for: calls and results of the provider's own tools, citations,
 * transcripts, names of members, and the text of files. No event has them, but a client reads them, so a guard must
 * see them, as it does in a plain answer. The probabilities of tokens are left out, because they only repeat a text
 * piece by piece.
 */

export interface ExtraText {
  text: string;
  /** An edit that replaces the text. */
  edit(text: string): Edit;
  /** The name of the growing text that this is a piece of, if it is one. */
  growsAs?: string;
}

const TEXTS_AT_ONCE = 250;
/** How deep a frame is looked into before it takes a walk. A call that begins is four levels deep. */
const LEVELS = 5;
const FEW_DELTAS = 4;

export type FrameDialect = Pick<Dialect, 'members' | 'growingText'>;

/** Whether a frame has no text but that of its deltas, as nearly all frames. Returns false where finding out takes a walk. */
export function hasNoExtraTexts(
  value: JsonObject,
  deltas: readonly string[],
  { members }: FrameDialect,
): boolean {
  return deltas.length <= FEW_DELTAS && hasNoOtherTexts([], value, members.frame, LEVELS, deltas);
}

/** Finds these texts in steps of a few hundred values. */
export function* extraTexts(value: JsonObject, dialect: FrameDialect): Steps<ExtraText[]> {
  const texts: ExtraText[] = [];
  for (const found of yield* findTextsInSteps(value, [], dialect.members.frame)) {
    const { text, path: at, key, encode } = found;
    const path = stepsOf(at);
    const isWhole = key || encode !== undefined;
    texts.push({
      text,
      edit: (changed) => editOf({ ...found, path }, changed),
      growsAs: isWhole ? undefined : dialect.growingText(value, path),
    });
    if (texts.length % TEXTS_AT_ONCE === 0) yield;
  }
  return texts;
}

/** The name of a member is written as a name, and the text of a file in the file's encoding. */
function editOf({ path, key, encode }: FoundText, changed: string): Edit {
  const written = JSON.stringify(encode === undefined ? changed : encode(changed));
  return { path, write: () => written, ...(key && { key }) };
}
