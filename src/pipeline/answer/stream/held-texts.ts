import type { Answer } from '../../../core/answer.js';
import type { Part } from '../../../core/message.js';
import type { Steps } from '../../../core/pacing/steps.js';
import { textsOf } from '../../../core/texts/part-texts.js';
import type { SseFrame } from '../../../dialects/dialect.js';
import { type Edit, spliceInSteps } from '../../../dialects/wire/splice.js';
import { type ExtraText, extraTexts, type FrameDialect } from './extra-texts.js';
import type { ReadFrame } from './read-frame.js';

interface HeldText {
  text: string;
  /** The places of the text: one, or several where it grew. */
  pieces: { frame: number; edit: ExtraText['edit'] }[];
}

/** A frame with the texts of its deltas. */
export type HeldFrame = ReadFrame & { deltas: readonly string[] };

const FRAMES_AT_ONCE = 100;

/**
 * The texts in the frames of a held stream beside its answer. They are guarded with it and put back into the frames.
 */
export class HeldTexts {
  readonly #frames: readonly SseFrame[];
  readonly #texts: HeldText[] = [];

  private constructor(frames: readonly HeldFrame[]) {
    this.#frames = frames.map(({ frame }) => frame);
  }

  static *of(frames: readonly HeldFrame[], answer: Answer, dialect: FrameDialect): Steps<HeldTexts> {
    const held = new HeldTexts(frames);
    const said = new Set(answer.choices.flatMap(({ parts }) => textsOf(parts)));
    const growing = new Map<string, HeldText>();
    for (const [index, { value, deltas }] of frames.entries()) {
      if (index % FRAMES_AT_ONCE === FRAMES_AT_ONCE - 1) yield;
      if (value === undefined) continue;
      const saidHere = new Set(deltas);
      for (const { text, edit, growsAs } of yield* extraTexts(value, dialect)) {
        if (saidHere.has(text) || (growsAs === undefined && said.has(text))) continue;
        held.#add({ frame: index, edit }, text, growsAs, growing);
      }
    }
    return held;
  }

  /** The texts as a part for plugins; undefined where there are none. */
  get part(): (Part & { type: 'tool-result' }) | undefined {
    if (this.#texts.length === 0) return undefined;
    return {
      type: 'tool-result',
      callId: '',
      parts: this.#texts.map(({ text }): Part => ({ type: 'text', text })),
    };
  }

  /** The frames with the guarded texts. A text that grew is placed where it began. */
  *write(part: Part): Steps<SseFrame[]> {
    const now = textsOf([part]);
    const edits = new Map<number, Edit[]>();
    for (const [at, { text, pieces }] of this.#texts.entries()) {
      if (now[at] === text) continue;
      for (const [piece, { frame, edit: write }] of pieces.entries()) {
        const edit = write(piece === 0 ? now[at]! : '');
        const known = edits.get(frame);
        if (known === undefined) edits.set(frame, [edit]);
        else known.push(edit);
      }
    }
    const written: SseFrame[] = [];
    for (const [index, frame] of this.#frames.entries()) {
      const own = edits.get(index);
      written.push(own === undefined ? frame : { ...frame, data: yield* spliceInSteps(frame.data, own) });
      if (index % FRAMES_AT_ONCE === FRAMES_AT_ONCE - 1) yield;
    }
    return written;
  }

  #add(
    piece: { frame: number; edit: ExtraText['edit'] },
    text: string,
    growsAs: string | undefined,
    growing: Map<string, HeldText>,
  ): void {
    const known = growsAs === undefined ? undefined : growing.get(growsAs);
    if (known !== undefined) {
      known.text += text;
      known.pieces.push(piece);
      return;
    }
    const held = { text, pieces: [piece] };
    this.#texts.push(held);
    if (growsAs !== undefined) growing.set(growsAs, held);
  }
}
