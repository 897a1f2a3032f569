/* What a service sees of one gRPC call, whose both sides are streams of messages. */

/** gRPC's own numbers. */
export const STATUS = { ok: 0, unknown: 2, resourceExhausted: 8, unimplemented: 12, internal: 13 } as const;

export interface Call {
  /** The client's headers, names in lower case. */
  readonly metadata: ReadonlyMap<string, string>;
  /** Whether what is written can still arrive. */
  readonly writable: boolean;
  /** Messages came that the service was not given yet. */
  readonly hasWaiting: boolean;
  /** A message as its protobuf bytes. Those of one turn of the event loop leave in one write. */
  write(message: Buffer): void;
  /** Ends the call well. A client that has not ended its side by then is told so all the same. */
  end(): void;
  fail(status: number, message: string): void;
}

/**
 * How a service is told of one call. Messages are given one at a time: the next one waits until a promise of `onMessage`
 * has resolved, and while they wait the client may send no more than a window of them.
 */
export interface CallListener {
  /**
   * A message of so many bytes begins, which is more than a window. False: it is not wanted, and is skipped as it comes.
   * Without this function it is taken up to the limit of the server, over which the call fails.
   */
  accepts?(bytes: number): boolean;
  onMessage(message: Buffer): void | Promise<void>;
  /** As soon as the client has no more to say, or is gone. Messages may still be on their way to `onMessage`. */
  onLeave?(lost: boolean): void;
  /** Behind the last message: the client sent all that it had to say; or, `lost`, it broke off or its connection did. Exactly once. */
  onEnd(lost: boolean): void;
}

/** Takes a call of one method. */
export type Service = (call: Call) => CallListener;
