/** So many pieces are joined to one, so that a text of single letters takes no more than its letters. */
const PIECES_AT_ONCE = 1_024;

/** A text that grows by pieces, however small. */
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

  /** To ask again costs nothing as long as nothing was added. */
  whole(): string {
    if (this.#pieces.length > 0) this.#joined.push(this.#pieces.join(''));
    this.#pieces = [];
    if (this.#joined.length > 1) this.#joined = [this.#joined.join('')];
    return this.#joined[0] ?? '';
  }

  /** All of it, which is then forgotten. */
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
