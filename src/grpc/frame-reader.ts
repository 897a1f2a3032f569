import {
  DEFAULT_FRAME_BYTES,
  ERROR,
  FRAME_HEADER_BYTES,
  MAX_WINDOW,
  PREFACE,
  ProtocolError,
} from './frames.js';

export type TakeFrame = (type: number, flags: number, streamId: number, payload: Buffer) => void;

const EMPTY = Buffer.alloc(0);

/** Splits the bytes of a connection into frames, after the preface that a client sends first. */
export class FrameReader {
  #rest: Buffer = EMPTY;
  #greeted = false;

  /** Passes each complete frame to `take`. Throws a ProtocolError. */
  push(chunk: Buffer, take: TakeFrame): void {
    const input = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    let at = 0;
    if (!this.#greeted) {
      if (input.length < PREFACE.length) {
        this.#rest = input;
        return;
      }
      if (!input.subarray(0, PREFACE.length).equals(PREFACE)) {
        throw new ProtocolError(ERROR.protocol, 'no HTTP/2');
      }
      this.#greeted = true;
      at = PREFACE.length;
    }
    while (input.length - at >= FRAME_HEADER_BYTES) {
      const length = (input[at]! << 16) | (input[at + 1]! << 8) | input[at + 2]!;
      if (length > DEFAULT_FRAME_BYTES) throw new ProtocolError(ERROR.frameSize, 'a frame is too long');
      const end = at + FRAME_HEADER_BYTES + length;
      if (end > input.length) break;
      const streamId = input.readUInt32BE(at + 5) & MAX_WINDOW;
      take(input[at + 3]!, input[at + 4]!, streamId, input.subarray(at + FRAME_HEADER_BYTES, end));
      at = end;
    }
    this.#rest = at === input.length ? EMPTY : input.subarray(at);
  }
}
