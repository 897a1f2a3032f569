import type { Channel, StreamEvent } from '../../../core/answer.js';
import type { SluiceError } from '../../../core/errors.js';
import type { JsonObject } from '../../../core/json.js';
import type { PluginRun } from '../../../core/log-record.js';
import type { MaybePromise } from '../../../core/pacing/maybe-promise.js';
import { settle } from '../../../core/pacing/maybe-promise.js';
import { eachInTurn, repeat } from '../../../core/pacing/repeat.js';
import { runSteps } from '../../../core/pacing/steps.js';
import type { SseFrame } from '../../../dialects/dialect.js';
import type { GuardStep, StreamGuard } from '../../../plugins/runtime/stream/stream-guard.js';
import type { ChannelText } from './channel-text.js';
import { ChannelTexts } from './channel-texts.js';
import { type ExtraText, extraTexts, type FrameDialect, hasNoExtraTexts } from './extra-texts.js';
import { FrameQueue, type ReadyFrames } from './frame-queue.js';
import type { QueuedFrame, ReleaseDialect, WaitingText } from './queued-frame.js';
import { readFrame, UNREADABLE_EVENT } from './read-frame.js';
import type { RepeatedRun } from './repeated/repeated-run.js';

/** Collected text is shown to the guard once there are this many UTF-16 units of it. */
const MOST_UNSEEN = 1_024;
/** Longer text is shown to the guard in parts. */
const MOST_SHOWN = 8_192;

const NOTHING: GuardedStep = { frames: [] };

export type GuardedDialect = FrameDialect & ReleaseDialect;

/** `frames` are sent before `rejection` ends the stream; nothing may be pushed after that. */
export interface GuardedStep {
  frames: ReadyFrames;
  rejection?: SluiceError;
}

/**
 * Holds a stream's frames until a guard has released all text in them. Frames are sent in order and complete: no part
 * of a frame, not even an unknown field, is sent before its text was released. A frame whose text was not changed
 * keeps its bytes. The text of a channel ends when its part ends, its choice finishes, the stream ends, or the next
 * channel of the same choice begins, because some APIs do not report the end of reasoning in another way. Later text
 * of the channel is guarded together with the earlier text.
 *
 * Its results are there at once where the guard's are. No function may be called before the last result is there.
 */
export class GuardedStream {
  readonly #guard: StreamGuard;
  readonly #dialect: GuardedDialect;
  readonly #texts: ChannelTexts;
  readonly #queue: FrameQueue;
  /** Whether the last pushed frame contained only the text of one delta. */
  #bare = false;
  #rejection: SluiceError | undefined;

  constructor(dialect: GuardedDialect, guard: StreamGuard) {
    this.#guard = guard;
    this.#dialect = dialect;
    this.#texts = new ChannelTexts(dialect.tokenProbabilities);
    this.#queue = new FrameQueue(dialect, this.#texts);
  }

  /** Takes one frame with its decoded events. */
  push(frame: SseFrame, events: readonly StreamEvent[]): MaybePromise<GuardedStep> {
    return settle(this.#take(frame, events), () => this.rest());
  }

  /**
   * Collects frames that equal the last pushed one except for the text of their delta, so that the guard sees several
   * texts at once. Returns false where they must be pushed. Call `rest` before you wait for more frames.
   */
  collect(run: RepeatedRun): boolean {
    if (!this.#bare || this.#rejection !== undefined) return false;
    const channelText = this.#texts.find(run.shape.delta.channel);
    if (channelText === undefined || channelText.unseenLength + run.text.length > MOST_UNSEEN) return false;
    this.#texts.add(channelText, this.#queue.addRun(run));
    return true;
  }

  /** Does the same as `push`, for frames that could not be collected. */
  pushRun(run: RepeatedRun): MaybePromise<GuardedStep> {
    let index = 0;
    const takeNext = () =>
      settle(
        this.#takeOne(run.part(index, ++index)),
        () => index < run.frames && this.#rejection === undefined,
      );
    return settle(repeat(takeNext), () => this.rest());
  }

  #takeOne(run: RepeatedRun): MaybePromise<void> {
    if (this.collect(run)) return;
    const channelText = this.#texts.find(run.shape.delta.channel);
    const shown = channelText === undefined ? undefined : this.#show(channelText, false);
    return settle(shown, () => {
      if (this.collect(run)) return;
      const { frame, delta } = run.frameAt(0);
      return this.#take(frame, [delta]);
    });
  }

  #take(came: SseFrame, events: readonly StreamEvent[]): MaybePromise<void> {
    const read = readFrame(came, events);
    if (read === undefined) this.#rejection ??= this.#guard.miss(UNREADABLE_EVENT);
    if (this.#rejection !== undefined) return;
    const frame = read?.frame ?? came;
    const value = read?.value;
    const queued = this.#queue.add(frame, events);
    this.#bare = value !== undefined && frame === came && events.length === 1 && events[0]!.type === 'delta';
    return settle(this.#takeEvents(events, queued), () =>
      value === undefined ? undefined : this.#takeExtraTexts(value, queued),
    );
  }

  /** Whether anything was changed or is held back. */
  get changed(): boolean {
    return this.#queue.changed || this.#rejection !== undefined;
  }

  /** The approximate memory of the waiting frames, in bytes. */
  get heldBytes(): number {
    return this.#queue.heldBytes;
  }

  /** Must be called after each piece of the stream, with its length in UTF-16 units, so that held frames do not keep it in memory. */
  copySmallParts(units: number): void {
    this.#queue.copySmallParts(units);
  }

  /** The number of separate texts. */
  get channelCount(): number {
    return this.#texts.count;
  }

  /** Shows the collected text to the guard, where that is enough for it to look. */
  rest(): MaybePromise<GuardedStep> {
    return settle(eachInTurn(this.#texts.takeFresh(), this.#showDue), this.#takeReady);
  }

  /** Called when the stream has ended, with or without its own end event. Returns the rest. */
  end(): MaybePromise<GuardedStep> {
    return settle(this.#flush(this.#texts.all()), this.#takeReady);
  }

  /** The runs of the plugins. Called when the stream is over. `interrupted` says why it ended early. */
  finish(interrupted?: string): { runs: PluginRun[] } {
    return this.#guard.finish(interrupted);
  }

  #takeEvents(events: readonly StreamEvent[], queued: QueuedFrame): MaybePromise<void> {
    let delta = 0;
    return eachInTurn(events, (event) => {
      if (this.#rejection !== undefined) return;
      if (event.type === 'delta') return this.#takeText(event.channel, queued.texts[delta++]!);
      return this.#flush(this.#texts.endedBy(event));
    });
  }

  #takeText(channel: Channel, text: WaitingText): MaybePromise<void> {
    if (text.original === '') return;
    const begun = this.#texts.find(channel);
    if (begun !== undefined) return this.#texts.add(begun, text);
    return settle(this.#flush(this.#texts.ofChoice(channel.choice)), () => {
      if (this.#rejection === undefined) this.#texts.add(this.#texts.begin(channel), text);
    });
  }

  /** Takes the texts of a frame outside of its deltas. */
  #takeExtraTexts(value: JsonObject, queued: QueuedFrame): MaybePromise<void> {
    const { deltas } = queued;
    if (hasNoExtraTexts(value, deltas, this.#dialect)) return;
    return settle(runSteps(extraTexts(value, this.#dialect)), (texts) => {
      if (texts.length === 0) return;
      this.#texts.settle();
      const said = new Set(deltas);
      return eachInTurn(texts, (extra) =>
        said.has(extra.text) ? undefined : this.#takeExtra(extra, queued),
      );
    });
  }

  /** Pieces of one growing text share a channel. Any other text has a channel of its own and ends at once. */
  #takeExtra(extra: ExtraText, queued: QueuedFrame): MaybePromise<void> {
    if (this.#rejection !== undefined) return;
    this.#bare = false;
    const isGrowing = extra.growsAs !== undefined;
    const known = isGrowing ? undefined : this.#texts.equalTo(extra.text);
    if (known !== undefined) return this.#repeatKnown(known, extra, queued);
    const channelText = this.#texts.ofExtra(extra);
    this.#texts.add(channelText, queued.addExtra(extra));
    if (isGrowing) return;
    return settle(this.#flush([channelText]), () => {
      if (channelText.changed) return this.#texts.keep(channelText);
      this.#texts.forgetExtra(channelText);
      this.#guard.forget(channelText.channel);
    });
  }

  /** A text that arrives complete has ended, so what is released of it is sent here. */
  #repeatKnown(known: ChannelText, extra: ExtraText, queued: QueuedFrame): MaybePromise<void> {
    return settle(this.#flush([known]), () => {
      if (this.#rejection === undefined && known.changed) queued.addDecided(extra, known.whole().went);
    });
  }

  readonly #showDue = (channelText: ChannelText): MaybePromise<void> => {
    const { unseenLength, channel } = channelText;
    const isDue = unseenLength > 0 && unseenLength >= this.#guard.collects(channel);
    return isDue ? this.#show(channelText, false) : undefined;
  };

  #flush(channelTexts: readonly ChannelText[]): MaybePromise<void> {
    return eachInTurn(channelTexts, (channelText) =>
      channelText.isWaiting ? this.#show(channelText, true) : undefined,
    );
  }

  /** Shows the collected text of a channel to the guard, one part at a time, because one frame can have a megabyte of it. */
  #show(channelText: ChannelText, final: boolean): MaybePromise<void> {
    if (this.#rejection !== undefined) return;
    const showPart = (): MaybePromise<boolean> => {
      const text = channelText.takeUnseen(MOST_SHOWN);
      const isLast = channelText.unseenLength === 0;
      return settle(this.#ask(channelText.channel, text, final && isLast), (step) => {
        this.#decide(channelText, step);
        return !isLast && this.#rejection === undefined;
      });
    };
    return repeat(showPart);
  }

  #ask(channel: Channel, text: string, final: boolean): MaybePromise<GuardStep> {
    return final ? this.#guard.flush(channel, text) : this.#guard.push(channel, text);
  }

  #decide(channelText: ChannelText, step: GuardStep): void {
    if ('rejection' in step) this.#rejection = step.rejection;
    else channelText.release(step.pieces);
    this.#texts.noteDecided(channelText);
  }

  readonly #takeReady = (): MaybePromise<GuardedStep> => settle(this.#queue.take(), this.#given);

  readonly #given = (frames: ReadyFrames): GuardedStep => {
    if (this.#rejection !== undefined) return { frames, rejection: this.#rejection };
    return frames.length === 0 ? NOTHING : { frames };
  };
}
