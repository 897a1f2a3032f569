import type { Answer } from '../../core/answer.js';
import type { SluiceError } from '../../core/errors.js';
import type { JsonDocument } from '../../core/json.js';
import type { SseFrame } from '../../dialects/dialect.js';
import type { AnswerHead } from './http.js';

/** A provider's answer that was read whole. */
export type WholeAnswer =
  /** JSON; `answer` is absent where it has no shape that the provider's dialect knows. */
  | { kind: 'json'; head: AnswerHead; document: JsonDocument; answer?: Answer }
  /**
   * A stream, put together. `complete` tells whether its answer came to an end, and `ended` whether the event came that
   * says so; `errorMessage` is the provider's.
   */
  | {
      kind: 'stream';
      head: AnswerHead;
      frames: SseFrame[];
      answer: Answer;
      complete: boolean;
      ended: boolean;
      errorMessage?: string;
    }
  /** Anything else, errors too. */
  | { kind: 'bytes'; head: AnswerHead; body: Buffer };

export type HeldStream = WholeAnswer & { kind: 'stream' };

/** What the client will get, known before any of it is released. */
export type ExchangeOutcome =
  | {
      kind: 'answer';
      whole: WholeAnswer /** Texts differ from what came (fences taken off). */;
      changed?: Answer;
    }
  | { kind: 'failure'; error: SluiceError };
