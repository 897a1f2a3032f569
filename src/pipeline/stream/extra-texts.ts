import type { JsonObject } from '../../core/json.js';
import type { Dialect } from '../../dialects/dialect.js';
import { findTexts } from '../../dialects/helpers/find-texts.js';
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

export type FrameDialect = Pick<Dialect, 'members' | 'growingText'>;

export function extraTexts(value: JsonObject, dialect: FrameDialect): ExtraText[] {
  return findTexts(value, [], dialect.members.frame)
    .filter(({ key, encode }) => !key && encode === undefined)
    .map(({ text, path }) => ({ text, path: stepsOf(path) }))
    .map(({ text, path }) => ({ text, path, growsAs: dialect.growingText(value, path) }));
}
