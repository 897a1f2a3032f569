import type { JsonObject } from '../../../core/json.js';
import type { Steps } from '../../../core/pacing/steps.js';
import type { Dialect } from '../../../dialects/dialect.js';
import { findTextsInSteps } from '../../../dialects/members/find-texts.js';
import { type Path, stepsOf } from '../../../dialects/wire/splice.js';

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

const TEXTS_AT_ONCE = 250;

export type FrameDialect = Pick<Dialect, 'members' | 'growingText'>;

/** In steps of some hundred values. */
export function* extraTexts(value: JsonObject, dialect: FrameDialect): Steps<ExtraText[]> {
  const texts: ExtraText[] = [];
  for (const { text, path: at, key, encode } of yield* findTextsInSteps(value, [], dialect.members.frame)) {
    if (key || encode !== undefined) continue;
    const path = stepsOf(at);
    texts.push({ text, path, growsAs: dialect.growingText(value, path) });
    if (texts.length % TEXTS_AT_ONCE === 0) yield;
  }
  return texts;
}
