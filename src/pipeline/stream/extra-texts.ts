import type { JsonObject } from '../../core/json.js';
import { findTexts } from '../../dialects/helpers/find-texts.js';
import type { Members } from '../../dialects/helpers/members.js';
import { type Path, stepsOf } from '../../dialects/wire/splice.js';

/*
 * Texts of frames that say nothing in neutral form: what tools of the provider were asked and found, citations,
 * transcripts. No event tells of them, but a client reads them, and so a guard has to. The probabilities of tokens
 * are left out: they only repeat a text letter by letter.
 */

export interface ExtraText {
  path: Path;
  text: string;
  /** Where it is one piece of a text that grows: a name for that text. */
  growsAs?: string;
}

/** `known` is what the dialect knows of its frames. */
export function extraTexts(value: JsonObject, known: Members): ExtraText[] {
  return findTexts(value, [], known)
    .filter(({ key }) => !key)
    .map(({ text, path }) => ({ text, path: stepsOf(path) }))
    .map(({ text, path }) => ({ text, path, growsAs: growingText(value, path) }));
}

/** Deltas of one kind, at one place of the answer, are one text. */
function growingText(frame: JsonObject, path: Path): string | undefined {
  if (!path.includes('delta')) return undefined;
  const { type, index, item_id, output_index, content_index } = frame;
  return JSON.stringify([type, index, item_id, output_index, content_index, path]);
}
