import type { OfferedTools } from '../../core/message.js';
import type { Dialect } from '../dialect.js';
import { Members } from '../members/members.js';

/*
 * What dialects have in place of what their API lacks. A plan never leads an untranslated dialect to a provider of
 * another, so what is not made for it is not reached.
 */

function noOtherForm(): never {
  throw new Error('This API has no form in another.');
}

const NO_TOOLS: OfferedTools = { tools: [], forced: [], mustCallOne: false };

/** For an API that no other can say, and that knows no tools. */
export const WITHOUT_TRANSLATION = {
  untranslated: true,
  readTools: () => NO_TOOLS,
  toNeutral: noOtherForm,
  fromNeutral: noOtherForm,
} as const satisfies Partial<Dialect>;

/** The frames of an API without streams. */
export const NO_FRAMES = new Members(() => ({}));

/** For an API whose answers come whole. */
export const WITHOUT_STREAMS = {
  tokenProbabilities: [],
  growingText: () => undefined,
  createDecoder: () => ({ decode: () => [] }),
  createEncoder: noOtherForm,
  adaptFrame: (frame) => frame,
  replaceDeltas: (frame) => frame,
} as const satisfies Partial<Dialect>;
