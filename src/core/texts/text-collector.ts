/** This many pieces are joined into one, because each piece costs an object. */
const PIECES_AT_ONCE = 1_024;

/** Collects a text that arrives in pieces of any size. */
export class TextCollector {
  #joined: string[] = [];
  #pieces: string[] = [];
  /** The length of the text in UTF-16 units. */
  length = 0;

  add(text: string): void {
    this.length += text.length;
    if (this.#pieces.push(text) < PIECES_AT_ONCE) return;
    this.#joined.push(this.#pieces.join(''));
    this.#pieces = [];
  }

  /** The whole text. Another call costs nothing where nothing was added since. */
  whole(): string {
    if (this.#pieces.length > 0) this.#joined.push(this.#pieces.join(''));
    this.#pieces = [];
    if (this.#joined.length > 1) this.#joined = [this.#joined.join('')];
    return this.#joined[0] ?? '';
  }

  /** Returns the whole text and clears it. */
  take(): string {
    const isOnePiece = this.#pieces.length === 1 && this.#joined.length === 0;
    const text = isOnePiece ? this.#pieces[0]! : this.whole();
    this.clear();
    return text;
  }

  clear(): void {
    this.#joined = [];
    this.#pieces = [];
    this.length = 0;
  }
}
