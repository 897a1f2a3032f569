import { isJsonObject, parseJson } from '../../core/json.js';
import type { SseFrame } from '../../dialects/dialect.js';
import { type Edit, type Path, spliceValues, stringEdit } from '../../dialects/wire/splice.js';

/**
 * Some APIs say a text once more: under a second name, whole where it ends, or letter by letter in the
 * probabilities of its tokens. Each string of the frame that is one of `texts` gets the text that went on in its
 * place, and `probabilities` are emptied; the rest of the frame keeps its bytes.
 */
export function replaceRepeatedTexts(
  frame: SseFrame,
  texts: ReadonlyMap<string, string>,
  probabilities: readonly string[],
): SseFrame {
  const value = parseJson(frame.data);
  if (value === undefined) return frame;
  const edits: Edit[] = [];
  collect(value, [], { texts, probabilities }, edits);
  return edits.length === 0 ? frame : { ...frame, data: spliceValues(frame.data, edits) };
}

interface Repeated {
  texts: ReadonlyMap<string, string>;
  probabilities: readonly string[];
}

function collect(value: unknown, path: Path, repeated: Repeated, edits: Edit[]): void {
  if (typeof value === 'string') {
    const replacement = repeated.texts.get(value);
    if (replacement !== undefined) edits.push(stringEdit(path, replacement));
  } else if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) collect(item, [...path, index], repeated, edits);
  } else if (isJsonObject(value)) {
    for (const [key, member] of Object.entries(value)) {
      if (!repeated.probabilities.includes(key)) collect(member, [...path, key], repeated, edits);
      else if (member !== null) edits.push(emptied([...path, key], Array.isArray(member)));
    }
  }
}

function emptied(path: Path, isList: boolean): Edit {
  return { path, write: () => (isList ? '[]' : 'null') };
}
