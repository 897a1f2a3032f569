import { StringDecoder } from 'node:string_decoder';
import { copyText } from '../../core/texts/copy-text.js';
import { TextCollector } from '../../core/texts/text-collector.js';
import type { SseFrame } from './sse-frame.js';

/*
 * Splits server-sent events into frames (WHATWG HTML, section 9.2) and does nothing else: the dialects read the data.
 * `id`, `retry` and comments are skipped. A frame without data is not a frame.
 */

export interface SseParser {
  /** Takes a chunk and returns the frames that are complete now. A chunk may end anywhere, even inside a character. */
  push(chunk: Uint8Array): SseFrame[];
  /**
   * Does the same one by one: each frame is read only when it is taken. `runs` may take several frames that begin at
   * one place. All must be taken before the next chunk.
   */
  read<Run extends FrameRun>(chunk: Uint8Array, runs: RunReader<Run>): Iterable<SseFrame | Run>;
  /** The frame that lacked only its empty line, if there is one. */
  end(): SseFrame[];
  /** The number of comments so far. A server that sends comments is at work, but has nothing to say yet. */
  readonly comments: number;
  /** True once a frame has exceeded the limit. From then on no frames are returned. */
  readonly overflowed: boolean;
}

/** Complete frames of a chunk that were read together. */
export interface FrameRun {
  /** The text of the frames as it arrived. */
  wire: string;
}

/** Reads the frames that begin at an offset of a text and that it recognizes; undefined where it recognizes none. */
export type RunReader<Run extends FrameRun> = (text: string, at: number) => Run | undefined;

const BYTE_ORDER_MARK = '\ufeff';
const DEFAULT_MAX_CHARACTERS = 32 * 1024 * 1024;

/** How many units a line counts in addition to its text. */
const LINE_UNITS = 64;

/** `maxCharacters` bounds what one frame may hold, in UTF-16 units. */
export function createSseParser(maxCharacters = DEFAULT_MAX_CHARACTERS): SseParser {
  // A TextDecoder takes ten times as long for a stream.
  const decoder = new StringDecoder('utf8');
  let isBegun = false;
  /** The line that has begun, in the pieces that arrived. */
  const line = new TextCollector();
  let data: string[] = [];
  /** How many of these lines `copySmallLines` has already looked at. */
  let copiedLines = 0;
  let event: string | undefined;
  let dataLength = 0;
  let afterReturn = false;
  let overflowed = false;
  let comments = 0;

  function* feed<Run extends FrameRun>(text: string, runs?: RunReader<Run>): Generator<SseFrame | Run> {
    if (overflowed || text === '') return;
    let at = afterReturn && text[0] === '\n' ? 1 : 0;
    afterReturn = text.endsWith('\r');
    const lines = new LineEnds(text);
    while (at < text.length) {
      const run = runs === undefined || isWithinFrame() ? undefined : runs(text, at);
      if (run !== undefined) {
        at += run.wire.length;
        yield run;
        continue;
      }
      const end = lines.next(at);
      if (end === -1) break;
      const last = text.slice(at, end);
      at = end + (text.startsWith('\r\n', end) ? 2 : 1);
      const frame = takeLine(line.length === 0 ? last : line.take() + last);
      if (frame !== undefined) yield frame;
    }
    if (at < text.length) {
      line.add(text.slice(at));
    }
    if (data.length > copiedLines) copySmallLines(text.length);
    if (line.length + dataLength > maxCharacters) overflow();
  }

  /** Decodes a chunk, without the byte order mark that some servers send first. */
  function decode(chunk: Uint8Array): string {
    const text = decoder.write(chunk as Buffer);
    if (isBegun || text === '') return text;
    isBegun = true;
    return text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;
  }

  function isWithinFrame(): boolean {
    return line.length > 0 || data.length > 0 || event !== undefined;
  }

  function takeLine(text: string): SseFrame | undefined {
    if (text === '') return takeFrame();
    const colon = text.indexOf(':');
    if (colon === 0) comments++;
    const field = colon === -1 ? text : text.slice(0, colon);
    const value = colon === -1 ? '' : text.slice(text[colon + 1] === ' ' ? colon + 2 : colon + 1);
    if (field === 'data') {
      data.push(value);
      // Empty lines count too, so that their number is limited.
      dataLength += value.length + LINE_UNITS;
    } else if (field === 'event') {
      event = value;
    }
    return undefined;
  }

  /**
   * The lines of a frame that continues in the next chunk are parts of this chunk's text and keep all of it in memory. Where they
   * are a small part of it, they are copied.
   */
  function copySmallLines(units: number): void {
    let kept = 0;
    for (let index = copiedLines; index < data.length; index++) kept += data[index]!.length;
    if (kept < units / 8)
      for (let index = copiedLines; index < data.length; index++) data[index] = copyText(data[index]!);
    copiedLines = data.length;
  }

  function takeFrame(): SseFrame | undefined {
    const frame = data.length === 0 ? undefined : toFrame(event, data);
    data = [];
    copiedLines = 0;
    event = undefined;
    dataLength = 0;
    return frame;
  }

  function overflow(): void {
    overflowed = true;
    line.clear();
    data = [];
    copiedLines = 0;
  }

  return {
    push: (chunk) => [...feed<never>(decode(chunk))],
    read: (chunk, runs) => feed(decode(chunk), runs),
    end() {
      const frames = [...feed<never>(decoder.end())];
      const rest = line.take();
      // A line without its end is incomplete and dropped. But some servers end their stream like this.
      if (/^data: ?\[DONE\]$/.test(rest)) takeLine(rest);
      const last = takeFrame();
      return last === undefined ? frames : [...frames, last];
    },
    get comments() {
      return comments;
    },
    get overflowed() {
      return overflowed;
    },
  };
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
