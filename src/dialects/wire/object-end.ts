/** Finds the end of a JSON object that arrives in pieces. Each piece is scanned once. */
export class ObjectEnd {
  #depth = 0;
  #inString = false;
  #escaped = false;
  #state: 'before' | 'inside' | 'ended' | 'none' = 'before';

  /** Whether the object has ended and nothing follows it. */
  get ended(): boolean {
    return this.#state === 'ended';
  }

  push(text: string): void {
    for (let at = 0; at < text.length && this.#state !== 'none'; at++) this.#take(text.charCodeAt(at));
  }

  #take(code: number): void {
    if (this.#inString) this.#takeInString(code);
    else if (code <= SPACE) return;
    else if (this.#state === 'inside') this.#takeInside(code);
    else if (this.#state === 'before' && code === OPEN_BRACE) this.#open();
    else this.#state = 'none';
  }

  #takeInString(code: number): void {
    if (this.#escaped) this.#escaped = false;
    else if (code === BACKSLASH) this.#escaped = true;
    else if (code === QUOTE) this.#inString = false;
  }

  #takeInside(code: number): void {
    if (code === QUOTE) this.#inString = true;
    else if (code === OPEN_BRACE || code === OPEN_BRACKET) this.#depth++;
    else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) {
      this.#depth--;
      if (this.#depth === 0) this.#state = 'ended';
    }
  }

  #open(): void {
    this.#depth = 1;
    this.#state = 'inside';
  }
}

const SPACE = 0x20;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
