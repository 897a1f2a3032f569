import { ByteQueue } from './byte-queue.js';
import { type Call, type CallListener, STATUS } from './call.js';
import {
  DEFAULT_WINDOW,
  ERROR,
  FLAG,
  FRAME,
  FRAME_HEADER_BYTES,
  frame,
  ProtocolError,
  writeFrameHeader,
} from './frames.js';
import { PREFIX_BYTES, writePrefix } from './prefix.js';
import { turns, type Waiting } from './turns.js';

/** A longer message does not fit into one flow-control window. */
const LARGE_MESSAGE_BYTES = DEFAULT_WINDOW;
/** How many bytes of a call a peer may send before they are read, where the service reads ahead. */
const WIDE_WINDOW = 1 << 20;
/**
 * How many waiting messages a call gets in one round of the event loop: the number that it always gets, and the most.
 */
const AT_ONCE = 8;
const AT_MOST = 32;
/** `:status: 200` and `content-type: application/grpc`, in HPACK's literals. */
const RESPONSE_HEADERS = Buffer.concat([
  Buffer.from([0x88, 0x0f, 0x10, 16]),
  Buffer.from('application/grpc'),
]);
const OK_TRAILERS = trailers(STATUS.ok, '');

/** What a stream needs from its connection. */
export interface StreamOutlet {
  /** How many bytes of DATA the connection may send now, for all streams together. */
  window: number;
  /** The most bytes that one frame may hold. */
  readonly frameBytes: number;
  readonly maxMessageBytes: number;
  /**
   * Bytes that set our header table to a smaller size, where the peer requires one below the default. Usually empty.
   * We keep no table anyway.
   */
  headerPrefix(): Buffer;
  send(bytes: Buffer): void;
  /** Sends a DATA frame that contains one message. */
  sendMessage(streamId: number, message: Buffer): void;
  /** Lets the peer send this many more bytes of this call. */
  widenReceiving(stream: GrpcStream, bytes: number): void;
  /** Sends bytes together with the next ones, or soon. Use it for bytes that nobody waits for. */
  sendLater(bytes: Buffer): void;
  /** Calls `deliver` of the stream once all bytes that have arrived so far are stored. */
  deliverSoon(stream: GrpcStream): void;
  /** Called when the service has read messages that waited, so that the peer may send more. */
  readOn(stream: GrpcStream): void;
  onError(error: unknown): void;
  /** Called when our side has sent its last byte. */
  ended(stream: GrpcStream): void;
}

/**
 * One call. It reads messages from DATA frames, and writes messages as DATA frames as far as the flow-control windows
 * allow.
 */
export class GrpcStream implements Call, Waiting {
  #listener: CallListener | undefined;
  #window: number;
  /** Bytes that arrived and were not given to the service yet. */
  readonly #came = new ByteQueue();
  /** How many bytes of DATA the peer may send before they are read. */
  receiveWindow = DEFAULT_WINDOW;
  /** How many bytes of DATA arrived for which the peer got no WINDOW_UPDATE yet. */
  #unread = 0;
  /** Whether messages wait for their turn or for the service. */
  #isWaiting = false;
  /** Whether the service was not given a message yet. */
  #isNew = true;
  /** Whether the service wants the large message whose first bytes have arrived. */
  #accepted = false;
  /** How many bytes are still to come of a message that the service does not want. */
  #skipping = 0;
  /** How many messages the service got in this round of the event loop. */
  #given = 0;
  #round = 0;
  #headersSent = false;
  /** Framed messages that wait until the flow-control windows allow more DATA. */
  readonly #waiting = new ByteQueue();
  #trailers: Buffer | undefined;
  #state: 'open' | 'ending' | 'ended' = 'open';
  #peerDone = false;
  /** Whether `onEnd` of the service was called. */
  #isEnded = false;

  constructor(
    readonly id: number,
    readonly metadata: ReadonlyMap<string, string>,
    window: number,
    private readonly outlet: StreamOutlet,
  ) {
    this.#window = window;
  }

  listen(listener: CallListener): void {
    this.#listener = listener;
  }

  get writable(): boolean {
    return this.#state === 'open';
  }

  /** Whether everything was sent, the end included. */
  get done(): boolean {
    return this.#state === 'ended';
  }

  get peerDone(): boolean {
    return this.#peerDone;
  }

  // From the peer ----------------------------------------------------------------------------------------

  /** Takes the bytes of a DATA frame. The stream may keep `chunk`. */
  take(chunk: Buffer): void {
    if (this.#peerDone || this.#listener === undefined || this.#state !== 'open') return;
    this.#came.push(this.#skipping === 0 ? chunk : this.#skip(chunk));
    if (this.#isNew) this.#waitForRest();
    else if (!this.#isWaiting) this.#deliver();
  }

  /**
   * Waits a moment before the first message is given to the service, so that it knows by then whether the peer has
   * already left the call.
   */
  #waitForRest(): void {
    this.#isNew = false;
    this.#isWaiting = true;
    this.outlet.deliverSoon(this);
  }

  /**
   * Counts `came` further bytes. Returns for how many bytes the peer can get a WINDOW_UPDATE: all except those of
   * messages that still wait.
   */
  takeRead(came: number): number {
    this.#unread += came;
    if (this.#unread > this.receiveWindow)
      throw new ProtocolError(ERROR.flowControl, 'more DATA than the flow-control window of a stream');
    return this.#unread - (this.#isWaiting ? this.#came.length : 0);
  }

  /** Must be called with the number of bytes for which a WINDOW_UPDATE was sent. */
  toldRead(bytes: number): void {
    this.#unread -= bytes;
  }

  get hasWaiting(): boolean {
    return this.#isWaiting && this.#hasWhole();
  }

  /** Continues to give messages to the service after a wait. */
  deliver(): void {
    this.#isWaiting = false;
    this.#deliver();
    this.outlet.readOn(this);
  }

  /** Gives messages to the service: a few at once, the others in turns with other calls. */
  #deliver(): void {
    try {
      this.#giveMessages();
    } catch (error) {
      this.#failService(error);
    }
    if (!this.#isWaiting) this.#tellEnd(false);
  }

  #giveMessages(): void {
    if (this.#round !== turns.round) {
      this.#round = turns.round;
      this.#given = 0;
    }
    for (;;) {
      if (this.#given >= AT_ONCE && this.#hasWhole() && (this.#given >= AT_MOST || turns.isOver)) {
        this.#isWaiting = true;
        turns.wait(this);
        return;
      }
      const message = this.#next();
      if (message === undefined) return;
      this.#given++;
      const pending = this.#listener!.onMessage(message);
      if (pending === undefined) continue;
      this.#isWaiting = true;
      pending.then(
        () => this.deliver(),
        (error) => {
          this.#failService(error);
          this.deliver();
        },
      );
      return;
    }
  }

  #failService(error: unknown): void {
    this.outlet.onError(error);
    this.fail(STATUS.internal, 'the service failed');
  }

  #hasWhole(): boolean {
    const { length } = this.#came;
    return length >= PREFIX_BYTES && length >= PREFIX_BYTES + this.#came.numberAt(1);
  }

  /** Takes the next message that has arrived completely and that the service wants. */
  #next(): Buffer | undefined {
    const came = this.#came;
    while (this.#state === 'open' && came.length >= PREFIX_BYTES) {
      const length = came.numberAt(1);
      if (length > LARGE_MESSAGE_BYTES && !this.#accepted && !this.#accepts(length)) continue;
      if (came.length < PREFIX_BYTES + length) return undefined;
      this.#accepted = false;
      const [compressed] = came.take(PREFIX_BYTES);
      if (compressed === 0) return came.take(length);
      this.fail(STATUS.unimplemented, 'compressed messages are not supported');
    }
    if (this.#state !== 'open') came.clear();
    return undefined;
  }

  /** Whether the service wants the message that begins here. */
  #accepts(length: number): boolean {
    const listener = this.#listener!;
    const isWanted = listener.accepts?.(length) ?? true;
    this.#accepted = isWanted && length <= this.outlet.maxMessageBytes;
    if (this.#accepted) return true;
    if (isWanted) this.fail(STATUS.resourceExhausted, `a message of ${length} bytes is too long`);
    this.#skipping = PREFIX_BYTES + length;
    this.#came.push(this.#skip(this.#came.take(this.#came.length)));
    return false;
  }

  /** Drops bytes of a message that the service does not want, and returns the rest. */
  #skip(bytes: Buffer): Buffer {
    const skipped = Math.min(bytes.length, this.#skipping);
    this.#skipping -= skipped;
    return bytes.subarray(skipped);
  }

  /** The peer has sent everything, or the stream is lost. */
  takeEnd(lost: boolean): void {
    if (lost) this.#drop();
    if (!this.#peerDone) {
      this.#peerDone = true;
      this.#listener?.onLeave?.(lost);
    }
    if (lost || !this.#isWaiting) this.#tellEnd(lost);
  }

  #tellEnd(lost: boolean): void {
    if (!this.#peerDone || this.#isEnded) return;
    this.#isEnded = true;
    this.#came.clear();
    this.#listener?.onEnd(lost);
  }

  #drop(): void {
    this.#waiting.clear();
    this.#came.clear();
    this.#state = 'ended';
  }

  widen(bytes: number): void {
    this.#window += bytes;
  }

  get window(): number {
    return this.#window;
  }

  readAhead(): void {
    const more = WIDE_WINDOW - this.receiveWindow;
    if (more <= 0 || this.#peerDone || this.#state !== 'open') return;
    this.receiveWindow = WIDE_WINDOW;
    this.outlet.widenReceiving(this, more);
  }

  // To the peer ------------------------------------------------------------------------------------------

  write(message: Buffer): void {
    if (this.#state !== 'open') return;
    this.#sendHeaders();
    const length = PREFIX_BYTES + message.length;
    const { outlet } = this;
    if (this.#waiting.length === 0 && length <= Math.min(this.#window, outlet.window, outlet.frameBytes)) {
      this.#window -= length;
      outlet.window -= length;
      outlet.sendMessage(this.id, message);
      return;
    }
    const prefix = Buffer.allocUnsafe(PREFIX_BYTES);
    writePrefix(prefix, 0, message.length);
    this.#waiting.push(prefix);
    this.#waiting.push(message);
    this.pump();
  }

  end(): void {
    this.#finish(OK_TRAILERS);
  }

  fail(status: number, message: string): void {
    this.#finish(trailers(status, message));
  }

  /** Sends what is waiting, as far as the flow-control windows allow. */
  pump(): void {
    const { outlet } = this;
    while (this.#waiting.length > 0) {
      const room = Math.min(this.#window, outlet.window, outlet.frameBytes);
      if (room <= 0) return;
      const payload = this.#waiting.take(Math.min(room, this.#waiting.length));
      this.#window -= payload.length;
      outlet.window -= payload.length;
      const head = Buffer.allocUnsafe(FRAME_HEADER_BYTES);
      writeFrameHeader(head, payload.length, FRAME.data, 0, this.id);
      outlet.send(head);
      outlet.send(payload);
    }
    if (this.#state === 'ending') this.#sendTrailers();
  }

  #finish(block: Buffer): void {
    if (this.#state !== 'open') return;
    this.#sendHeaders();
    this.#state = 'ending';
    this.#trailers = block;
    this.pump();
  }

  #sendHeaders(): void {
    if (this.#headersSent) return;
    this.#headersSent = true;
    this.outlet.send(frame(FRAME.headers, FLAG.endHeaders, this.id, this.#block(RESPONSE_HEADERS)));
  }

  #sendTrailers(): void {
    this.#state = 'ended';
    const flags = FLAG.endHeaders | FLAG.endStream;
    const bytes = frame(FRAME.headers, flags, this.id, this.#block(this.#trailers!));
    // A peer that has ended its side does not wait for the end, so these bytes need no write of their own.
    if (this.#peerDone) this.outlet.sendLater(bytes);
    else this.outlet.send(bytes);
    this.outlet.ended(this);
  }

  #block(block: Buffer): Buffer {
    const prefix = this.outlet.headerPrefix();
    return prefix.length === 0 ? block : Buffer.concat([prefix, block]);
  }
}

/** The trailers `grpc-status` and `grpc-message` as HPACK literals. The message is cut and percent-encoded. */
function trailers(status: number, message: string): Buffer {
  const fields = [literal('grpc-status', String(status))];
  if (message !== '')
    fields.push(literal('grpc-message', encodeURIComponent(message.slice(0, 30)).slice(0, 120)));
  return Buffer.concat(fields);
}

function literal(name: string, value: string): Buffer {
  return Buffer.concat([
    Buffer.from([0, name.length]),
    Buffer.from(name, 'latin1'),
    Buffer.from([value.length]),
    Buffer.from(value, 'latin1'),
  ]);
}
