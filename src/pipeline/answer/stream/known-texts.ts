import type { ChannelText } from './channel-text.js';

interface Place {
  /** The length of the text when it was indexed. */
  length: number;
  /** The text itself, where its length was asked for. */
  text?: string;
}

/**
 * The guarded texts of a stream, for finding out whether a text repeats an earlier one. A frame can ask for thousands
 * of texts among thousands, so texts are indexed by length, and by content only for lengths that were asked for.
 * Texts still grow: `note` records that one has changed, and `settle` updates the index before the next questions.
 */
export class KnownTexts {
  readonly #places = new Map<ChannelText, Place>();
  readonly #byLength = new Map<number, Set<ChannelText>>();
  readonly #byText = new Map<number, Map<string, Set<ChannelText>>>();
  readonly #noted = new Set<ChannelText>();

  /** Records that a text is new or has grown. `find` knows it after `settle`. */
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

  /** Updates the index for the noted texts. */
  settle(): void {
    for (const channelText of this.#noted) {
      this.add(channelText);
    }
    this.#noted.clear();
  }

  /** Adds a text to the index at once, as it is now. */
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
