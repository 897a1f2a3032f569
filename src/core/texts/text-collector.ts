/** This many pieces are joined into one, because each piece costs an object. */
const PIECES_AT_ONCE = 1_024;

/** A text that grows in pieces of any size. */
export class TextCollector {
  #joined: string[] = [];
  #pieces: string[] = [];
  /** UTF-16 units. */
  length = 0;

  add(text: string): void {
    this.length += text.length;
    if (this.#pieces.push(text) < PIECES_AT_ONCE) return;
    this.#joined.push(this.#pieces.join(''));
    this.#pieces = [];
  }

  /** The whole text. Calling it again costs nothing while nothing was added. */
  whole(): string {
    if (this.#pieces.length > 0) this.#joined.push(this.#pieces.join(''));
    this.#pieces = [];
    if (this.#joined.length > 1) this.#joined = [this.#joined.join('')];
    return this.#joined[0] ?? '';
  }

  /** Returns the whole text and clears it. */
  take(): string {
    const text = this.whole();
    this.clear();
    return text;
  }

  clear(): void {
    this.#joined = [];
    this.#pieces = [];
    this.length = 0;
  }
}
