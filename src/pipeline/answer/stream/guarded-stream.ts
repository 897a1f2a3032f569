import type { Channel, StreamEvent } from '../../../core/answer.js';
import { assertNever } from '../../../core/assert-never.js';
import type { SluiceError } from '../../../core/errors.js';
import type { JsonObject } from '../../../core/json.js';
import type { PluginRun } from '../../../core/log-record.js';
import type { MaybePromise } from '../../../core/pacing/maybe-promise.js';
import { settle } from '../../../core/pacing/maybe-promise.js';
import type { Steps } from '../../../core/pacing/steps.js';
import { runSteps } from '../../../core/pacing/steps.js';
import type { SseFrame } from '../../../dialects/dialect.js';
import type { GuardStep, StreamGuard } from '../../../plugins/runtime/stream/stream-guard.js';
import { ChannelText } from './channel-text.js';
import { type ExtraText, extraTexts, type FrameDialect } from './extra-texts.js';
import { FrameQueue } from './frame-queue.js';
import { KnownTexts } from './known-texts.js';
import type { QueuedFrame, ReleaseDialect, WaitingText } from './queued-frame.js';
import { readFrame, UNREADABLE_EVENT } from './read-frame.js';
import type { RepeatedRun } from './repeated/repeated-run.js';
import { replaceRepeatedInFrame } from './repeated-texts.js';

/** Collected text is shown to the guard once there are this many UTF-16 units of it. */
const MOST_UNSEEN = 1_024;
/** Longer text is shown to the guard in parts. */
const MOST_SHOWN = 8_192;
/** Part numbers from here on are for texts that the neutral form does not have. */
const EXTRA = 1_000_000;

export type GuardedDialect = FrameDialect & ReleaseDialect;

/** `frames` are sent before `rejection` ends the stream; nothing may be pushed after that. */
export interface GuardedStep {
  frames: (SseFrame | RepeatedRun)[];
  rejection?: SluiceError;
}

const keyOf = ({ kind, choice, part }: Channel) => `${kind} ${choice} ${part}`;

/**
 * Holds a stream's frames until a guard has released all text in them. Frames are sent in order and complete: no part
 * of a frame, not even an unknown field, is sent before its text was released. A frame whose text was not changed
 * keeps its bytes. The text of a channel ends when its part ends, its choice finishes, the stream ends, or the next
 * channel of the same choice begins, because some APIs do not report the end of reasoning in another way. Later text
 * of the channel is guarded together with the earlier text.
 */
export class GuardedStream {
  readonly #guard: StreamGuard;
  readonly #dialect: GuardedDialect;
  readonly #queue: FrameQueue;
  readonly #channels = new Map<string, ChannelText>();
  /** The channels whose text waits, by choice. */
  readonly #waiting = new Map<number, Set<ChannelText>>();
  /** Channels with collected text that the guard has not seen yet. */
  readonly #unseen = new Set<ChannelText>();
  /** Whether the last pushed frame contained only the text of one delta. */
  #bare = false;
  #extraTexts = 0;
  /** All texts, and those that were changed before they were sent. */
  readonly #known = new KnownTexts();
  readonly #changedTexts = new KnownTexts();
  #rejection: SluiceError | undefined;

  constructor(dialect: GuardedDialect, guard: StreamGuard) {
    this.#guard = guard;
    this.#dialect = dialect;
    this.#queue = new FrameQueue(dialect, (frame) => this.#withoutRepeats(frame));
  }

  /** Takes one frame with its decoded events. Must not be called before the last call has ended. */
  push(frame: SseFrame, events: readonly StreamEvent[]): MaybePromise<GuardedStep> {
    return settle(runSteps(this.#take(frame, events)), () => this.rest());
  }

  /**
   * Collects frames that equal the last pushed one except for the text of their delta, so that the guard sees several
   * texts at once. Returns false where they must be pushed. Call `rest` before you wait for more frames.
   */
  collect(run: RepeatedRun): boolean {
    if (!this.#bare || this.#rejection !== undefined) return false;
    const channelText = this.#channels.get(keyOf(run.delta.channel));
    if (channelText === undefined || channelText.unseenLength + run.text.length > MOST_UNSEEN) return false;
    this.#add(channelText, this.#queue.addRun(run));
    return true;
  }

  /** Does the same as `push`, for frames that could not be collected. */
  pushRun(run: RepeatedRun): MaybePromise<GuardedStep> {
    return settle(runSteps(this.#pushRun(run)), () => this.#step());
  }

  *#pushRun(run: RepeatedRun): Steps {
    for (let index = 0; index < run.frames && this.#rejection === undefined; index++) {
      const one = run.part(index, index + 1);
      if (this.collect(one)) continue;
      yield* this.#showUnseen();
      if (this.collect(one)) continue;
      const { frame, delta } = one.frameAt(0);
      yield* this.#take(frame, [delta]);
    }
    yield* this.#showUnseen();
  }

  *#take(came: SseFrame, events: readonly StreamEvent[]): Steps {
    const read = readFrame(came, events);
    if (read === undefined) this.#rejection ??= this.#guard.miss(UNREADABLE_EVENT);
    if (this.#rejection !== undefined) return;
    const { frame, value } = read ?? { frame: came };
    const queued = this.#queue.add(frame, events);
    this.#bare = value !== undefined && frame === came && events.length === 1 && events[0]!.type === 'delta';
    let delta = 0;
    for (const [index, event] of events.entries()) {
      if (index > 0) yield;
      if (this.#rejection !== undefined) break;
      if (event.type === 'delta') yield* this.#guardText(event.channel, queued.texts[delta++]!);
      else {
        const ended = this.#endedBy(event);
        if (ended.length > 0) yield* this.#flush(ended);
      }
    }
    if (value === undefined) return;
    const extra = yield* this.#extraTextsOf(value, queued);
    if (extra.length > 0) yield* this.#guardExtra(extra, queued);
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
    return this.#channels.size;
  }

  /** Whether collected text waits that the guard has not seen yet. */
  get hasUnseen(): boolean {
    return this.#unseen.size > 0;
  }

  /** Shows the collected text to the guard. */
  rest(): MaybePromise<GuardedStep> {
    return settle(this.hasUnseen ? runSteps(this.#showUnseen()) : undefined, () => this.#step());
  }

  *#showUnseen(): Steps {
    let isFirst = true;
    for (const channelText of this.#unseen) {
      if (!isFirst) yield;
      isFirst = false;
      if (this.#rejection !== undefined) break;
      yield* this.#show(channelText, false);
    }
  }

  /** Shows the collected text of a channel to the guard, one part at a time, because one frame can have a megabyte of it. */
  *#show(channelText: ChannelText, final: boolean): Steps {
    const { channel } = channelText;
    for (;;) {
      const text = channelText.takeUnseen(MOST_SHOWN);
      const more = channelText.unseenLength > 0;
      const step = final && !more ? this.#guard.flush(channel, text) : this.#guard.push(channel, text);
      const released = this.#release(channelText, step);
      if (released !== undefined) yield released;
      if (!more || this.#rejection !== undefined) break;
      yield;
    }
    this.#unseen.delete(channelText);
  }

  /** Called when the stream has ended, with or without its own end event. Returns the rest. */
  end(): MaybePromise<GuardedStep> {
    return settle(runSteps(this.#flush(this.#ofAll())), () => this.#step());
  }

  /** The runs of the plugins. Called when the stream is over. `interrupted` says why it ended early. */
  finish(interrupted?: string): { runs: PluginRun[] } {
    return this.#guard.finish(interrupted);
  }

  *#guardText(channel: Channel, text: WaitingText): Steps {
    if (text.original === '') return;
    const key = keyOf(channel);
    let channelText = this.#channels.get(key);
    if (channelText === undefined) {
      yield* this.#flush(this.#ofChoice(channel.choice));
      if (this.#rejection !== undefined) return;
      channelText = new ChannelText(channel);
      this.#channels.set(key, channelText);
    }
    this.#add(channelText, text);
  }

  /** The texts of a frame outside of its deltas. */
  *#extraTextsOf(value: JsonObject, queued: QueuedFrame): Steps<ExtraText[]> {
    const texts = yield* extraTexts(value, this.#dialect);
    if (texts.length === 0) return texts;
    const { said } = queued;
    return texts.filter(({ text }) => !said.has(text));
  }

  /** Pieces of one growing text share a channel. Any other text has a channel of its own and ends at once. */
  *#guardExtra(texts: readonly ExtraText[], queued: QueuedFrame): Steps {
    this.#known.settle();
    for (const extra of texts) {
      const { text, growsAs: name } = extra;
      yield;
      if (this.#rejection !== undefined) return;
      this.#bare = false;
      const known = name === undefined ? this.#known.find(text) : undefined;
      if (known !== undefined) {
        // A text that arrives complete has ended, so what is released of it is sent here.
        yield* this.#flush([known]);
        if (this.#rejection === undefined && known.changed) queued.addDecided(extra, known.whole().went);
        continue;
      }
      const part = EXTRA + this.#extraTexts;
      const key = name ?? `extra ${part}`;
      let channelText = this.#channels.get(key);
      if (channelText === undefined) {
        this.#extraTexts++;
        channelText = new ChannelText({ kind: 'text', choice: 0, part });
        this.#channels.set(key, channelText);
      }
      this.#add(channelText, queued.addExtra(extra));
      if (name !== undefined) continue;
      yield* this.#flush([channelText]);
      if (channelText.changed) this.#known.add(channelText);
      else this.#forget(key, channelText);
    }
  }

  /** Forgets a text that has ended unchanged. */
  #forget(key: string, channelText: ChannelText): void {
    this.#channels.delete(key);
    this.#known.forget(channelText);
    this.#guard.forget(channelText.channel);
  }

  #add(channelText: ChannelText, text: WaitingText): void {
    const { channel } = channelText;
    channelText.add(text);
    this.#known.note(channelText);
    if (channelText.changed) this.#changedTexts.note(channelText);
    const ofChoice = this.#waiting.get(channel.choice);
    if (ofChoice === undefined) this.#waiting.set(channel.choice, new Set([channelText]));
    else ofChoice.add(channelText);
    this.#unseen.add(channelText);
  }

  /** The waiting texts that an event ends. */
  #endedBy(event: StreamEvent): ChannelText[] {
    switch (event.type) {
      case 'part-end':
      case 'signature': {
        const { kind, choice, part } = event.channel;
        return this.#ofChoice(choice).filter(({ channel }) => channel.kind === kind && channel.part === part);
      }
      case 'tool-call-start':
        return this.#ofChoice(event.channel.choice);
      case 'finish':
        return this.#ofChoice(event.choice);
      case 'error':
      case 'end':
        return this.#ofAll();
      case 'start':
      case 'delta':
      case 'usage':
        return [];
      default:
        return assertNever(event);
    }
  }

  #ofChoice(choice: number): ChannelText[] {
    return [...(this.#waiting.get(choice) ?? [])];
  }

  #ofAll(): ChannelText[] {
    return [...this.#waiting.values()].flatMap((channelTexts) => [...channelTexts]);
  }

  *#flush(channelTexts: readonly ChannelText[]): Steps {
    for (const [index, channelText] of channelTexts.entries()) {
      if (index > 0) yield;
      if (this.#rejection !== undefined || !channelText.isWaiting) continue;
      yield* this.#show(channelText, true);
    }
  }

  #release(channelText: ChannelText, step: MaybePromise<GuardStep>): MaybePromise<void> {
    return settle(step, (decided) => this.#decide(channelText, decided));
  }

  #decide(channelText: ChannelText, step: GuardStep): void {
    if ('rejection' in step) this.#rejection = step.rejection;
    else channelText.release(step.pieces);
    if (channelText.changed) this.#changedTexts.note(channelText);
    if (channelText.isWaiting) return;
    const { choice } = channelText.channel;
    const ofChoice = this.#waiting.get(choice);
    if (ofChoice?.delete(channelText) && ofChoice.size === 0) this.#waiting.delete(choice);
  }

  #step(): MaybePromise<GuardedStep> {
    return settle(runSteps(this.#queue.take()), (frames) => this.#given(frames));
  }

  #given(frames: GuardedStep['frames']): GuardedStep {
    return this.#rejection === undefined ? { frames } : { frames, rejection: this.#rejection };
  }

  /** Replaces changed texts that a closing frame repeats by their released version. */
  *#withoutRepeats(frame: SseFrame): Steps<SseFrame> {
    if (this.#changedTexts.isEmpty) return frame;
    this.#changedTexts.settle();
    const texts = { get: (came: string) => this.#changedTexts.find(came)?.whole().went };
    return yield* replaceRepeatedInFrame(frame, { texts, probabilities: this.#dialect.tokenProbabilities });
  }
}
