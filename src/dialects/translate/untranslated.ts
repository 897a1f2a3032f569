import type { OfferedTools } from '../../core/message.js';
import type { Dialect } from '../dialect.js';
import { Members } from '../members/members.js';

/*
 * Implementations for functions that an API lacks. A plan never sends an untranslated dialect to a provider of
 * another one, so these are never called.
 */

function noOtherForm(): never {
  throw new Error('This API cannot be translated to another one.');
}

const NO_TOOLS: OfferedTools = { tools: [], forced: [], mustCallOne: false };

/** The functions for an API that cannot be translated and has no tools. */
export const WITHOUT_TRANSLATION = {
  untranslated: true,
  readTools: () => NO_TOOLS,
  toNeutral: noOtherForm,
  fromNeutral: noOtherForm,
} as const satisfies Partial<Dialect>;

/** The members of frames for an API without streams: none. */
export const NO_FRAMES = new Members(() => ({}));

/** The functions for an API without streams. */
export const WITHOUT_STREAMS = {
  tokenProbabilities: [],
  growingText: () => undefined,
  createDecoder: () => ({ decode: () => [] }),
  createEncoder: noOtherForm,
  adaptFrame: (frame) => frame,
  replaceDeltas: (frame) => frame,
} as const satisfies Partial<Dialect>;
