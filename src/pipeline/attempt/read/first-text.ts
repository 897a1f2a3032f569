import type { StreamEvent } from '../../../core/answer.js';
import type { StreamDecoder } from '../../../dialects/dialect.js';
import { createSseParser } from '../../../dialects/wire/sse.js';
import type { Attempt } from '../../exchange/attempt.js';
import type { AnswerHead } from '../../exchange/http.js';
import { answerKind } from './answer-collector.js';

/** Whether an event ends the wait for the first output of an attempt: something that a reader sees, or the end. */
export function isAwaited({ type }: StreamEvent): boolean {
  return (
    type === 'delta' || type === 'tool-call-start' || type === 'finish' || type === 'end' || type === 'error'
  );
}

/** Looks for the first text of a stream that is held as bytes until it is whole. */
export class FirstText {
  readonly #parser = createSseParser();
  readonly #decoder: StreamDecoder;
  /**
   * Whether every byte counts as text: those of a compressed answer, because it is not decompressed a second time
   * here, and those of an answer that is not a stream.
   */
  readonly #isOpaque: boolean;

  constructor(
    private readonly attempt: Attempt,
    head: AnswerHead,
  ) {
    this.#decoder = attempt.dialect.createDecoder();
    this.#isOpaque = head.headers['content-encoding'] !== undefined || answerKind(head) !== 'stream';
  }

  /** Notes in the attempt whether its text has come with this chunk. */
  look(chunk: Buffer): void {
    if (this.attempt.textCame) return;
    const came = () => this.#parser.push(chunk).some((frame) => this.#decoder.decode(frame).some(isAwaited));
    if (this.#isOpaque || came()) this.attempt.textCame = true;
  }
}
