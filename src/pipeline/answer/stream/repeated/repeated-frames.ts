import type { StreamEvent } from '../../../../core/answer.js';
import { type JsonValue, parseJson } from '../../../../core/json.js';
import { copyText, isSmallPart } from '../../../../core/texts/copy-text.js';
import type { SseFrame } from '../../../../dialects/dialect.js';
import { frameDocument } from '../../../../dialects/wire/frame-document.js';
import { formatFrame } from '../../../../dialects/wire/sse.js';
import { type Delta, RepeatedRun, type Shape } from './repeated-run.js';

/**
 * After so many attempts in vain no more frames are tried, because the frames of some streams, such as numbered ones,
 * never repeat.
 */
const MOST_VAIN_TRIES = 4;
/** A larger frame has more than a piece of text, and trying it would cost three parses of it. */
const MOST_UNITS = 16_384;
const FRAME_END = '\n\n';
const PROBE = 'sluice looks where the text stands';
const PLAIN = /^[^"\\\u0000-\u001f]+$/;
const ESCAPED = /^(?:[^"\\\u0000-\u001f]|\\["\\/bfnrt]|\\u[0-9a-fA-F]{4})+$/;

/**
 * Most frames of a stream equal the one before except for a text in the same place. Such a frame means the same event
 * with another text, in any dialect, so it is neither parsed nor decoded. Any other frame ends the run, so that a
 * change of the decoder's state is never skipped.
 *
 * It is an optimization that nothing but this folder and `queued-run.ts` knows about in detail: where `learn` keeps
 * nothing, no frame is found, and every frame takes the usual way. It saves a third of the CPU of a stream whose events
 * come one by one, and half where ten come at once (docs/performance.md).
 */
export class RepeatedFrames {
  #shape: Shape | undefined;
  #tries = 0;
  #hits = 0;

  /**
   * Reads a frame that equals the one before except for its text. Undefined where it must be decoded and passed to `learn`.
   */
  read({ event, data }: SseFrame): RepeatedRun | undefined {
    const shape = this.#shape;
    if (shape === undefined || event !== shape.event) return undefined;
    const { before, after, wire } = shape;
    const end = data.length - after.length;
    if (end <= before.length || !data.startsWith(before) || !data.endsWith(after)) return undefined;
    const literal = data.slice(before.length, end);
    const said = readLiteral(literal);
    if (said === undefined) return undefined;
    // The log keeps it.
    const text = copyText(said);
    this.#hits++;
    const whole = wire.before + literal + wire.after;
    return new RepeatedRun(shape, whole, text, [whole.length], [text.length]);
  }

  /**
   * Reads the frames that begin at this offset of the received text and equal the one before except for their texts.
   * Undefined where there are none.
   */
  readRun(came: string, from: number): RepeatedRun | undefined {
    const shape = this.#shape;
    if (shape === undefined) return undefined;
    const first = readWritten(shape, came, from);
    if (first === undefined) return undefined;
    let { end } = first;
    let units = first.text.length;
    const texts = [first.text];
    const wireEnds = [end - from];
    const textEnds = [units];
    for (let next = readWritten(shape, came, end); next !== undefined; next = readWritten(shape, came, end)) {
      end = next.end;
      units += next.text.length;
      texts.push(next.text);
      wireEnds.push(end - from);
      textEnds.push(units);
    }
    this.#hits += wireEnds.length;
    return new RepeatedRun(shape, came.slice(from, end), joined(texts, came), wireEnds, textEnds);
  }

  /** Learns the form of a decoded frame from its events. */
  learn(frame: SseFrame, events: readonly StreamEvent[]): void {
    this.#shape = undefined;
    const [delta] = events;
    if (events.length !== 1 || delta?.type !== 'delta' || delta.text === '') return;
    if (frame.data.length > MOST_UNITS) return;
    if (this.#tries - this.#hits >= MOST_VAIN_TRIES) return;
    this.#tries++;
    this.#shape = shapeOf(frame, delta);
  }
}

/** The text of the frame that begins at this offset, and where the frame ends; undefined where it has another shape. */
function readWritten({ wire }: Shape, came: string, at: number): { text: string; end: number } | undefined {
  const { before, after } = wire;
  if (!hasAt(came, before, at)) return undefined;
  const end = came.indexOf(FRAME_END, at) + FRAME_END.length;
  const literalEnd = end - after.length;
  if (literalEnd <= at + before.length || !hasAt(came, after, literalEnd)) return undefined;
  const text = readLiteral(came.slice(at + before.length, literalEnd));
  return text === undefined ? undefined : { text, end };
}

/**
 * Joins parts of a text. The log keeps the result, which must not keep the whole text in memory, nor a tree of its parts, as `+=`
 * makes one.
 */
function joined(parts: readonly string[], whole: string): string {
  const [first = ''] = parts;
  if (parts.length > 1) return parts.join('');
  return isSmallPart(first, whole.length) ? copyText(first) : first;
}

/** As `startsWith`, which takes V8 three times as long for some hundred characters. */
function hasAt(text: string, part: string, at: number): boolean {
  return text.slice(at, at + part.length) === part;
}

function shapeOf(frame: SseFrame, delta: Delta): Shape | undefined {
  const { event, data } = frame;
  const literal = JSON.stringify(delta.text);
  const at = data.indexOf(literal);
  if (at === -1) return undefined;
  const before = data.slice(0, at + 1);
  const after = data.slice(at + literal.length - 1);
  if (data.includes(PROBE) || !isTheText(frame, delta.text, before + PROBE + after)) return undefined;
  const wire = {
    before: formatFrame({ event, data: before }).slice(0, -FRAME_END.length),
    after: formatFrame({ data: after }).slice('data: '.length),
  };
  return { event, before, after, delta, wire };
}

/**
 * Whether the text in the place that the probe found really is the delta, and not a field with the same content or
 * part of the JSON syntax. A text of one comma could be either.
 */
function isTheText(frame: SseFrame, text: string, probed: string): boolean {
  const value = frameDocument(frame)?.value;
  const other = parseJson(probed);
  if (value === undefined || other === undefined) return false;
  return count(value, text) === 1 && count(other, text) === 0 && count(other, PROBE) === 1;
}

/** How many strings in a JSON value equal this text. */
function count(json: JsonValue, text: string): number {
  let found = 0;
  const waiting = [json];
  while (waiting.length > 0) {
    const value = waiting.pop()!;
    if (value === text) found++;
    else if (typeof value === 'object' && value !== null) waiting.push(...Object.values(value));
  }
  return found;
}

/** The text of a JSON string without its quotes; undefined where it is not a string, or empty. */
function readLiteral(literal: string): string | undefined {
  if (PLAIN.test(literal)) return literal;
  return ESCAPED.test(literal) ? (JSON.parse(`"${literal}"`) as string) : undefined;
}
