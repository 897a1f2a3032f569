import type { SseFrame } from '../dialect.js';

/*
 * Framing of server-sent events (WHATWG HTML, section 9.2) and nothing else: what the data says is the
 * dialects' business. `id`, `retry` and comments are skipped, a frame without data is none.
 */

export interface SseParser {
  /** Frames that are whole now. Chunks may end anywhere, inside a character too. */
  push(chunk: Uint8Array): SseFrame[];
  /** The frame that lacked only its empty line, if there is one. */
  end(): SseFrame[];
  /** True once a frame grew over the limit; from then on nothing is given. */
  readonly overflowed: boolean;
}

const DEFAULT_MAX_CHARACTERS = 32 * 1024 * 1024;

/** `maxCharacters` bounds what one frame may hold, in UTF-16 units. */
export function createSseParser(maxCharacters = DEFAULT_MAX_CHARACTERS): SseParser {
  const decoder = new TextDecoder();
  /** The line that has begun, in the pieces that came. */
  let line: string[] = [];
  let data: string[] = [];
  let event: string | undefined;
  let lineLength = 0;
  let dataLength = 0;
  let afterReturn = false;
  let overflowed = false;

  function feed(text: string): SseFrame[] {
    const frames: SseFrame[] = [];
    if (overflowed || text === '') return frames;
    let at = afterReturn && text[0] === '\n' ? 1 : 0;
    afterReturn = text.endsWith('\r');
    for (const end of lineEnds(text, at)) {
      line.push(text.slice(at, end));
      at = end + (text.startsWith('\r\n', end) ? 2 : 1);
      const frame = takeLine(line.length === 1 ? line[0]! : line.join(''));
      line = [];
      lineLength = 0;
      if (frame !== undefined) frames.push(frame);
    }
    if (at < text.length) {
      line.push(text.slice(at));
      lineLength += text.length - at;
    }
    if (lineLength + dataLength > maxCharacters) overflow();
    return frames;
  }

  function takeLine(text: string): SseFrame | undefined {
    if (text === '') return takeFrame();
    const colon = text.indexOf(':');
    const field = colon === -1 ? text : text.slice(0, colon);
    const value = colon === -1 ? '' : text.slice(text[colon + 1] === ' ' ? colon + 2 : colon + 1);
    if (field === 'data') {
      data.push(value);
      // One more for the line itself, so that empty lines are bounded too.
      dataLength += value.length + 1;
    } else if (field === 'event') {
      event = value;
    }
    return undefined;
  }

  function takeFrame(): SseFrame | undefined {
    const frame = data.length === 0 ? undefined : toFrame(event, data);
    data = [];
    event = undefined;
    dataLength = 0;
    return frame;
  }

  function overflow(): void {
    overflowed = true;
    line = [];
    data = [];
  }

  return {
    push: (chunk) => feed(decoder.decode(chunk, { stream: true })),
    end() {
      const frames = feed(decoder.decode());
      const rest = line.join('');
      line = [];
      // A line without its end is half a line, and dropped; but some servers end their stream like this.
      if (/^data: ?\[DONE\]$/.test(rest)) takeLine(rest);
      const last = takeFrame();
      return last === undefined ? frames : [...frames, last];
    },
    get overflowed() {
      return overflowed;
    },
  };
}

/** Offsets of CR, LF and CRLF (its CR) from `from` on. */
function* lineEnds(text: string, from: number): Generator<number> {
  let feedAt = text.indexOf('\n', from);
  let returnAt = text.indexOf('\r', from);
  while (feedAt !== -1 || returnAt !== -1) {
    if (returnAt !== -1 && (feedAt === -1 || returnAt < feedAt)) {
      yield returnAt;
      if (feedAt === returnAt + 1) feedAt = text.indexOf('\n', feedAt + 1);
      returnAt = text.indexOf('\r', returnAt + 1);
    } else {
      yield feedAt;
      feedAt = text.indexOf('\n', feedAt + 1);
    }
  }
}

function toFrame(event: string | undefined, data: string[]): SseFrame {
  const text = data.length === 1 ? data[0]! : data.join('\n');
  return event === undefined || event === '' ? { data: text } : { event, data: text };
}

/** The frame as it goes over the wire, with the empty line that ends it. */
export function formatFrame(frame: SseFrame): string {
  const event = frame.event === undefined ? '' : `event: ${frame.event}\n`;
  const data = frame.data.includes('\n') ? frame.data.replaceAll('\n', '\ndata: ') : frame.data;
  return `${event}data: ${data}\n\n`;
}
