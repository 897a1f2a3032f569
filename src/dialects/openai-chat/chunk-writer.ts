import type { StreamEvent } from '../../core/answer.js';
import type { JsonObject, JsonValue } from '../../core/json.js';
import type { Usage } from '../../core/message.js';
import type { EncoderContext, SseFrame } from '../dialect.js';
import { BROKEN_OFF } from '../translate/error-types.js';
import { DONE } from './decode.js';
import { translateError, writeStreamError } from './errors.js';
import { writeUsage } from './render.js';

type EventOf<Type extends StreamEvent['type']> = Extract<StreamEvent, { type: Type }>;

/** The chunks of one stream, for Chat Completions and the older completions. */
export class ChunkWriter {
  #head: { id: string; object: string; created: number; model: string };
  #first = true;
  #finished = false;
  #ended = false;
  #usage: Usage | undefined;

  /** `object` is the API's name for its chunks. */
  constructor(
    object: string,
    private readonly context: EncoderContext,
  ) {
    this.#head = { id: '', object, created: context.created, model: context.model };
  }

  start({ id, created, model }: EventOf<'start'>): void {
    this.#head = { ...this.#head, id, created: created ?? this.context.created };
    if (model !== '') this.#head.model = model;
  }

  /** A chunk. The first one has the log id. */
  chunk(choices: JsonValue[], more: JsonObject = {}): SseFrame {
    const { id, object, created, model } = this.#head;
    const value: JsonObject = this.#first
      ? { inference_log_id: this.context.logId, id, object, created, model, choices, ...more }
      : { id, object, created, model, choices, ...more };
    this.#first = false;
    return { data: JSON.stringify(value) };
  }

  /** Records that a choice has finished, so that the stream did not break off. */
  noteFinish(): void {
    this.#finished = true;
  }

  /** Records the usage, which is sent at the end where the client asked for it. */
  noteUsage({ usage }: EventOf<'usage'>): void {
    this.#usage = usage;
  }

  end(): SseFrame[] {
    if (this.#ended) return [];
    this.#ended = true;
    const usage = this.context.streamUsage ? this.#usage : undefined;
    const last = usage === undefined ? [] : [this.chunk([], { usage: writeUsage(usage) })];
    return [...last, { data: DONE }];
  }

  /** Ends the stream with an error of the provider. */
  fail({ message, errorType }: EventOf<'error'>): SseFrame[] {
    this.#ended = true;
    return [{ data: translateError({ message, type: errorType }, 500) }];
  }

  /** Does what `finish` of an encoder must do. */
  finish(): SseFrame[] {
    if (this.#finished || this.#ended) return this.end();
    this.#ended = true;
    return writeStreamError(BROKEN_OFF);
  }
}
