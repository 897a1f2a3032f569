import type { StreamEvent } from '../../../core/answer.js';
import { Fifo } from '../../../core/lists/fifo.js';
import type { SseFrame, StreamDecoder } from '../../../dialects/dialect.js';
import { RepeatedFrames } from './repeated/repeated-frames.js';
import type { RepeatedRun } from './repeated/repeated-run.js';

/** The most frames that are kept for a decoder that may never be needed. */
const MOST_UNREAD = 64;

/**
 * Returns the events of frames that a guard released. As long as no frame was changed, a frame has the events that it had on
 * arrival. From the first change on, all frames are decoded again by a decoder that has read everything before.
 */
export class PassedFrames {
  readonly #createDecoder: () => StreamDecoder;
  /** Frames with their events, in order, that have arrived and were not released yet. Undefined from the first change on. */
  #came: Fifo<{ frame: SseFrame; events: readonly StreamEvent[] }> | undefined = new Fifo();
  /** Frames that were released unchanged and that the decoder has not read. */
  #unread: SseFrame[] = [];
  #decoder: StreamDecoder | undefined;
  readonly #repeated = new RepeatedFrames();

  constructor(createDecoder: () => StreamDecoder) {
    this.#createDecoder = createDecoder;
  }

  /** Records a frame with its decoded events, before the guard releases or changes it. */
  note(frame: SseFrame, events: readonly StreamEvent[]): void {
    this.#came?.push({ frame, events });
  }

  /** The events of a frame that was released. */
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
