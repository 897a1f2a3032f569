import { isJsonObject, type JsonValue } from '../../../core/json.js';
import { parseJsonInSteps } from '../../../core/pacing/json-in-pieces.js';
import { memberNames } from '../../../core/pacing/member-names.js';
import type { Steps } from '../../../core/pacing/steps.js';
import type { SseFrame } from '../../../dialects/dialect.js';
import { type DeepPath, type Edit, spliceInSteps, stringEdit } from '../../../dialects/wire/splice.js';

interface Repeated {
  /** The released texts, by the original text. */
  texts: Pick<ReadonlyMap<string, string>, 'get'>;
  probabilities: readonly string[];
}

/** Does the same as `replaceRepeatedInSteps`, for a frame. A frame that is not JSON stays as it is. */
export function* replaceRepeatedInFrame(frame: SseFrame, repeated: Repeated): Steps<SseFrame> {
  const value = yield* parseJsonInSteps(frame.data);
  if (value === undefined) return frame;
  const data = yield* replaceRepeatedInSteps(frame.data, value, repeated);
  return data === frame.data ? frame : { ...frame, data };
}

const VALUES_AT_ONCE = 500;

/**
 * Some APIs repeat a text: under a second name, complete at its end, or token by token in its probabilities. Each
 * JSON string that equals one of `texts` is replaced with the released text, and `probabilities` are emptied. The
 * rest keeps its bytes.
 */
export function* replaceRepeatedInSteps(
  text: string,
  value: JsonValue,
  { texts, probabilities }: Repeated,
): Steps<string> {
  const edits: Edit[] = [];
  const left: { value: JsonValue; path: DeepPath }[] = [{ value, path: [] }];
  let count = 0;
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const { value: inside, path } = next;
    if (typeof inside === 'string') {
      const replacement = texts.get(inside);
      if (replacement !== undefined) edits.push(stringEdit(path, replacement));
    }
    if (typeof inside !== 'object' || inside === null) continue;
    const steps = isJsonObject(inside) ? memberNames(inside) : inside.keys();
    for (const step of steps) {
      if (++count % VALUES_AT_ONCE === 0) yield;
      const member = (inside as { [step: string | number]: JsonValue })[step]!;
      if (typeof step === 'string' && probabilities.includes(step)) {
        if (member !== null) edits.push(emptied({ within: path, step }, Array.isArray(member)));
      } else if (typeof member === 'string' || (typeof member === 'object' && member !== null)) {
        left.push({ value: member, path: { within: path, step } });
      }
    }
  }
  return edits.length === 0 ? text : yield* spliceInSteps(text, edits);
}

function emptied(path: DeepPath, isList: boolean): Edit {
  return { path, write: () => (isList ? '[]' : 'null') };
}
