import { type Call, type CallListener, STATUS } from './call.js';
import { FLAG, FRAME, FRAME_HEADER_BYTES, frame, writeFrameHeader } from './frames.js';

/** Whether a message is compressed, and its length. */
const PREFIX_BYTES = 5;
/** `:status: 200` and `content-type: application/grpc`, in HPACK's literals. */
const RESPONSE_HEADERS = Buffer.concat([
  Buffer.from([0x88, 0x0f, 0x10, 16]),
  Buffer.from('application/grpc'),
]);
const OK_TRAILERS = trailers(STATUS.ok, '');

/** What a stream needs of its connection. */
export interface StreamOutlet {
  /** How many bytes of DATA the connection may send now, of all streams together. */
  window: number;
  /** The most that one frame may hold. */
  readonly frameBytes: number;
  readonly maxMessageBytes: number;
  /** Takes back what the peer set to be smaller than the tables that we do not use; empty most of the time. */
  headerPrefix(): Buffer;
  send(bytes: Buffer): void;
  /** Goes with whatever is sent next, or soon: nobody waits for it. */
  sendLater(bytes: Buffer): void;
  /** Our side has sent its last byte. */
  ended(stream: GrpcStream): void;
}

/** One call: its messages put together from DATA, and written as DATA as far as the windows let them. */
export class GrpcStream implements Call {
  /** Bytes that the peer may still send before it is told that there is room for more. */
  received = 0;
  #listener: CallListener | undefined;
  #window: number;
  #parts: Buffer[] = [];
  #partBytes = 0;
  #headersSent = false;
  /** What waits for the windows, framed as messages but not as DATA. */
  #waiting: Buffer[] = [];
  #trailers: Buffer | undefined;
  #state: 'open' | 'ending' | 'ended' = 'open';
  #peerDone = false;

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

  /** Nothing is left to send. */
  get done(): boolean {
    return this.#state === 'ended';
  }

  get peerDone(): boolean {
    return this.#peerDone;
  }

  // From the peer ----------------------------------------------------------------------------------------

  /** Bytes of DATA. `chunk` may be kept. */
  take(chunk: Buffer): void {
    if (this.#peerDone || this.#listener === undefined) return;
    let rest = chunk;
    if (this.#parts.length > 0) {
      this.#parts.push(chunk);
      this.#partBytes += chunk.length;
      if (this.#partBytes < PREFIX_BYTES) return;
      if (this.#parts[0]!.length < PREFIX_BYTES) this.#parts = [Buffer.concat(this.#parts)];
      const length = this.#parts[0]!.readUInt32BE(1);
      if (this.#isTooLong(length) || this.#partBytes < PREFIX_BYTES + length) return;
      rest = Buffer.concat(this.#parts);
      this.#parts = [];
    }
    this.#takeMessages(rest);
  }

  #takeMessages(bytes: Buffer): void {
    let at = 0;
    while (bytes.length - at >= PREFIX_BYTES) {
      const length = bytes.readUInt32BE(at + 1);
      if (this.#isTooLong(length)) return;
      const end = at + PREFIX_BYTES + length;
      if (end > bytes.length) break;
      if (bytes[at] !== 0) {
        this.fail(STATUS.unimplemented, 'compressed messages are not read here');
        return;
      }
      this.#listener!.onMessage(bytes.subarray(at + PREFIX_BYTES, end));
      at = end;
    }
    if (at === bytes.length) return;
    this.#parts = [bytes.subarray(at)];
    this.#partBytes = bytes.length - at;
  }

  #isTooLong(length: number): boolean {
    if (length <= this.outlet.maxMessageBytes) return false;
    this.#parts = [];
    this.fail(STATUS.resourceExhausted, `a message of ${length} bytes is too long`);
    return true;
  }

  /** The peer has sent all, or the stream is lost. */
  takeEnd(lost: boolean): void {
    if (lost) this.#drop();
    if (this.#peerDone) return;
    this.#peerDone = true;
    this.#parts = [];
    this.#listener?.onEnd(lost);
  }

  #drop(): void {
    this.#waiting = [];
    this.#state = 'ended';
  }

  widen(bytes: number): void {
    this.#window += bytes;
  }

  get window(): number {
    return this.#window;
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
      const head = Buffer.allocUnsafe(FRAME_HEADER_BYTES + PREFIX_BYTES);
      writeFrameHeader(head, length, FRAME.data, 0, this.id);
      writePrefix(head, FRAME_HEADER_BYTES, message.length);
      outlet.send(head);
      outlet.send(message);
      return;
    }
    const prefix = Buffer.allocUnsafe(PREFIX_BYTES);
    writePrefix(prefix, 0, message.length);
    this.#waiting.push(prefix, message);
    this.pump();
  }

  end(): void {
    this.#finish(OK_TRAILERS);
  }

  fail(status: number, message: string): void {
    this.#finish(trailers(status, message));
  }

  /** Sends what waits, as far as the windows let it. */
  pump(): void {
    const { outlet } = this;
    while (this.#waiting.length > 0) {
      const room = Math.min(this.#window, outlet.window, outlet.frameBytes);
      if (room <= 0) return;
      const payload = this.#takeWaiting(room);
      this.#window -= payload.length;
      outlet.window -= payload.length;
      const head = Buffer.allocUnsafe(FRAME_HEADER_BYTES);
      writeFrameHeader(head, payload.length, FRAME.data, 0, this.id);
      outlet.send(head);
      outlet.send(payload);
    }
    if (this.#state === 'ending') this.#sendTrailers();
  }

  #takeWaiting(most: number): Buffer {
    const first = this.#waiting[0]!;
    if (first.length > most) {
      this.#waiting[0] = first.subarray(most);
      return first.subarray(0, most);
    }
    const taken: Buffer[] = [];
    let bytes = 0;
    while (this.#waiting.length > 0 && bytes + this.#waiting[0]!.length <= most) {
      const next = this.#waiting.shift()!;
      taken.push(next);
      bytes += next.length;
    }
    return taken.length === 1 ? first : Buffer.concat(taken, bytes);
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
    // A peer that ended its side has all that it wanted. Its answer would be a write, and a wake-up there, of its own.
    if (this.#peerDone) this.outlet.sendLater(bytes);
    else this.outlet.send(bytes);
    this.outlet.ended(this);
  }

  #block(block: Buffer): Buffer {
    const prefix = this.outlet.headerPrefix();
    return prefix.length === 0 ? block : Buffer.concat([prefix, block]);
  }
}

function writePrefix(target: Buffer, at: number, length: number): void {
  target[at] = 0;
  target.writeUInt32BE(length, at + 1);
}

/** `grpc-status` and `grpc-message` as HPACK's literals with new names. The message is cut and percent-encoded. */
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
