import type { Answer } from '../../core/answer.js';
import type { SluiceError } from '../../core/errors.js';
import type { JsonDocument } from '../../core/json.js';
import type { SseFrame } from '../../dialects/dialect.js';
import type { AnswerHead } from './http.js';

/** A provider's answer that was read completely. */
export type WholeAnswer =
  /** JSON; `answer` is absent where the provider's dialect does not know its format. */
  | { kind: 'json'; head: AnswerHead; document: JsonDocument; answer?: Answer }
  /**
   * A stream, assembled to an answer. `complete`: its answer has finished. `ended`: its last event arrived.
   * `errorMessage` is that of the provider.
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
  /** Any other answer, including errors. */
  | { kind: 'bytes'; head: AnswerHead; body: Buffer };

export type HeldStream = WholeAnswer & { kind: 'stream' };

/** What the client will get, known before any of it is released. */
export type ExchangeOutcome =
  | {
      kind: 'answer';
      whole: WholeAnswer;
      /** The answer with changed texts, such as without Markdown fences around its JSON. */
      changed?: Answer;
    }
  | { kind: 'failure'; error: SluiceError };
