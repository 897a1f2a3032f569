import type { Socket } from 'node:net';
import { ShortLivedMap } from '../core/lists/short-lived-map.js';
import type { Service } from './call.js';
import { STATUS } from './call.js';
import { FrameReader, type TakeFrame } from './frame-reader.js';
import {
  DEFAULT_FRAME_BYTES,
  DEFAULT_WINDOW,
  ERROR,
  FLAG,
  FRAME,
  frame,
  goAwayFrame,
  MAX_WINDOW,
  numberFrame,
  ProtocolError,
  SETTING,
  settingsFrame,
} from './frames.js';
import { HpackDecoder, HpackError } from './hpack.js';
import { Outbox } from './outbox.js';
import { GrpcStream, type StreamOutlet } from './stream.js';

/**
 * How many bytes of DATA the peer may send before we acknowledge them. The bytes of one call count until its service
 * has read them, so that a flood of small messages waits inside Envoy. The connection's window is enough for a hundred
 * calls: where Envoy has to wait for it, its calls do not take turns, and a new one can wait for a second. It holds fewer
 * frames than the million at which our configurations make Envoy close a connection: the shortest message has 15 bytes.
 */
export const CONNECTION_WINDOW = 8 << 20;
const MAX_BLOCK_BYTES = 64 * 1024;
const EMPTY = Buffer.alloc(0);
const SETTINGS_ACK = frame(FRAME.settings, FLAG.ack, 0, EMPTY);
const GREETING = Buffer.concat([
  settingsFrame([]),
  numberFrame(FRAME.windowUpdate, 0, CONNECTION_WINDOW - DEFAULT_WINDOW),
]);

export interface ConnectionOptions {
  /** The services by the path of the method, such as `/package.Service/Method`. */
  services: ReadonlyMap<string, Service>;
  /** A longer message fails its call. */
  maxMessageBytes: () => number;
  /** After this long without data from a peer, it is asked whether it is alive. It has the same time to answer. */
  keepaliveMs: number;
  /** Called when a service threw an error. The call has then failed. */
  onError: (error: unknown) => void;
}

/**
 * The server's side of one HTTP/2 connection that carries only gRPC. The peer is trusted to be a proxy of the same
 * user, so there is no protection against floods. Such a protection would end the calls of all clients together:
 * nghttp2 has one, and takes Envoy's streams that end early for an attack.
 */
export class Connection implements StreamOutlet {
  window = DEFAULT_WINDOW;
  frameBytes = DEFAULT_FRAME_BYTES;
  readonly #streams = new ShortLivedMap<number, GrpcStream>();
  /** New calls whose first bytes have just arrived. */
  #due: GrpcStream[] = [];
  readonly #hpack = new HpackDecoder();
  readonly #frames = new FrameReader();
  readonly #outbox: Outbox;
  #lastStreamId = 0;
  #received = 0;
  #peerStreamWindow = DEFAULT_WINDOW;
  #block: { streamId: number; flags: number; parts: Buffer[]; bytes: number } | undefined;
  #draining = false;
  #tableUpdateDue = false;
  /** Whether data arrived since the last check of the keepalive. */
  #heard = true;
  #asked = false;
  readonly #keepalive: NodeJS.Timeout;

  constructor(
    private readonly socket: Socket,
    private readonly options: ConnectionOptions,
  ) {
    this.#outbox = new Outbox(socket);
    socket.on('data', (chunk: Buffer) => this.#read(chunk));
    socket.on('error', () => {});
    socket.on('close', () => this.#onClose());
    this.send(GREETING);
    this.#keepalive = setInterval(() => this.#checkAlive(), options.keepaliveMs).unref();
  }

  get maxMessageBytes(): number {
    return this.options.maxMessageBytes();
  }

  /** Accepts no new calls, and closes the connection once the running ones have ended. */
  drain(): void {
    if (this.#draining) return;
    this.#draining = true;
    this.send(goAwayFrame(this.#lastStreamId, ERROR.none));
    this.#closeIfDrained();
  }

  destroy(): void {
    this.socket.destroy();
  }

  // Reading ----------------------------------------------------------------------------------------------

  #read(chunk: Buffer): void {
    this.#heard = true;
    try {
      this.#frames.push(chunk, this.#takeFrame);
    } catch (error) {
      this.#breakOff(error);
    }
    if (this.#due.length === 0) return;
    const due = this.#due;
    this.#due = [];
    for (const stream of due) stream.deliver();
  }

  readonly #takeFrame: TakeFrame = (type, flags, streamId, payload) => {
    if (this.#block !== undefined && type !== FRAME.continuation) {
      throw new ProtocolError(ERROR.protocol, 'a header block was interrupted by another frame');
    }
    switch (type) {
      case FRAME.data:
        this.#onData(flags, streamId, payload);
        break;
      case FRAME.headers:
        this.#onHeaders(flags, streamId, payload);
        break;
      case FRAME.continuation:
        this.#onContinuation(flags, streamId, payload);
        break;
      case FRAME.resetStream:
        this.#onReset(streamId);
        break;
      case FRAME.settings:
        this.#onSettings(flags, payload);
        break;
      case FRAME.ping:
        if ((flags & FLAG.ack) === 0) this.send(frame(FRAME.ping, FLAG.ack, 0, payload));
        break;
      case FRAME.windowUpdate:
        this.#onWindowUpdate(streamId, payload);
        break;
      case FRAME.pushPromise:
        throw new ProtocolError(ERROR.protocol, 'PUSH_PROMISE frame from a client');
      // GOAWAY needs no action, because the peer ends its calls itself. PRIORITY and unknown frames have no meaning
      // here.
    }
  };

  #onData(flags: number, streamId: number, payload: Buffer): void {
    this.#received += payload.length;
    if (this.#received >= CONNECTION_WINDOW / 2) {
      this.send(numberFrame(FRAME.windowUpdate, 0, this.#received));
      this.#received = 0;
    }
    const stream = this.#streams.get(streamId);
    if (stream === undefined) {
      if (streamId > this.#lastStreamId)
        throw new ProtocolError(ERROR.protocol, 'DATA frame for a stream without a HEADERS frame');
      return;
    }
    const bytes = (flags & FLAG.padded) === 0 ? payload : withoutPadding(payload);
    if (bytes.length > 0) stream.take(bytes);
    this.#tellRead(stream, payload.length);
    if ((flags & FLAG.endStream) !== 0) this.#endPeer(stream, false);
  }

  widenReceiving(stream: GrpcStream, bytes: number): void {
    this.send(numberFrame(FRAME.windowUpdate, stream.id, bytes));
  }

  deliverSoon(stream: GrpcStream): void {
    this.#due.push(stream);
  }

  readOn(stream: GrpcStream): void {
    this.#tellRead(stream, 0);
    this.#forgetIfDone(stream);
  }

  #tellRead(stream: GrpcStream, came: number): void {
    const read = stream.takeRead(came);
    if (read < stream.receiveWindow / 2 || stream.peerDone) return;
    stream.toldRead(read);
    this.send(numberFrame(FRAME.windowUpdate, stream.id, read));
  }

  #onHeaders(flags: number, streamId: number, payload: Buffer): void {
    let block = (flags & FLAG.padded) === 0 ? payload : withoutPadding(payload);
    if ((flags & FLAG.priority) !== 0) block = block.subarray(5);
    if (streamId % 2 === 0)
      throw new ProtocolError(ERROR.protocol, 'HEADERS frame with an even stream number');
    if ((flags & FLAG.endHeaders) !== 0) this.#onBlock(flags, streamId, block);
    else this.#block = { streamId, flags, parts: [block], bytes: block.length };
  }

  #onContinuation(flags: number, streamId: number, payload: Buffer): void {
    const open = this.#block;
    if (open === undefined || open.streamId !== streamId) {
      throw new ProtocolError(ERROR.protocol, 'CONTINUATION frame without a preceding HEADERS frame');
    }
    open.parts.push(payload);
    open.bytes += payload.length;
    if (open.bytes > MAX_BLOCK_BYTES)
      throw new ProtocolError(ERROR.protocol, `header block over ${MAX_BLOCK_BYTES} bytes`);
    if ((flags & FLAG.endHeaders) === 0) return;
    this.#block = undefined;
    this.#onBlock(open.flags, streamId, Buffer.concat(open.parts));
  }

  #onBlock(flags: number, streamId: number, block: Buffer): void {
    // The headers are decoded even for a stream that is refused, because later headers depend on the header table.
    const headers = this.#hpack.decode(block);
    const ends = (flags & FLAG.endStream) !== 0;
    if (streamId <= this.#lastStreamId) {
      const known = this.#streams.get(streamId);
      if (known !== undefined && ends) this.#endPeer(known, false);
      return;
    }
    if (this.#draining) {
      this.send(numberFrame(FRAME.resetStream, streamId, ERROR.refusedStream));
      return;
    }
    this.#lastStreamId = streamId;
    const stream = new GrpcStream(streamId, headers, this.#peerStreamWindow, this);
    this.#streams.set(streamId, stream);
    const service = this.options.services.get(headers.get(':path') ?? '');
    if (service === undefined) stream.fail(STATUS.unimplemented, 'there is no such method');
    else this.#tell(stream, () => stream.listen(service(stream)));
    if (ends) this.#endPeer(stream, false);
  }

  #onReset(streamId: number): void {
    const stream = this.#streams.get(streamId);
    if (stream !== undefined) this.#endPeer(stream, true);
  }

  #endPeer(stream: GrpcStream, lost: boolean): void {
    this.#tell(stream, () => stream.takeEnd(lost));
    this.#forgetIfDone(stream);
  }

  #onSettings(flags: number, payload: Buffer): void {
    if ((flags & FLAG.ack) !== 0) return;
    for (let at = 0; at + 6 <= payload.length; at += 6) {
      const value = payload.readUInt32BE(at + 2);
      switch (payload.readUInt16BE(at)) {
        case SETTING.headerTableSize:
          this.#tableUpdateDue = true;
          break;
        case SETTING.initialWindowSize:
          for (const stream of this.#streams.values()) stream.widen(value - this.#peerStreamWindow);
          this.#peerStreamWindow = value;
          break;
        case SETTING.maxFrameSize:
          this.frameBytes = value;
      }
    }
    this.send(SETTINGS_ACK);
    this.#pumpAll();
  }

  #onWindowUpdate(streamId: number, payload: Buffer): void {
    if (payload.length !== 4)
      throw new ProtocolError(ERROR.frameSize, 'WINDOW_UPDATE frame that is not four bytes long');
    const more = payload.readUInt32BE() & MAX_WINDOW;
    if (streamId === 0) {
      this.window += more;
      if (this.window > MAX_WINDOW)
        throw new ProtocolError(ERROR.flowControl, 'flow-control window over 2^31 - 1 bytes');
      this.#pumpAll();
      return;
    }
    const stream = this.#streams.get(streamId);
    stream?.widen(more);
    stream?.pump();
  }

  #pumpAll(): void {
    for (const stream of this.#streams.values()) stream.pump();
  }

  onError(error: unknown): void {
    this.options.onError(error);
  }

  #tell(stream: GrpcStream, call: () => void): void {
    try {
      call();
    } catch (error) {
      this.onError(error);
      stream.fail(STATUS.internal, 'the service failed');
    }
  }

  #breakOff(error: unknown): void {
    if (!(error instanceof ProtocolError || error instanceof HpackError)) this.options.onError(error);
    const code =
      error instanceof ProtocolError
        ? error.code
        : error instanceof HpackError
          ? ERROR.compression
          : ERROR.internal;
    this.send(goAwayFrame(this.#lastStreamId, code));
    this.#outbox.close();
  }

  #checkAlive(): void {
    if (this.#heard) this.#asked = false;
    else if (this.#asked) this.destroy();
    else {
      this.#asked = true;
      this.send(frame(FRAME.ping, 0, 0, Buffer.alloc(8)));
    }
    this.#heard = false;
  }

  // Writing ----------------------------------------------------------------------------------------------

  headerPrefix(): Buffer {
    if (!this.#tableUpdateDue) return EMPTY;
    this.#tableUpdateDue = false;
    // Sets the size of our header table to 0, because we do not use it.
    return Buffer.from([0x20]);
  }

  send(bytes: Buffer): void {
    this.#outbox.send(bytes);
  }

  sendMessage(streamId: number, message: Buffer): void {
    this.#outbox.sendMessage(streamId, message);
  }

  sendLater(bytes: Buffer): void {
    this.#outbox.sendLater(bytes);
  }

  ended(stream: GrpcStream): void {
    this.#forgetIfDone(stream);
  }

  #forgetIfDone(stream: GrpcStream): void {
    // A peer that is told about the end of a call stops sending, but until then more of its bytes may arrive.
    const isOver = stream.done && (stream.peerDone || this.#draining);
    if (isOver && this.#streams.delete(stream.id)) this.#closeIfDrained();
  }

  #closeIfDrained(): void {
    if (!this.#draining) return;
    for (const stream of this.#streams.values()) if (stream.done) this.#streams.delete(stream.id);
    if (this.#streams.size === 0) this.#outbox.close();
  }

  #onClose(): void {
    this.#outbox.drop();
    clearInterval(this.#keepalive);
    for (const stream of this.#streams.values()) this.#endPeer(stream, true);
  }
}

function withoutPadding(payload: Buffer): Buffer {
  const padding = payload[0] ?? 0;
  if (padding >= payload.length) throw new ProtocolError(ERROR.protocol, 'padding longer than its frame');
  return payload.subarray(1, payload.length - padding);
}
