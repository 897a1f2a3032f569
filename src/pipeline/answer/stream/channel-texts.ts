import type { Channel, StreamEvent } from '../../../core/answer.js';
import { assertNever } from '../../../core/assert-never.js';
import type { Steps } from '../../../core/pacing/steps.js';
import type { SseFrame } from '../../../dialects/dialect.js';
import { ChannelText } from './channel-text.js';
import type { ExtraText } from './extra-texts.js';
import type { Repeats } from './frame-queue.js';
import { KnownTexts } from './known-texts.js';
import type { WaitingText } from './queued-frame.js';
import { replaceRepeatedInFrame } from './repeated-texts.js';

/** Part numbers from here on are for texts that the neutral form does not have. */
const EXTRA = 1_000_000;
const NONE: readonly ChannelText[] = [];

const keyOf = ({ kind, choice, part }: Channel) => `${kind} ${choice} ${part}`;
const extraKeyOf = ({ part }: Channel) => `extra ${part}`;

/** The texts of a guarded stream, by channel: which of them wait, which the guard has not seen yet, and which were changed. */
export class ChannelTexts implements Repeats {
  readonly #probabilities: readonly string[];
  readonly #channels = new Map<string, ChannelText>();
  /** The channels whose text waits, by choice. */
  readonly #waiting = new Map<number, Set<ChannelText>>();
  /** The channels that got text since `takeFresh` was called. A channel can be in the list several times. */
  #fresh: ChannelText[] = [];
  /** The channel that `add` has noted last. Undefined as soon as one of its notes may be gone. */
  #noted: ChannelText | undefined;
  /** All texts, and those that were changed before they were sent. */
  readonly #known = new KnownTexts();
  readonly #changed = new KnownTexts();
  /** The channel that was looked for last and its text, because most frames continue it. */
  #lastChannel?: Channel;
  #lastText?: ChannelText;
  #extraTexts = 0;

  /** `probabilities` are the members of a frame that repeat its text token by token. */
  constructor(probabilities: readonly string[]) {
    this.#probabilities = probabilities;
  }

  /** The number of separate texts. */
  get count(): number {
    return this.#channels.size;
  }

  /** The text of a channel, if it has begun. */
  find(channel: Channel): ChannelText | undefined {
    if (channel === this.#lastChannel) return this.#lastText;
    const found = this.#channels.get(keyOf(channel));
    if (found === undefined) return undefined;
    this.#lastChannel = channel;
    this.#lastText = found;
    return found;
  }

  begin(channel: Channel): ChannelText {
    const begun = new ChannelText(channel);
    this.#channels.set(keyOf(channel), begun);
    return begun;
  }

  /** The text that an extra text belongs to: a growing one, or one of its own. */
  ofExtra({ growsAs }: ExtraText): ChannelText {
    const channel: Channel = { kind: 'text', choice: 0, part: EXTRA + this.#extraTexts };
    const key = growsAs ?? extraKeyOf(channel);
    const known = this.#channels.get(key);
    if (known !== undefined) return known;
    this.#extraTexts++;
    const begun = new ChannelText(channel);
    this.#channels.set(key, begun);
    return begun;
  }

  /** Lets `equalTo` find all texts as they are now. */
  settle(): void {
    this.#noted = undefined;
    this.#known.settle();
  }

  /** The first text that equals this one. */
  equalTo(text: string): ChannelText | undefined {
    return this.#known.find(text);
  }

  /** Adds text that waits for the guard. */
  add(channelText: ChannelText, text: WaitingText): void {
    channelText.add(text);
    if (this.#fresh.length === 0) this.#fresh = [channelText];
    else if (this.#fresh.at(-1) !== channelText) this.#fresh.push(channelText);
    if (this.#noted === channelText) return;
    this.#noted = channelText;
    this.#known.note(channelText);
    if (channelText.changed) this.#changed.note(channelText);
    const { choice } = channelText.channel;
    const ofChoice = this.#waiting.get(choice);
    if (ofChoice === undefined) this.#waiting.set(choice, new Set([channelText]));
    else ofChoice.add(channelText);
  }

  /** The channels that got text since the last call. */
  takeFresh(): readonly ChannelText[] {
    const fresh = this.#fresh;
    if (fresh.length === 0) return NONE;
    this.#fresh = [];
    return fresh;
  }

  /** Called when the guard has decided on text of a channel. */
  noteDecided(channelText: ChannelText): void {
    this.#noted = undefined;
    if (channelText.changed) this.#changed.note(channelText);
    if (channelText.isWaiting) return;
    const { choice } = channelText.channel;
    const ofChoice = this.#waiting.get(choice);
    if (ofChoice?.delete(channelText) && ofChoice.size === 0) this.#waiting.delete(choice);
  }

  /** Lets `equalTo` find a text that was changed, as it is now. */
  keep(channelText: ChannelText): void {
    this.#known.add(channelText);
  }

  /** Forgets an extra text that has ended unchanged. */
  forgetExtra(channelText: ChannelText): void {
    this.#noted = undefined;
    this.#channels.delete(extraKeyOf(channelText.channel));
    this.#known.forget(channelText);
  }

  /** The waiting texts that an event ends. */
  endedBy(event: StreamEvent): readonly ChannelText[] {
    switch (event.type) {
      case 'part-end':
      case 'signature': {
        const { kind, choice, part } = event.channel;
        return this.ofChoice(choice).filter(({ channel }) => channel.kind === kind && channel.part === part);
      }
      case 'tool-call-start':
        return this.ofChoice(event.channel.choice);
      case 'finish':
        return this.ofChoice(event.choice);
      case 'error':
      case 'end':
        return this.all();
      case 'start':
      case 'delta':
      case 'usage':
        return NONE;
      default:
        return assertNever(event);
    }
  }

  /** The waiting texts of a choice. */
  ofChoice(choice: number): readonly ChannelText[] {
    const waiting = this.#waiting.get(choice);
    return waiting === undefined ? NONE : [...waiting];
  }

  /** All waiting texts. */
  all(): readonly ChannelText[] {
    return this.#waiting.size === 0 ? NONE : [...this.#waiting.values()].flatMap((texts) => [...texts]);
  }

  get mayRepeat(): boolean {
    return !this.#changed.isEmpty;
  }

  /** Replaces changed texts that a closing frame repeats by their released version. */
  *without(frame: SseFrame): Steps<SseFrame> {
    if (!this.mayRepeat) return frame;
    this.#noted = undefined;
    this.#changed.settle();
    const texts = { get: (came: string) => this.#changed.find(came)?.whole().went };
    return yield* replaceRepeatedInFrame(frame, { texts, probabilities: this.#probabilities });
  }
}
