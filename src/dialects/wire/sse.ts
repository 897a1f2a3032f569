import { StringDecoder } from 'node:string_decoder';
import { copyText } from '../../core/texts/copy-text.js';
import { TextCollector } from '../../core/texts/text-collector.js';
import type { SseFrame } from './sse-frame.js';

/*
 * Splits server-sent events into frames (WHATWG HTML, section 9.2) and does nothing else: the dialects read the data.
 * `id`, `retry` and comments are skipped. A frame without data is not a frame.
 */

/** Complete frames of a chunk that were read together. */
export interface FrameRun {
  /** The text of the frames as it arrived. */
  wire: string;
}

/** Reads the frames that begin at an offset of a text and that it recognizes; undefined where it recognizes none. */
export type RunReader<Run extends FrameRun> = (text: string, at: number) => Run | undefined;

/** How many units a line counts in addition to its text. */
const LINE_UNITS = 64;
const BYTE_ORDER_MARK = '\ufeff';
const DEFAULT_MAX_CHARACTERS = 32 * 1024 * 1024;

/** `maxCharacters` bounds what one frame may hold, in UTF-16 units. */
export function createSseParser(maxCharacters = DEFAULT_MAX_CHARACTERS): SseParser {
  return new SseParser(maxCharacters);
}

export class SseParser {
  /** The number of comments so far. A server that sends comments is at work, but has nothing to say yet. */
  comments = 0;
  /** True once a frame has exceeded the limit. From then on no frames are returned. */
  overflowed = false;
  // A TextDecoder takes ten times as long for a stream.
  readonly #decoder = new StringDecoder('utf8');
  #isBegun = false;
  /** The text of the chunk, the offset up to which it was read, and the ends of its lines, once they were asked for. */
  #text = '';
  #at = 0;
  #lines: LineEnds | undefined;
  #afterReturn = false;
  /** The line that has begun, in the pieces that arrived. */
  readonly #line = new TextCollector();
  /** The lines of data and the event's name of the frame that has begun. */
  #data: string[] = [];
  #event: string | undefined;
  #dataLength = 0;
  /** How many of these lines `copySmallLines` has already looked at. */
  #copiedLines = 0;

  constructor(private readonly maxCharacters: number) {}

  /** Takes a chunk and returns the frames that are complete now. A chunk may end anywhere, even inside a character. */
  push(chunk: Uint8Array): SseFrame[] {
    this.feed(chunk);
    return this.#rest();
  }

  /** Takes a chunk, whose frames `next` reads one by one. All of an earlier chunk must have been read. */
  feed(chunk: Uint8Array): void {
    this.#begin(this.#decode(chunk));
  }

  /** Whether some of the chunk was not read yet. It may be a part of a frame only. */
  get hasMore(): boolean {
    return this.#text !== '';
  }

  /**
   * The next complete frame of the chunk. `runs` may read several frames that begin at one place together. Undefined
   * once everything was read.
   */
  next<Run extends FrameRun = never>(runs?: RunReader<Run>): SseFrame | Run | undefined {
    const text = this.#text;
    while (this.#text !== '') {
      const run = runs === undefined || this.#isWithinFrame ? undefined : runs(text, this.#at);
      if (run !== undefined) {
        this.#readTo(this.#at + run.wire.length);
        return run;
      }
      this.#lines ??= new LineEnds(text);
      const end = this.#lines.next(this.#at);
      if (end === -1) break;
      const last = text.slice(this.#at, end);
      this.#readTo(end + (text.startsWith('\r\n', end) ? 2 : 1));
      const frame = this.#takeLine(this.#line.length === 0 ? last : this.#line.take() + last);
      if (frame !== undefined) return frame;
    }
    this.#keepRest(text);
    return undefined;
  }

  /** The frame that lacked only its empty line, if there is one. */
  end(): SseFrame[] {
    this.#begin(this.#decoder.end());
    const frames = this.#rest();
    const rest = this.#line.take();
    // A line without its end is incomplete and dropped. But some servers end their stream like this.
    if (/^data: ?\[DONE\]$/.test(rest)) this.#takeLine(rest);
    const last = this.#takeFrame();
    return last === undefined ? frames : [...frames, last];
  }

  #rest(): SseFrame[] {
    const frames: SseFrame[] = [];
    for (let frame = this.next<never>(); frame !== undefined; frame = this.next<never>()) frames.push(frame);
    return frames;
  }

  /** Decodes a chunk, without the byte order mark that some servers send first. */
  #decode(chunk: Uint8Array): string {
    const text = this.#decoder.write(chunk as Buffer);
    if (this.#isBegun || text === '') return text;
    this.#isBegun = true;
    return text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;
  }

  #begin(text: string): void {
    if (this.overflowed || text === '') return;
    this.#text = text;
    this.#lines = undefined;
    this.#readTo(this.#afterReturn && text[0] === '\n' ? 1 : 0);
    this.#afterReturn = text.endsWith('\r');
  }

  /** Everything before this offset was read. A text of which all was read is not kept in memory. */
  #readTo(at: number): void {
    this.#at = at;
    if (at < this.#text.length) return;
    this.#text = '';
    this.#at = 0;
  }

  /** Keeps the beginning of a line at the end of the chunk. */
  #keepRest(text: string): void {
    if (this.#text !== '') {
      this.#line.add(text.slice(this.#at));
      this.#readTo(text.length);
    }
    if (this.#data.length > this.#copiedLines) this.#copySmallLines(text.length);
    if (this.#line.length + this.#dataLength > this.maxCharacters) this.#overflow();
  }

  get #isWithinFrame(): boolean {
    return this.#line.length > 0 || this.#data.length > 0 || this.#event !== undefined;
  }

  #takeLine(text: string): SseFrame | undefined {
    if (text === '') return this.#takeFrame();
    const colon = text.indexOf(':');
    if (colon === 0) this.comments++;
    const field = colon === -1 ? text : text.slice(0, colon);
    const value = colon === -1 ? '' : text.slice(text[colon + 1] === ' ' ? colon + 2 : colon + 1);
    if (field === 'data') {
      this.#data.push(value);
      // Empty lines count too, so that their number is limited.
      this.#dataLength += value.length + LINE_UNITS;
    } else if (field === 'event') {
      this.#event = value;
    }
    return undefined;
  }

  /**
   * The lines of a frame that continues in the next chunk are parts of this chunk's text and keep all of it in memory. Where they
   * are a small part of it, they are copied.
   */
  #copySmallLines(units: number): void {
    const data = this.#data;
    let kept = 0;
    for (let index = this.#copiedLines; index < data.length; index++) kept += data[index]!.length;
    if (kept < units / 8)
      for (let index = this.#copiedLines; index < data.length; index++) data[index] = copyText(data[index]!);
    this.#copiedLines = data.length;
  }

  #takeFrame(): SseFrame | undefined {
    if (this.#data.length === 0) {
      this.#event = undefined;
      return undefined;
    }
    const frame = toFrame(this.#event, this.#data);
    this.#data = [];
    this.#copiedLines = 0;
    this.#event = undefined;
    this.#dataLength = 0;
    return frame;
  }

  #overflow(): void {
    this.overflowed = true;
    this.#line.clear();
    this.#data = [];
    this.#copiedLines = 0;
  }
}

/**
 * The offsets at which lines end: CR, LF, or the CR of CRLF. Each is searched for once, however many of the other come first.
 */
class LineEnds {
  #feed: number;
  #return: number;

  constructor(private readonly text: string) {
    this.#feed = text.indexOf('\n');
    this.#return = text.indexOf('\r');
  }

  /** The first end of a line from this offset on, or -1. Offsets must not decrease from call to call. */
  next(from: number): number {
    if (this.#feed !== -1 && this.#feed < from) this.#feed = this.text.indexOf('\n', from);
    if (this.#return !== -1 && this.#return < from) this.#return = this.text.indexOf('\r', from);
    if (this.#feed === -1 || this.#return === -1) return Math.max(this.#feed, this.#return);
    return Math.min(this.#feed, this.#return);
  }
}

function toFrame(event: string | undefined, data: string[]): SseFrame {
  const text = data.length === 1 ? data[0]! : data.join('\n');
  return event === undefined || event === '' ? { data: text } : { event, data: text };
}

/** A frame in the form in which it is sent, with the empty line that ends it. */
export function formatFrame(frame: SseFrame): string {
  const event = frame.event === undefined ? '' : `event: ${frame.event}\n`;
  const data = frame.data.includes('\n') ? frame.data.replaceAll('\n', '\ndata: ') : frame.data;
  return `${event}data: ${data}\n\n`;
}
