import type { ErrorDetail } from '../../core/errors.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../../core/json.js';
import type { RatedLog } from './rated-log.js';
import type { TextToMark } from './texts-to-mark.js';

/** Personal data that a person marked in a text of a log. Offsets are UTF-16 units, the end exclusive. */
export interface PiiMark {
  phase: TextToMark['phase'];
  /** The place of the text, as `textsToMark` gives it. */
  place: string;
  start: number;
  end: number;
  /** A type of the detector, or `UNSURE`. */
  type: string;
}

/** The name of the signal that holds the marks of a log. Its weight is 0: it says nothing about the answer. */
export const MARKS_SIGNAL = 'pii_marks';
/** The type of text of which a person could not say whether it is personal data. Findings there count neither way. */
export const UNSURE = '_IGNORE';

/** What is wrong with marks for these texts. `isType` tells whether the detector has a type. */
export function mistakesIn(
  marks: readonly PiiMark[],
  texts: readonly TextToMark[],
  isType: (type: string) => boolean,
): ErrorDetail[] {
  const byText = new Map(texts.map((one) => [keyOf(one), one.text]));
  const details = marks.flatMap((mark, index): ErrorDetail[] => {
    const path = `marks.${index}`;
    const text = byText.get(keyOf(mark));
    if (text === undefined)
      return [{ path: `${path}.place`, message: `is no text of the ${mark.phase} that people mark` }];
    if (mark.type !== UNSURE && !isType(mark.type))
      return [{ path: `${path}.type`, message: `"${mark.type}" is no type of the detector` }];
    if (mark.end > text.length)
      return [{ path: `${path}.end`, message: `the text has ${text.length} UTF-16 units` }];
    if (mark.start >= mark.end) return [{ path: `${path}.start`, message: 'is not below `end`' }];
    return splitsCharacter(text, mark.start) || splitsCharacter(text, mark.end)
      ? [{ path, message: 'begins or ends inside a character' }]
      : [];
  });
  return details.length > 0 ? details : overlaps(marks);
}

function overlaps(marks: readonly PiiMark[]): ErrorDetail[] {
  const order = [...marks.keys()].sort((one, other) => {
    const [a, b] = [marks[one]!, marks[other]!];
    return keyOf(a) < keyOf(b) ? -1 : keyOf(a) > keyOf(b) ? 1 : a.start - b.start;
  });
  return order.flatMap((at, index) => {
    const before = marks[order[index - 1] ?? -1];
    const mark = marks[at]!;
    return before !== undefined && keyOf(before) === keyOf(mark) && mark.start < before.end
      ? [{ path: `marks.${at}`, message: 'overlaps another mark' }]
      : [];
  });
}

function splitsCharacter(text: string, at: number): boolean {
  return at > 0 && (text.codePointAt(at - 1) ?? 0) > 0xffff;
}

function keyOf({ phase, place }: { phase: string; place: string }): string {
  return `${phase} ${place}`;
}

/**
 * The lines of a log for `sluice pii eval`: each text with what one person marked in it. Offsets are code points there.
 * With several people, each has lines of their own.
 */
export function markedLines(
  { record, signals }: RatedLog,
  texts: readonly TextToMark[],
  queue: string | undefined,
): JsonObject[] {
  return signals.flatMap(({ signal_name, metadata }) => {
    if (signal_name !== MARKS_SIGNAL || !Array.isArray(metadata?.marks)) return [];
    if (queue !== undefined && metadata.queue !== queue) return [];
    const marks = metadata.marks.filter(isMark);
    return texts.map((one) => ({
      text: one.text,
      spans: marks.filter((mark) => keyOf(mark) === keyOf(one)).map((mark) => spanOf(mark, one.text)),
      log_id: record._id,
      phase: one.phase,
      place: one.place,
      annotator: metadata.annotator ?? null,
    }));
  });
}

/** Programs can give feedback of any name with any metadata. */
function isMark(value: JsonValue): value is JsonObject & PiiMark {
  if (!isJsonObject(value)) return false;
  const { phase, place, type, start, end } = value;
  const texts = [phase, place, type].every((one) => typeof one === 'string');
  return texts && Number.isInteger(start) && Number.isInteger(end);
}

function spanOf({ start, end, type }: PiiMark, text: string): JsonObject {
  const before = [...text.slice(0, start)].length;
  return { start: before, end: before + [...text.slice(start, end)].length, entity_type: type };
}
