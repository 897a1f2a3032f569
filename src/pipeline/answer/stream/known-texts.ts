import type { ChannelText } from './channel-text.js';

/**
 * The texts of a stream that were guarded, to tell one that only repeats another. A frame can ask for thousands, of
 * thousands: they are kept by their lengths, and those of a length that was asked for by what they say.
 */
export class KnownTexts {
  readonly #byLength = new Map<number, ChannelText[]>();
  readonly #byText = new Map<number, Map<string, ChannelText>>();

  constructor(channelTexts: Iterable<ChannelText>) {
    for (const channelText of channelTexts) this.add(channelText);
  }

  add(channelText: ChannelText): void {
    const { length } = channelText;
    const ofLength = this.#byLength.get(length);
    if (ofLength === undefined) this.#byLength.set(length, [channelText]);
    else ofLength.push(channelText);
    const byText = this.#byText.get(length);
    if (byText !== undefined) addFirst(byText, channelText);
  }

  /** The first that says this. */
  find(text: string): ChannelText | undefined {
    const ofLength = this.#byLength.get(text.length);
    if (ofLength === undefined) return undefined;
    let byText = this.#byText.get(text.length);
    if (byText === undefined) {
      byText = new Map();
      for (const channelText of ofLength) addFirst(byText, channelText);
      this.#byText.set(text.length, byText);
    }
    return byText.get(text);
  }
}

function addFirst(byText: Map<string, ChannelText>, channelText: ChannelText): void {
  const { came } = channelText.whole();
  if (!byText.has(came)) byText.set(came, channelText);
}
