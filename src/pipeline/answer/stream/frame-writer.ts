import type { StreamEvent } from '../../../core/answer.js';
import type { Steps } from '../../../core/pacing/steps.js';
import type { Dialect, EncoderContext, SseFrame, StreamEncoder } from '../../../dialects/dialect.js';
import { steadyCalls } from '../../../dialects/translate/steady-calls.js';
import { formatFrame } from '../../../dialects/wire/sse.js';
import { EVENTS_AT_ONCE } from './each-event.js';
import type { RepeatedRun, Shape } from './repeated/repeated-run.js';

/** Writes a stream's frames in the client's dialect. */
export class FrameWriter {
  readonly #dialect: Dialect;
  readonly #context: EncoderContext;
  /** Present where the provider speaks another dialect. */
  readonly #translation?: StreamEncoder;
  /** Whether no frame has had the log id yet. */
  #first = true;
  /** How frames of the last run end when written. */
  #ending?: { shape: Shape; text: string };

  constructor(client: Dialect, provider: Dialect, context: EncoderContext) {
    this.#dialect = client;
    this.#context = context;
    if (client !== provider) this.#translation = steadyCalls(client.createEncoder(context));
  }

  get translates(): boolean {
    return this.#translation !== undefined;
  }

  write(frame: SseFrame, events: readonly StreamEvent[]): string {
    if (this.#translation !== undefined) {
      return events
        .flatMap((event) => this.#translation!.encode(event))
        .map(formatFrame)
        .join('');
    }
    const adapted = this.#dialect.adaptFrame(frame, { first: this.#first, ...this.#context });
    // A changed frame gets the log id, because earlier frames may have had no place for it.
    if (adapted !== undefined && adapted !== frame) this.#first = false;
    return adapted === undefined ? '' : formatFrame(adapted);
  }

  /** Does the same in steps, for a frame with many events. */
  *writeInSteps(frame: SseFrame, events: readonly StreamEvent[]): Steps<string> {
    if (this.#translation === undefined) return this.write(frame, events);
    let text = '';
    for (let at = 0; at < events.length; at += EVENTS_AT_ONCE) {
      text += this.write(frame, events.slice(at, at + EVENTS_AT_ONCE));
      yield;
    }
    return text;
  }

  /** How a frame is written does not depend on its text: frames after the first of a shape are written like it. */
  writeRun(run: RepeatedRun): string {
    let text = '';
    for (let index = 0; index < run.frames; index++) {
      if (this.#ending?.shape === run.shape)
        return text + run.part(index, run.frames).endedBy(this.#ending.text);
      const { frame, delta } = run.frameAt(index);
      const hadOurField = !this.#first;
      const written = this.write(frame, [delta]);
      if (hadOurField && !this.translates) this.#learn(run.part(index, index + 1), written);
      text += written;
    }
    return text;
  }

  #learn({ shape, wire }: RepeatedRun, written: string): void {
    const beginning = wire.slice(0, wire.length - shape.wire.after.length);
    if (written.startsWith(beginning)) this.#ending = { shape, text: written.slice(beginning.length) };
  }

  /** The end of a translated stream, as far as it is missing. */
  finish(): string {
    return (this.#translation?.finish() ?? []).map(formatFrame).join('');
  }
}
