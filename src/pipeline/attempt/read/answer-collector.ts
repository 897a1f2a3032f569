import type { JsonDocument } from '../../../core/json.js';
import { isJsonObject } from '../../../core/json.js';
import { isTooMuchJson } from '../../../core/json-scan.js';
import { append } from '../../../core/lists/append.js';
import { KeptBytes } from '../../../core/lists/kept-bytes.js';
import type { BodyHold } from '../../../core/pacing/bodies-in-flight.js';
import { decodeText, readJson } from '../../../core/pacing/heavy-json.js';
import type { MaybePromise } from '../../../core/pacing/maybe-promise.js';
import { isLater, recover, settle } from '../../../core/pacing/maybe-promise.js';
import type { Steps } from '../../../core/pacing/steps.js';
import { atOnce, runSteps } from '../../../core/pacing/steps.js';
import { textsOf } from '../../../core/texts/part-texts.js';
import type { Dialect, SseFrame } from '../../../dialects/dialect.js';
import { createSseParser } from '../../../dialects/wire/sse.js';
import type { ContentDecoder } from '../../exchange/content-decoder.js';
import { AnswerTooLarge, createContentDecoder, UnreadableAnswer } from '../../exchange/content-decoder.js';
import type { AnswerHead } from '../../exchange/http.js';
import type { WholeAnswer } from '../../exchange/whole-answer.js';
import { AnswerBuilder } from './answer-builder.js';
import { decodeFrame } from './decode-frame.js';
import { hideInError } from './hide-secrets.js';
import { hideSecretsIn, REPEATS_SECRET, repeatsSecret, unmistakable } from './provider-secrets.js';

const BYTES_AT_ONCE = 65_536;
const EVENTS_AT_ONCE = 100;
const FRAMES_AT_ONCE = 16;
/** The most frames of a stream that is held. Each takes some hundred bytes in addition to its text. */
const MOST_FRAMES = 300_000;
/** A last event that is longer than this is only examined when everything is read. */
const LAST_BYTES = 65_536;
const BRACE = 0x7b;

/** The kind of an answer. The content type that arrived decides, and not what was requested. */
export type AnswerKind = 'json' | 'stream' | 'bytes';

export function answerKind(head: AnswerHead): AnswerKind {
  const header = head.headers['content-type'] ?? '';
  // Most answers have it in this form, and the kind is asked for several times.
  if (header === 'application/json') return 'json';
  const type = header.split(';', 1)[0]!.trim().toLowerCase();
  if (type === 'text/event-stream') return 'stream';
  return type === 'application/json' || type.endsWith('+json') ? 'json' : 'bytes';
}

export function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

/** Receives one provider's complete answer. */
export class AnswerCollector {
  readonly #decoder: ContentDecoder | undefined;
  readonly #kept = new KeptBytes();
  readonly #unmistakable: readonly string[];

  constructor(
    private readonly dialect: Dialect,
    private readonly head: AnswerHead,
    private readonly maxBytes: number,
    private readonly hold: Pick<BodyHold, 'addAnswer'>,
    /** Credentials that an error of its provider must not repeat. */
    private readonly secrets: readonly string[] = [],
  ) {
    this.#decoder = createContentDecoder(head.headers['content-encoding'], maxBytes);
    this.#unmistakable = unmistakable(secrets);
  }

  /** Takes a chunk; `isLast` where `finish` follows at once. Throws `UnreadableAnswer`. */
  push(chunk: Buffer, isLast = false): MaybePromise<void> {
    const unpacked = this.#decoder === undefined ? chunk : this.#decoder.write(chunk);
    return isLater(unpacked)
      ? unpacked.then((bytes) => this.#keep(bytes, false))
      : this.#keep(unpacked, isLast);
  }

  /** The number of bytes that are kept. */
  get bytes(): number {
    return this.#kept.length;
  }

  get isStream(): boolean {
    return this.#decoder !== undefined && isSuccess(this.head.status) && answerKind(this.head) === 'stream';
  }

  /** Whether the last event that arrived is the end of a stream. */
  endsWithLastEvent(): boolean {
    const frame = atOnce(framesIn(this.#kept.last(LAST_BYTES), LAST_BYTES)).at(-1);
    const events = frame === undefined ? [] : this.dialect.createDecoder().decode(frame);
    return events.some(({ type }) => type === 'end');
  }

  /** Whether everything received so far is a stream with its own end. */
  async hasEnded(): Promise<boolean> {
    const whole = await this.finish();
    return whole.kind === 'stream' && whole.ended;
  }

  finish(): MaybePromise<WholeAnswer> {
    const came = this.#kept.whole();
    if (this.#decoder === undefined) return { kind: 'bytes', head: this.head, body: came };
    const head = withoutEncoding(this.head);
    const unmarked = withoutMark(came);
    const body = hideSecretsIn(unmarked, isSuccess(head.status) ? this.#unmistakable : this.secrets);
    const kind = answerKind(head);
    const begins =
      isSuccess(head.status) && (kind === 'stream' || looksLike(body, /^(data|event|id|retry)?:/));
    if (!begins) return this.#readWhole(head, body, kind);
    return settle(runSteps(this.#readStream(head, body)), (stream) =>
      kind === 'stream' || stream.answer.choices.length > 0 ? stream : this.#readWhole(head, body, kind),
    );
  }

  /** An answer that is not a stream. */
  #readWhole(head: AnswerHead, body: Buffer, kind: AnswerKind): MaybePromise<WholeAnswer> {
    const unread = (): WholeAnswer => ({ kind: 'bytes', head, body: this.#hide(body) });
    if (kind !== 'json' && !looksLike(body, /^{/)) return unread();
    return settle(decodeText(body), (text) => {
      const opened = isSuccess(head.status) ? this.dialect.openAnswer?.(text) : undefined;
      return settle(opened ?? parseObject(text), (document) =>
        document === undefined ? unread() : this.#readJson(head, body, document),
      );
    });
  }

  #readJson(head: AnswerHead, body: Buffer, document: JsonDocument): MaybePromise<WholeAnswer> {
    return settle(runSteps(this.dialect.readAnswer(document.value)), (answer): MaybePromise<WholeAnswer> => {
      if (answer !== undefined) return { kind: 'json', head, document, answer };
      const hidden = this.#hide(body);
      if (hidden === body) return { kind: 'json', head, document };
      return settle(parseObject(hidden.toString('utf8')), (shown) =>
        shown === undefined ? { kind: 'bytes', head, body: hidden } : { kind: 'json', head, document: shown },
      );
    });
  }

  /**
   * Hides the credential in a body without a model's output, because such a body may be an error that repeats it,
   * whatever its status is.
   */
  #hide(body: Buffer): Buffer {
    return isSuccess(this.head.status) ? hideSecretsIn(body, this.secrets) : body;
  }

  #keep(bytes: Buffer, isLast: boolean): void {
    if (bytes.length === 0) return;
    if (this.#kept.length + bytes.length > this.maxBytes)
      throw new AnswerTooLarge(`it is over ${this.maxBytes} bytes`);
    this.hold.addAnswer(bytes.length);
    this.#kept.push(bytes, isLast);
  }

  *#readStream(head: AnswerHead, body: Buffer): Steps<WholeAnswer & { kind: 'stream' }> {
    const decoder = this.dialect.createDecoder();
    const builder = new AnswerBuilder();
    const frames: SseFrame[] = [];
    let count = 0;
    for (const came of yield* framesIn(body, this.maxBytes)) {
      const decoded = yield* decodeFrame(decoder, came);
      const { frame, events } = hideInError({ frame: came, events: decoded }, this.secrets);
      if (frames.push(frame) % FRAMES_AT_ONCE === 0) yield;
      for (const event of events) {
        builder.add(event);
        if (++count % EVENTS_AT_ONCE === 0) yield;
      }
    }
    const answer = builder.build();
    const texts = answer.choices.flatMap(({ parts }) => textsOf(parts));
    if (texts.some((text) => repeatsSecret(text, this.#unmistakable)))
      throw new UnreadableAnswer(REPEATS_SECRET);
    return {
      kind: 'stream',
      head,
      frames,
      answer,
      complete: builder.finished || (builder.complete && !builder.isEmpty),
      ended: builder.complete,
      errorMessage: builder.errorMessage,
    };
  }
}

/** The frames of a complete stream. */
function* framesIn(body: Buffer, maxBytes: number): Steps<SseFrame[]> {
  const parser = createSseParser(maxBytes);
  const frames: SseFrame[] = [];
  for (let from = 0; from < body.length; from += BYTES_AT_ONCE) {
    if (from > 0) yield;
    append(frames, parser.push(body.subarray(from, from + BYTES_AT_ONCE)));
    if (frames.length > MOST_FRAMES) throw new AnswerTooLarge(`it has over ${MOST_FRAMES} events`);
  }
  append(frames, parser.end());
  return frames;
}

/** The headers of an answer whose body was decompressed. */
function withoutEncoding(head: AnswerHead): AnswerHead {
  if (head.headers['content-encoding'] === undefined) return head;
  const { 'content-encoding': _encoding, ...headers } = head.headers;
  return { ...head, headers };
}

/** Removes a byte order mark, which some servers send first. JSON does not allow it and most clients skip it. */
function withoutMark(body: Buffer): Buffer {
  const isMarked = body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf;
  return isMarked ? body.subarray(3) : body;
}

/**
 * Whether a body begins like JSON, or like a stream. Some servers send the content type of plain text or none, and
 * such answers must be read and guarded too.
 */
function looksLike(body: Buffer, beginning: RegExp): boolean {
  // A body that begins with a brace, as most do, need not be decoded.
  if (body[0] === BRACE) return beginning.test('{');
  return beginning.test(body.subarray(0, 64).toString('latin1').trimStart());
}

/** The parsed object. Undefined where the text is not an object, or exceeds a limit. */
function parseObject(text: string): MaybePromise<JsonDocument | undefined> {
  if (isTooMuchJson(text)) return undefined;
  return recover(
    () =>
      settle(readJson(text), ({ value, repeatsKeys }) =>
        isJsonObject(value) ? { text, value, repeatsKeys } : undefined,
      ),
    () => undefined,
  );
}
