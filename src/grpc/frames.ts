/* Writes the frames of HTTP/2 (RFC 9113) as bytes. */

export const PREFACE = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 'latin1');
export const FRAME_HEADER_BYTES = 9;

export const FRAME = {
  data: 0,
  headers: 1,
  resetStream: 3,
  settings: 4,
  pushPromise: 5,
  ping: 6,
  goAway: 7,
  windowUpdate: 8,
  continuation: 9,
} as const;

export const FLAG = {
  none: 0,
  endStream: 0x1,
  ack: 0x1,
  endHeaders: 0x4,
  padded: 0x8,
  priority: 0x20,
} as const;

export const SETTING = { headerTableSize: 1, initialWindowSize: 4, maxFrameSize: 5 } as const;

export const ERROR = {
  none: 0,
  protocol: 1,
  internal: 2,
  flowControl: 3,
  frameSize: 6,
  refusedStream: 7,
  compression: 9,
} as const;

export const DEFAULT_WINDOW = 65_535;
export const MAX_WINDOW = 2 ** 31 - 1;
/** The largest frame until a SETTINGS frame allows more. Ours does not. */
export const DEFAULT_FRAME_BYTES = 16_384;

export function writeFrameHeader(
  target: Buffer,
  length: number,
  type: number,
  flags: number,
  streamId: number,
  at = 0,
): void {
  target[at] = length >> 16;
  target[at + 1] = length >> 8;
  target[at + 2] = length;
  target[at + 3] = type;
  target[at + 4] = flags;
  target.writeUInt32BE(streamId, at + 5);
}

export function frame(type: number, flags: number, streamId: number, payload: Buffer): Buffer {
  const bytes = Buffer.allocUnsafe(FRAME_HEADER_BYTES + payload.length);
  writeFrameHeader(bytes, payload.length, type, flags, streamId);
  payload.copy(bytes, FRAME_HEADER_BYTES);
  return bytes;
}

export function settingsFrame(settings: readonly (readonly [id: number, value: number])[]): Buffer {
  const payload = Buffer.alloc(6 * settings.length);
  for (const [index, [id, value]] of settings.entries()) {
    payload.writeUInt16BE(id, 6 * index);
    payload.writeUInt32BE(value, 6 * index + 2);
  }
  return frame(FRAME.settings, 0, 0, payload);
}

/** A frame whose payload is one number: RST_STREAM or WINDOW_UPDATE. */
export function numberFrame(type: number, streamId: number, value: number): Buffer {
  const payload = Buffer.alloc(4);
  payload.writeUInt32BE(value);
  return frame(type, 0, streamId, payload);
}

export function goAwayFrame(lastStreamId: number, error: number): Buffer {
  const payload = Buffer.alloc(8);
  payload.writeUInt32BE(lastStreamId);
  payload.writeUInt32BE(error, 4);
  return frame(FRAME.goAway, 0, 0, payload);
}

/** The peer violated the protocol, so the connection must be closed. */
export class ProtocolError extends Error {
  constructor(
    /** One of the codes in `ERROR`. */
    readonly code: number,
    message: string,
  ) {
    super(message);
  }
}
