/* What a service sees of one gRPC call, whose both sides are streams of messages. */

/** gRPC's own numbers. */
export const STATUS = { ok: 0, unknown: 2, resourceExhausted: 8, unimplemented: 12, internal: 13 } as const;

export interface Call {
  /** The client's headers, names in lower case. */
  readonly metadata: ReadonlyMap<string, string>;
  /** Whether what is written can still arrive. */
  readonly writable: boolean;
  /** Messages arrived that the service has not been given yet. */
  readonly hasWaiting: boolean;
  /**
   * From now on the client may send much more than a window before it is read: for a service that reads on at once and keeps what it
   * cannot use yet. Absent where the server cannot do that.
   */
  readAhead?(): void;
  /** A message as protobuf bytes. Messages of one turn of the event loop are sent in one write. */
  write(message: Buffer): void;
  /** Ends the call successfully. A client that is still sending is told so. */
  end(): void;
  fail(status: number, message: string): void;
}

/**
 * How a service receives one call. Messages are given one at a time: the next one waits until the promise of
 * `onMessage` has resolved. Meanwhile the client may send no more than a window of messages.
 */
export interface CallListener {
  /**
   * A message of this many bytes begins, which is more than a window. False: it is not wanted and is skipped. Without
   * this function it is accepted up to the server's limit, above which the call fails.
   */
  accepts?(bytes: number): boolean;
  onMessage(message: Buffer): void | Promise<void>;
  /** Called as soon as the client has finished or disconnected. Messages may still be waiting for `onMessage`. */
  onLeave?(lost: boolean): void;
  /** Called once, after the last message: the client finished, or, with `lost`, the call or its connection broke. */
  onEnd(lost: boolean): void;
}

/** Takes a call of one method. */
export type Service = (call: Call) => CallListener;
