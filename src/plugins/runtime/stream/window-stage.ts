import type { Channel } from '../../../core/answer.js';
import { assertNever } from '../../../core/assert-never.js';
import type { SluiceError } from '../../../core/errors.js';
import type { MaybePromise } from '../../../core/pacing/maybe-promise.js';
import { settle } from '../../../core/pacing/maybe-promise.js';
import {
  appendPieces,
  cutPieces,
  lengthOf,
  type Piece,
  type Replacement,
  replaceInPieces,
  textOf,
} from '../../../core/texts/text-pieces.js';
import { reasonOf } from '../../contract/fault.js';
import type { Caller, TimedCall } from '../call/caller.js';
import type { HostContext, PreparedPlugin } from '../prepare/prepared-plugin.js';
import { rejectedByPlugin } from '../run/plugin-errors.js';
import { readObject, readRejection } from '../run/read-result.js';
import { type Failure, failureOf } from '../run/run-record.js';
import type { StageRun } from '../run/stage-run.js';
import { readWindow, settleSpans, type WindowReading } from './read-window.js';

export type StageStep = { pieces: readonly Piece[] } | { rejection: SluiceError };

const NOTHING: StageStep = { pieces: [] };

/**
 * The least length up to which a span is held back. A longer span is masked as far as it has arrived, so that no text
 * can hold a stream forever.
 */
const SHORTEST_LONGEST_HOLD = 4_096;
/**
 * The most text that arrives between two calls of the plugin, unless half a window is more. It limits the delay that
 * a reader notices.
 */
const MOST_STEP = 256;

/**
 * One window plugin on one channel. It keeps the last `window` units that arrived, and as many of those that it
 * released, so that the plugin sees the requested context around a text before it is sent. Its offsets refer to the
 * text as the plugin sees it, after the guards before it.
 */
export class WindowStage {
  readonly #prepared: PreparedPlugin;
  readonly #window: number;
  readonly #channel: Channel;
  readonly #context: HostContext;
  readonly #caller: Caller;
  readonly #run: StageRun;
  /** Text that was already sent, in the form that the plugin saw. */
  #before = '';
  #pending: Piece[] = [];
  /** The offset in the channel of the first unit that is held back. */
  #offset = 0;
  /** Whether the first unit that is held back belongs to a span that was already replaced. */
  #insideSpan = false;
  /** When this many units are held back, the plugin is called again. */
  #askAt: number;

  constructor(
    prepared: PreparedPlugin,
    window: number,
    channel: Channel,
    context: HostContext,
    caller: Caller,
    run: StageRun,
  ) {
    this.#prepared = prepared;
    this.#window = window;
    this.#channel = channel;
    this.#context = context;
    this.#caller = caller;
    this.#run = run;
    this.#askAt = window + this.#step;
  }

  /** Whether the plugin has failed and lets all text pass. */
  get stopped(): boolean {
    return this.#run.stopped;
  }

  /** How many more units must arrive before the plugin is called again. */
  get missing(): number {
    return this.#askAt - lengthOf(this.#pending);
  }

  /**
   * Takes the pieces that arrived and returns those that may be sent. `final` means that nothing of this text follows
   * for now.
   */
  step(pieces: readonly Piece[], final: boolean): MaybePromise<StageStep> {
    appendPieces(this.#pending, pieces);
    if (this.#run.stopped) return this.#letAllGo();
    if (!final && lengthOf(this.#pending) < this.#askAt) return NOTHING;
    const text = textOf(this.#pending);
    const settled = this.#before.length + (final ? text.length : Math.max(0, text.length - this.#window));
    if (text === '') return NOTHING;
    const released = this.#before.length;
    const content = { kind: this.#channel.kind, text: this.#before + text, released, settled, final };
    const timed = this.#caller.call(this.#prepared, 'responseWindow', this.#context, content);
    return settle(timed, (done) => this.#judge(done, text, settled));
  }

  #judge({ called, durationMs }: TimedCall, text: string, settled: number): StageStep {
    this.#run.durationMs += durationMs;
    this.#run.calls++;
    switch (called.end) {
      case 'disconnected':
        return NOTHING;
      case 'returned':
        return this.#read(called.value, text, settled);
      case 'error':
      case 'timeout':
        return this.#stop(failureOf(called));
      default:
        return assertNever(called);
    }
  }

  #read(value: unknown, text: string, settled: number): StageStep {
    try {
      const result = readObject(value);
      if (result.action === 'reject') {
        this.#run.reject(result, (finding) => this.#placed(finding));
        return { rejection: rejectedByPlugin(readRejection(result)) };
      }
      return this.#letGo(readWindow(result, this.#before.length + text.length), text, settled);
    } catch (thrown) {
      return this.#stop({ outcome: 'error', reason: reasonOf(thrown) });
    }
  }

  #letGo(reading: WindowReading, text: string, settled: number): StageStep {
    this.#context.standIns?.add(reading.restores);
    const known = this.#before.length;
    const isFinal = settled === known + text.length;
    const limit = isFinal ? settled : this.#limit(settled, reading.keepFrom);
    const { cut, spans, insideSpan } = settleSpans({
      spans: reading.spans.map((span) => ({ ...span, start: span.start - known, end: span.end - known })),
      limit: wholeCharacters(text, limit - known),
      longestHold: this.#longestHold,
      insideSpan: this.#insideSpan,
    });
    const { left, right } = cutBetween(this.#pending, cut, spans);
    const taken = lengthOf(left);
    // A finding counts once, when the place where it starts is released.
    this.#run.note(reading.notes, (finding) =>
      finding.start >= known && finding.start < known + taken ? this.#placed(finding) : undefined,
    );
    const due = spans.filter((span) => span.end <= taken);
    const pieces = replaceInPieces(left, due);
    if (due.length > 0) this.#run.modified = true;
    this.#before = tail(this.#before + text.slice(0, taken), this.#window);
    this.#offset += taken;
    this.#pending = right;
    this.#askAt = lengthOf(right) + this.#step;
    if (taken > 0) this.#insideSpan = insideSpan && taken === cut;
    return { pieces };
  }

  /**
   * The offset up to which text may be sent. Text that the plugin is not sure about is held back, up to the limit.
   */
  #limit(settled: number, keepFrom: number | undefined): number {
    if (keepFrom === undefined || keepFrom >= settled) return settled;
    return Math.max(keepFrom, this.#before.length, settled - this.#longestHold);
  }

  /**
   * How much text must arrive before the next call, because each call checks two windows again. Small at first, so
   * that a reader soon gets text, and later twice what was sent.
   */
  get #step(): number {
    if (this.#offset === 0) return Math.max(1, this.#window >> 3);
    const half = Math.max(1, this.#window >> 1);
    return Math.max(half, Math.min(2 * this.#offset, 2 * this.#window, MOST_STEP));
  }

  get #longestHold(): number {
    return Math.max(4 * this.#window, SHORTEST_LONGEST_HOLD);
  }

  #placed<Finding extends { start: number; end: number }>(finding: Finding): Finding & { place: string } {
    const { choice, part, kind } = this.#channel;
    const place = `/${choice}/parts/${part}/${kind === 'tool-arguments' ? 'arguments' : 'text'}`;
    const shift = this.#offset - this.#before.length;
    return Object.assign({}, finding, { place, start: finding.start + shift, end: finding.end + shift });
  }

  #stop(failure: Failure): StageStep {
    const rejection = this.#run.stop(failure);
    return rejection === undefined ? this.#letAllGo() : { rejection };
  }

  #letAllGo(): StageStep {
    const pieces = this.#pending;
    this.#pending = [];
    return { pieces };
  }
}

/** Cuts at or before `cut`, where neither a changed piece nor a span is split. */
function cutBetween(
  pieces: readonly Piece[],
  cut: number,
  spans: readonly Replacement[],
): { left: Piece[]; right: Piece[] } {
  const parts = cutPieces(pieces, cut);
  const taken = lengthOf(parts.left);
  const parted = spans.find((span) => span.start < taken && span.end > taken);
  return parted === undefined ? parts : cutBetween(pieces, parted.start, spans);
}

/** The nearest offset, at or before this one, that does not split a surrogate pair. */
function wholeCharacters(text: string, offset: number): number {
  return offset > 0 && offset < text.length && isHighSurrogate(text.charCodeAt(offset - 1))
    ? offset - 1
    : offset;
}

function tail(text: string, length: number): string {
  const start = Math.max(0, text.length - length);
  return text.slice(start > 0 && isHighSurrogate(text.charCodeAt(start - 1)) ? start + 1 : start);
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}
