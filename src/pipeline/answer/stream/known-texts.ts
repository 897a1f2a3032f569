import type { ChannelText } from './channel-text.js';

interface Place {
  /** Of the text when it was last looked at. */
  length: number;
  /** The text itself, where one of its length was asked for. */
  text?: string;
}

/**
 * Texts of a stream that were guarded, to tell one that only repeats another. A frame can ask for thousands, of
 * thousands: they are kept by their lengths, and those of a length that was asked for by what they say. What is noted of
 * texts that grow is known once it is settled, before some are asked for.
 */
export class KnownTexts {
  readonly #places = new Map<ChannelText, Place>();
  readonly #byLength = new Map<number, Set<ChannelText>>();
  readonly #byText = new Map<number, Map<string, Set<ChannelText>>>();
  readonly #noted = new Set<ChannelText>();

  /** One that is new, or has grown. */
  note(channelText: ChannelText): void {
    this.#noted.add(channelText);
  }

  forget(channelText: ChannelText): void {
    this.#noted.delete(channelText);
    this.#remove(channelText);
  }

  get isEmpty(): boolean {
    return this.#places.size === 0 && this.#noted.size === 0;
  }

  /** The first channel with this text. */
  find(text: string): ChannelText | undefined {
    const ofLength = this.#byLength.get(text.length);
    if (ofLength === undefined) return undefined;
    let byText = this.#byText.get(text.length);
    if (byText === undefined) {
      byText = new Map();
      this.#byText.set(text.length, byText);
      for (const channelText of ofLength) this.#addTo(byText, channelText);
    }
    const [first] = byText.get(text) ?? [];
    return first;
  }

  /** Those that were noted are known as they are now. */
  settle(): void {
    for (const channelText of this.#noted) {
      this.add(channelText);
    }
    this.#noted.clear();
  }

  /** Known at once, as it is now. */
  add(channelText: ChannelText): void {
    const { length } = channelText;
    if (this.#places.get(channelText)?.length === length) return;
    this.#remove(channelText);
    this.#places.set(channelText, { length });
    const ofLength = this.#byLength.get(length);
    if (ofLength === undefined) this.#byLength.set(length, new Set([channelText]));
    else ofLength.add(channelText);
    const byText = this.#byText.get(length);
    if (byText !== undefined) this.#addTo(byText, channelText);
  }

  #addTo(byText: Map<string, Set<ChannelText>>, channelText: ChannelText): void {
    const { came } = channelText.whole();
    this.#places.get(channelText)!.text = came;
    const same = byText.get(came);
    if (same === undefined) byText.set(came, new Set([channelText]));
    else same.add(channelText);
  }

  #remove(channelText: ChannelText): void {
    const place = this.#places.get(channelText);
    if (place === undefined) return;
    this.#places.delete(channelText);
    drop(this.#byLength, place.length, channelText);
    const byText = this.#byText.get(place.length);
    if (byText === undefined || place.text === undefined) return;
    drop(byText, place.text, channelText);
    if (byText.size === 0) this.#byText.delete(place.length);
  }
}

function drop<Key>(sets: Map<Key, Set<ChannelText>>, key: Key, channelText: ChannelText): void {
  const set = sets.get(key);
  if (set?.delete(channelText) && set.size === 0) sets.delete(key);
}
