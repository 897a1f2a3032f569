import { append } from '../../../core/append.js';
import type { JsonDocument } from '../../../core/json.js';
import { isJsonObject } from '../../../core/json.js';
import { isTooMuchJson } from '../../../core/json-scan.js';
import type { BodyHold } from '../../../core/pacing/bodies-in-flight.js';
import { decodeText, readJson } from '../../../core/pacing/heavy-json.js';
import type { MaybePromise } from '../../../core/pacing/maybe-promise.js';
import { settle } from '../../../core/pacing/maybe-promise.js';
import type { Steps } from '../../../core/pacing/steps.js';
import { atOnce, runSteps } from '../../../core/pacing/steps.js';
import type { Dialect, SseFrame } from '../../../dialects/dialect.js';
import { createSseParser } from '../../../dialects/wire/sse.js';
import type { AnswerHead } from '../../exchange/http.js';
import type { WholeAnswer } from '../../exchange/whole-answer.js';
import { AnswerBuilder } from './answer-builder.js';
import type { ContentDecoder } from './content-decoder.js';
import { AnswerTooLarge, createContentDecoder } from './content-decoder.js';
import { decodeFrame } from './decode-frame.js';
import { hideInError } from './hide-secrets.js';
import { hideSecretsIn } from './provider-secrets.js';

const BYTES_AT_ONCE = 65_536;
const EVENTS_AT_ONCE = 100;
/** A last event that is longer is not looked at until all is read. */
const LAST_BYTES = 65_536;

/** What an answer is, by the content type that came, not by what was asked for. */
export type AnswerKind = 'json' | 'stream' | 'bytes';

export function answerKind(head: AnswerHead): AnswerKind {
  const type = (head.headers['content-type'] ?? '').split(';', 1)[0]!.trim().toLowerCase();
  if (type === 'text/event-stream') return 'stream';
  return type === 'application/json' || type.endsWith('+json') ? 'json' : 'bytes';
}

export function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

/** Reads one provider's answer whole. */
export class AnswerCollector {
  readonly #decoder: ContentDecoder | undefined;
  readonly #chunks: Buffer[] = [];
  #bytes = 0;

  constructor(
    private readonly dialect: Dialect,
    private readonly head: AnswerHead,
    private readonly maxBytes: number,
    private readonly hold: Pick<BodyHold, 'addAnswer'>,
    /** What an error of its provider may not repeat. */
    private readonly secrets: readonly string[] = [],
  ) {
    this.#decoder = createContentDecoder(head.headers['content-encoding'], maxBytes);
  }

  /** Throws `UnreadableAnswer`. */
  push(chunk: Buffer): MaybePromise<void> {
    const unpacked = this.#decoder === undefined ? chunk : this.#decoder.write(chunk);
    return settle(unpacked, (bytes) => this.#keep(bytes));
  }

  /** Of what it keeps. */
  get bytes(): number {
    return this.#bytes;
  }

  get isStream(): boolean {
    return this.#decoder !== undefined && isSuccess(this.head.status) && answerKind(this.head) === 'stream';
  }

  /** Whether the last event that came is the end of a stream. */
  endsWithLastEvent(): boolean {
    const frame = atOnce(framesIn(this.#lastBytes(), LAST_BYTES)).at(-1);
    const events = frame === undefined ? [] : this.dialect.createDecoder().decode(frame);
    return events.some(({ type }) => type === 'end');
  }

  /** Whether all that came so far is a stream with its own end. */
  async hasEnded(): Promise<boolean> {
    const whole = await this.finish();
    return whole.kind === 'stream' && whole.ended;
  }

  #lastBytes(): Buffer {
    let first = this.#chunks.length;
    for (let bytes = 0; first > 0 && bytes < LAST_BYTES; ) bytes += this.#chunks[--first]!.length;
    return Buffer.concat(this.#chunks.slice(first)).subarray(-LAST_BYTES);
  }

  async finish(): Promise<WholeAnswer> {
    const came = this.#chunks.length === 1 ? this.#chunks[0]! : Buffer.concat(this.#chunks);
    if (this.#decoder === undefined) return { kind: 'bytes', head: this.head, body: came };
    const head = withoutEncoding(this.head);
    const unmarked = withoutMark(came);
    const body = isSuccess(head.status) ? unmarked : hideSecretsIn(unmarked, this.secrets);
    const kind = answerKind(head);
    if (isSuccess(head.status) && (kind === 'stream' || looksLike(body, /^(data|event|id|retry)?:/))) {
      const reading = runSteps(this.#readStream(head, body));
      const stream = await reading;
      if (kind === 'stream' || stream.answer.choices.length > 0) return stream;
    }
    if (kind !== 'json' && !looksLike(body, /^{/)) return { kind: 'bytes', head, body: this.#hide(body) };
    const decoded = decodeText(body);
    const text = typeof decoded === 'string' ? decoded : await decoded;
    const opened = isSuccess(head.status) ? this.dialect.openAnswer?.(text) : undefined;
    const parsed = opened ?? parseObject(text);
    const document = await parsed;
    if (document === undefined) return { kind: 'bytes', head, body: this.#hide(body) };
    const reading = runSteps(this.dialect.readAnswer(document.value));
    const answer = await reading;
    if (answer !== undefined) return { kind: 'json', head, document, answer };
    const hidden = this.#hide(body);
    const told = hidden === body ? document : await parseObject(hidden.toString('utf8'));
    return told === undefined
      ? { kind: 'bytes', head, body: hidden }
      : { kind: 'json', head, document: told };
  }

  /** What no model said may be an error that repeats what its provider was sent, whatever its status. */
  #hide(body: Buffer): Buffer {
    return isSuccess(this.head.status) ? hideSecretsIn(body, this.secrets) : body;
  }

  #keep(bytes: Buffer): void {
    if (bytes.length === 0) return;
    this.#bytes += bytes.length;
    if (this.#bytes > this.maxBytes) throw new AnswerTooLarge(`it is over ${this.maxBytes} bytes`);
    this.hold.addAnswer(bytes.length);
    this.#chunks.push(bytes);
  }

  *#readStream(head: AnswerHead, body: Buffer): Steps<WholeAnswer & { kind: 'stream' }> {
    const decoder = this.dialect.createDecoder();
    const builder = new AnswerBuilder();
    const frames: SseFrame[] = [];
    let count = 0;
    for (const came of yield* framesIn(body, this.maxBytes)) {
      const decoded = yield* decodeFrame(decoder, came);
      const { frame, events } = hideInError({ frame: came, events: decoded }, this.secrets);
      frames.push(frame);
      for (const event of events) {
        builder.add(event);
        if (++count % EVENTS_AT_ONCE === 0) yield;
      }
    }
    const answer = builder.build();
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

/** The frames of a stream that came whole. */
function* framesIn(body: Buffer, maxBytes: number): Steps<SseFrame[]> {
  const parser = createSseParser(maxBytes);
  const frames: SseFrame[] = [];
  for (let from = 0; from < body.length; from += BYTES_AT_ONCE) {
    if (from > 0) yield;
    append(frames, parser.push(body.subarray(from, from + BYTES_AT_ONCE)));
  }
  append(frames, parser.end());
  return frames;
}

/** The head as it is once the body is unpacked. */
function withoutEncoding(head: AnswerHead): AnswerHead {
  if (head.headers['content-encoding'] === undefined) return head;
  const { 'content-encoding': _encoding, ...headers } = head.headers;
  return { ...head, headers };
}

/** Some servers put a byte order mark in front, which no JSON may have and most clients skip. */
function withoutMark(body: Buffer): Buffer {
  const isMarked = body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf;
  return isMarked ? body.subarray(3) : body;
}

/** Some servers call all they send text, or nothing at all; what reads answers and guards them must not miss it. */
function looksLike(body: Buffer, beginning: RegExp): boolean {
  return beginning.test(body.subarray(0, 64).toString('latin1').trimStart());
}

/** Undefined for what is not an object, or goes over a bound. */
async function parseObject(text: string): Promise<JsonDocument | undefined> {
  if (isTooMuchJson(text)) return undefined;
  try {
    const { value, repeatsKeys } = await readJson(text);
    return isJsonObject(value) ? { text, value, repeatsKeys } : undefined;
  } catch {
    return undefined;
  }
}
