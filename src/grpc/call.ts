/* What a service sees of one gRPC call. In every call, both sides send a stream of messages. */

/** The status numbers of gRPC. */
export const STATUS = { ok: 0, unknown: 2, resourceExhausted: 8, unimplemented: 12, internal: 13 } as const;

export interface Call {
  /** The client's headers, with names in lower case. */
  readonly metadata: ReadonlyMap<string, string>;
  /** Whether the client can still receive what is written. */
  readonly writable: boolean;
  /** Whether messages have arrived that the service was not given yet. */
  readonly hasWaiting: boolean;
  /**
   * From now on, the client may send much more than one window before it is read. This is for a service that reads on
   * at once and keeps what it cannot use yet. Undefined where the server does not support it.
   */
  readAhead?(): void;
  /** Sends a message, given as protobuf bytes. Messages of one turn of the event loop are sent in one write. */
  write(message: Buffer): void;
  /** Ends the call successfully. A client that is still sending is told to stop. */
  end(): void;
  fail(status: number, message: string): void;
}

/**
 * How a service receives one call. It gets one message at a time: the next one comes after the promise of `onMessage`
 * has resolved. Meanwhile the client may send no more than one window of messages.
 */
export interface CallListener {
  /**
   * Called when a message begins that is larger than one window. Returns whether the service wants it; if not, it is
   * skipped. Without this function, messages are accepted up to the server's limit, above which the call fails.
   */
  accepts?(bytes: number): boolean;
  onMessage(message: Buffer): void | Promise<void>;
  /** Called as soon as the client has finished or disconnected. Messages may still be waiting for `onMessage`. */
  onLeave?(lost: boolean): void;
  /**
   * Called once, after the last message. `lost` is true where the call or its connection broke, false where the
   * client finished.
   */
  onEnd(lost: boolean): void;
}

/** Accepts a call of one method. */
export type Service = (call: Call) => CallListener;
