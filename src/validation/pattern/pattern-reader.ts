/** Reads a pattern by code points. The pattern must be valid, so that nothing can be missing. */
export class PatternReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  atEnd(): boolean {
    return this.#at >= this.#text.length;
  }

  next(): string {
    const character = String.fromCodePoint(this.#text.codePointAt(this.#at) as number);
    this.#at += character.length;
    return character;
  }

  looksAt(text: string): boolean {
    return this.#text.startsWith(text, this.#at);
  }

  take(text: string): boolean {
    if (!this.looksAt(text)) return false;
    this.#at += text.length;
    return true;
  }

  digits(count: number): string {
    this.#at += count;
    return this.#text.slice(this.#at - count, this.#at);
  }

  /** The text before the next `end`, which is skipped. */
  upTo(end: string): string {
    const found = this.#text.indexOf(end, this.#at);
    const text = this.#text.slice(this.#at, found);
    this.#at = found + end.length;
    return text;
  }
}
