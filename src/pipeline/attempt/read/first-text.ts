import type { StreamEvent } from '../../../core/answer.js';
import type { Dialect, StreamDecoder } from '../../../dialects/dialect.js';
import { createSseParser } from '../../../dialects/wire/sse.js';
import type { AnswerHead } from '../../exchange/http.js';

/** Whether an event ends the wait for the first output of an attempt: something that a reader sees, or the end. */
export function isAwaited({ type }: StreamEvent): boolean {
  return (
    type === 'delta' || type === 'tool-call-start' || type === 'finish' || type === 'end' || type === 'error'
  );
}

/** Notices the first text of a stream that is held as bytes until it is whole. */
export class FirstText {
  readonly #parser = createSseParser();
  readonly #decoder: StreamDecoder;
  readonly #isPacked: boolean;

  constructor(dialect: Dialect, head: AnswerHead) {
    this.#decoder = dialect.createDecoder();
    this.#isPacked = head.headers['content-encoding'] !== undefined;
  }

  /** Whether it has come with this chunk. Packed bytes are not unpacked twice: any of them count. */
  cameWith(chunk: Buffer): boolean {
    if (this.#isPacked) return true;
    return this.#parser.push(chunk).some((frame) => this.#decoder.decode(frame).some(isAwaited));
  }
}
