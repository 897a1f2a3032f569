import type { StreamEvent } from '../../../core/answer.js';
import { Fifo } from '../../../core/lists/fifo.js';
import type { SseFrame, StreamDecoder } from '../../../dialects/dialect.js';
import { RepeatedFrames } from './repeated/repeated-frames.js';
import type { RepeatedRun } from './repeated/repeated-run.js';

/** Frames that are kept for a decoder that may never be needed. */
const MOST_UNREAD = 64;

/**
 * Gives the events of frames that a guard released. An unchanged frame has the events that it had on arrival, as long
 * as no earlier frame was changed. From the first change on, all are decoded again, by a decoder that has read
 * everything before.
 */
export class PassedFrames {
  readonly #createDecoder: () => StreamDecoder;
  /** Frames that arrived and were not released, in order, with their events; undefined from the first change on. */
  #came: Fifo<{ frame: SseFrame; events: readonly StreamEvent[] }> | undefined = new Fifo();
  /** Frames that were released unchanged and that the decoder has not read. */
  #unread: SseFrame[] = [];
  #decoder: StreamDecoder | undefined;
  readonly #repeated = new RepeatedFrames();

  constructor(createDecoder: () => StreamDecoder) {
    this.#createDecoder = createDecoder;
  }

  /** A frame that the guard will release or change, with its decoded events. */
  note(frame: SseFrame, events: readonly StreamEvent[]): void {
    this.#came?.push({ frame, events });
  }

  /** A frame that was released. */
  read(frame: SseFrame): readonly StreamEvent[] | RepeatedRun {
    const first = this.#came?.first;
    if (first?.frame === frame) {
      this.#came!.shift();
      this.#unread.push(frame);
      if (this.#unread.length > MOST_UNREAD) this.#readUnread();
      return first.events;
    }
    this.#came = undefined;
    this.#readUnread();
    return this.#repeated.read(frame) ?? this.#decode(frame);
  }

  #readUnread(): void {
    for (const frame of this.#unread) this.#decode(frame);
    this.#unread = [];
  }

  #decode(frame: SseFrame): StreamEvent[] {
    this.#decoder ??= this.#createDecoder();
    const events = this.#decoder.decode(frame);
    this.#repeated.learn(frame, events);
    return events;
  }
}
